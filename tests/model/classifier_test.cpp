// Whole classifiers: laws over every recipe, and agreement with published results on iris.
#include <cmath>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "suffice/model/algebra.hpp"
#include "suffice/model/recipe.hpp"

namespace suffice {
namespace {

struct Table {
    std::vector<double> values;
    std::vector<std::int32_t> labels;
    Schema schema;

    LabeledBlock block() const {
        const DenseBlock rows{values.data(),
                              Element::f64,
                              labels.size(),
                              schema.columns.size(),
                              static_cast<std::ptrdiff_t>(schema.columns.size()),
                              1};
        return {rows, labels, {}, 0};
    }
    Block rows() const { return block().rows; }
};

Table iris() {
    std::ifstream file(SUFFICE_SOURCE_DIR "/data/iris.csv");
    Table table;
    std::string line, cell;
    std::getline(file, line);
    std::istringstream header(line);
    while (std::getline(header, cell, ',')) table.schema.columns.push_back({cell});
    table.schema.columns.pop_back();
    table.schema.classes = {"setosa", "versicolor", "virginica"};
    while (std::getline(file, line)) {
        std::istringstream row(line);
        for (int k = 0; k < 4; ++k) {
            std::getline(row, cell, ',');
            table.values.push_back(std::stod(cell));
        }
        std::getline(row, cell);
        const auto found = std::ranges::find(table.schema.classes, cell);
        table.labels.push_back(static_cast<std::int32_t>(found - table.schema.classes.begin()));
    }
    return table;
}

Classifier fitted(const Table& table, const std::string& model, unsigned threads = 2) {
    auto state = make_state({.model = model}, table.schema).value();
    MemoryStream stream(table.block(), table.schema);
    Context context;
    context.thread_count = threads;
    return fit(state, stream, context).value();
}

std::size_t errors(const Classifier& model, const Table& table) {
    const auto codes = model.predict(table.rows()).value();
    std::size_t wrong = 0;
    for (std::size_t row = 0; row < codes.size(); ++row) wrong += codes[row] != table.labels[row];
    return wrong;
}

// Training errors of scikit-learn 1.9 on the same file: LDA 3, QDA 3, GaussianNB 6.
TEST(Classifier, MakesTheErrorsOnIrisThatOthersMake) {
    const Table table = iris();
    ASSERT_EQ(table.labels.size(), 150u);
    EXPECT_EQ(errors(fitted(table, "lda"), table), 3u);
    EXPECT_EQ(errors(fitted(table, "qda"), table), 3u);
    EXPECT_EQ(errors(fitted(table, "gnb"), table), 6u);
}

TEST(Classifier, CountsParametersAsTheTextbooksDo) {
    const Table table = iris();
    const std::size_t k = 3, m = 4;
    EXPECT_EQ(fitted(table, "lda").parameter_count(), k * m + m * (m + 1) / 2 + k - 1);
    EXPECT_EQ(fitted(table, "qda").parameter_count(), k * m + k * m * (m + 1) / 2 + k - 1);
    EXPECT_EQ(fitted(table, "gnb").parameter_count(), 2 * k * m + k - 1);
    EXPECT_EQ(fitted(table, "dlda").parameter_count(), k * m + m + k - 1);
}

TEST(Classifier, DerivedFromAnotherEqualsFitted) {
    const Table table = iris();
    const Classifier lda = fitted(table, "lda");
    for (const char* name : {"qda", "dlda", "spherical_discriminant", "rda"}) {
        const Classifier direct = fitted(table, name);
        const auto derived = derive(lda, direct.state().model, direct.state().settings).value();
        EXPECT_EQ(derived.posteriors(table.rows()).value(), direct.posteriors(table.rows()).value()) << name;
    }
}

TEST(Classifier, PiecesMergedAreTheWhole) {
    const Table table = iris();
    for (const auto& model : models()) {
        if (!model.is_sum()) continue;
        if (model.name == "grouped_discriminant" || model.name == "bernoulli_nb" || model.name == "categorical_nb" ||
            model.name == "poisson_nb")
            continue;
        const Classifier whole = fitted(table, std::string(model.name));
        const auto state = make_state({.model = std::string(model.name)}, table.schema).value();
        MemoryStream first(table.block().slice(0, 70), table.schema), second(table.block().slice(70, 80), table.schema);
        const auto left = fit(state, first).value();
        const auto right = fit(state, second).value();
        const auto both = merge(left, right).value();
        const auto p = whole.posteriors(table.rows()).value(), q = both.posteriors(table.rows()).value();
        for (std::size_t i = 0; i < p.values.size(); ++i) EXPECT_NEAR(p.values[i], q.values[i], 1e-10) << model.name;
        const auto rest = subtract(both, right).value();
        const auto r = rest.posteriors(table.rows()).value(), s = left.posteriors(table.rows()).value();
        ASSERT_EQ(r.column_count, s.column_count) << model.name;
        for (std::size_t i = 0; i < r.values.size(); ++i) EXPECT_NEAR(r.values[i], s.values[i], 1e-7) << model.name;
    }
}

TEST(Classifier, ExplanationsSumToTheLogJoint) {
    const Table table = iris();
    for (const char* name : {"lda", "qda", "gnb", "dlda"}) {
        const Classifier model = fitted(table, name);
        Matrix joint(150, 3);
        ScoreSink sink;
        sink.form = ScoreSink::Form::log_joint;
        sink.scores = joint.values.data();
        sink.stride = 3;
        ASSERT_TRUE(model.score(table.rows(), sink, {}));
        for (std::size_t row = 0; row < 150; row += 7) {
            const auto explanation = model.explain(table.rows(), row).value();
            for (std::size_t c = 0; c < 3; ++c) {
                double sum = explanation.intercept[c];
                for (const auto& term : explanation.terms) sum += term.by_class[c];
                EXPECT_NEAR(sum, joint(row, c), 1e-9 * std::abs(sum)) << name;
            }
        }
    }
}

TEST(Classifier, MissingValuesAreIntegratedOut) {
    Table table = iris();
    table.values[3] = table.values[401] = table.values[402] = std::nan("");
    for (const char* name : {"lda", "qda", "gnb"}) {
        const Classifier model = fitted(table, name);
        const auto p = model.posteriors(table.rows()).value();
        for (std::size_t row : {0u, 100u}) EXPECT_NEAR(p(row, 0) + p(row, 1) + p(row, 2), 1, 1e-12) << name;
        EXPECT_GT(p(0, 0), 0.99) << name;
    }
}

TEST(Classifier, APooledScatterGivesTheSameLinearDiscriminant) {
    const Table table = iris();
    const auto state = make_state({.model = "lda", .parts = {.keep = Keep::pooled}}, table.schema).value();
    MemoryStream stream(table.block(), table.schema);
    const auto pooled = fit(state, stream).value(), whole = fitted(table, "lda");
    EXPECT_NEAR(pooled.log_likelihood(), whole.log_likelihood(), 1e-9 * std::abs(whole.log_likelihood()));
    const auto p = pooled.posteriors(table.rows()).value(), q = whole.posteriors(table.rows()).value();
    for (std::size_t i = 0; i < p.values.size(); ++i) EXPECT_NEAR(p.values[i], q.values[i], 1e-10);
    const auto qda = make_state({.model = "qda"}, table.schema).value();
    EXPECT_FALSE(derive(pooled, qda.model, qda.settings));
}

TEST(Classifier, AnEnormousValueStillHasFinitePosteriors) {
    Table table = iris();
    const Classifier model = fitted(table, "qda");
    table.values[0] = 1e300;
    const auto p = model.posteriors(table.rows()).value();
    for (std::size_t c = 0; c < 3; ++c) EXPECT_TRUE(std::isfinite(p(0, c)));
    EXPECT_NEAR(p(0, 0) + p(0, 1) + p(0, 2), 1, 1e-12);
}

TEST(Classifier, AnInfiniteValueIsNamedByRowAndColumn) {
    Table table = iris();
    const Classifier model = fitted(table, "lda");
    table.values[4 * 9 + 2] = INFINITY;
    const auto scored = model.posteriors(table.rows());
    ASSERT_FALSE(scored);
    EXPECT_EQ(scored.error().row, 10u);
    EXPECT_EQ(scored.error().column, "petal_length");
}

}  // namespace
}  // namespace suffice
