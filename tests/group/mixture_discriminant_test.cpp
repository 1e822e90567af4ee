// Mixture discriminant analysis and fits with rows of unknown class: laws, and cases whose answer is known.
#include "suffice/group/mixture_discriminant.hpp"

#include <cmath>

#include "model/labeled_table.hpp"
#include <gtest/gtest.h>

#include "suffice/model/algebra.hpp"

namespace suffice {
namespace {

using testing_rows::fit_table;
using testing_rows::LabeledTable;

// Class 0 lies in two clouds, left and right of class 1, so that no single Gaussian per class fits it.
LabeledTable sandwich(std::size_t rows) {
    LabeledTable table;
    table.name_numbers(2, 2);
    Rng rng(7, "sandwich");
    for (std::size_t row = 0; row < rows; ++row) {
        const auto label = static_cast<std::int32_t>(row % 2);
        const double centre = label == 1 ? 0.0 : row % 4 == 0 ? -6.0 : 6.0;
        for (const double middle : {centre, 0.0}) {
            double sum = 0;  // of twelve uniforms less six: nearly normal, variance one
            for (int k = 0; k < 12; ++k) sum += rng.uniform();
            table.values.push_back(middle + sum - 6);
        }
        table.labels.push_back(label);
    }
    return table;
}

MixtureDiscriminant fit_mda(const LabeledTable& table, std::size_t components, ComponentShape shape,
                            unsigned threads = 1) {
    MemoryStream stream(table.block(), table.schema);
    MixtureDiscriminantSettings settings;
    settings.components = components;
    settings.shape = shape;
    Context context;
    context.thread_count = threads;
    return fit_mixture_discriminant(table.schema, stream, settings, context).value();
}

Matrix joint_of(const Predictor& model, const Block& rows) {
    Matrix joint(row_count(rows), model.class_count());
    ScoreSink sink;
    sink.form = ScoreSink::Form::log_joint;
    sink.scores = joint.values.data();
    sink.stride = static_cast<std::ptrdiff_t>(model.class_count());
    model.score(rows, sink, {}).value();
    return joint;
}

TEST(MixtureDiscriminant, WithOneComponentPerClassIsTheGaussianDiscriminant) {
    const LabeledTable table = sandwich(400);
    const struct {
        ComponentShape shape;
        const char* model;
    } pairs[] = {{ComponentShape::full, "qda"}, {ComponentShape::tied, "lda"}, {ComponentShape::diagonal, "gnb"}};
    for (const auto& [shape, model] : pairs) {
        const Matrix mixture = joint_of(fit_mda(table, 1, shape), table.rows());
        const Matrix gaussian = joint_of(
            fit_table(table, {.model = model, .settings = {.estimate = Estimate::likelihood}}).value(), table.rows());
        for (std::size_t i = 0; i < mixture.values.size(); ++i)
            EXPECT_NEAR(mixture.values[i], gaussian.values[i], 1e-4 * (1 + std::abs(gaussian.values[i]))) << model;
    }
}

TEST(MixtureDiscriminant, ChoosesTheNumberOfCloudsOfEachClassByBic) {
    const LabeledTable table = sandwich(1200);
    const MixtureDiscriminant model = fit_mda(table, 0, ComponentShape::full);
    EXPECT_EQ(model.state().class_of, (std::vector<std::uint32_t>{0, 0, 1}));
    EXPECT_EQ(model.components().schema().classes, (std::vector<std::string>{"c0 1", "c0 2", "c1 1"}));
    const auto codes = model.predict(table.rows()).value();
    std::size_t wrong = 0;
    for (std::size_t row = 0; row < codes.size(); ++row) wrong += codes[row] != table.labels[row];
    EXPECT_LT(wrong, 6u);  // each boundary lies three deviations from either cloud: about 0.2 %
    EXPECT_NEAR(std::exp(model.log_prior()[0]), 0.5, 1e-9);
    EXPECT_NEAR(model.weight(), 1200, 1e-6);
}

TEST(MixtureDiscriminant, ContributionsAndInterceptSumToTheLogJoint) {
    const LabeledTable table = sandwich(300);
    const MixtureDiscriminant model = fit_mda(table, 2, ComponentShape::full);
    const Matrix joint = joint_of(model, table.rows());
    for (std::size_t row = 0; row < 20; ++row) {
        const Explanation told = model.explain(table.rows(), row).value();
        for (std::size_t c = 0; c < 2; ++c) {
            double sum = told.intercept[c];
            for (const auto& term : told.terms) sum += term.by_class[c];
            EXPECT_NEAR(sum, joint(row, c), 1e-9 * (1 + std::abs(joint(row, c))));
        }
    }
}

TEST(MixtureDiscriminant, OtherPriorsShiftTheLogJointByTheirRatio) {
    const LabeledTable table = sandwich(300);
    const MixtureDiscriminant model = fit_mda(table, 2, ComponentShape::full);
    const auto shifted = model.under_priors({std::log(0.9), std::log(0.1)});
    const Matrix before = joint_of(model, table.rows()), after = joint_of(*shifted, table.rows());
    for (std::size_t row = 0; row < before.row_count; ++row) {
        EXPECT_NEAR(after(row, 0) - before(row, 0), std::log(0.9) - model.log_prior()[0], 1e-9);
        EXPECT_NEAR(after(row, 1) - before(row, 1), std::log(0.1) - model.log_prior()[1], 1e-9);
    }
}

TEST(MixtureDiscriminant, BitsDoNotDependOnThreads) {
    const LabeledTable table = sandwich(9000);
    const auto one = fit_mda(table, 2, ComponentShape::full, 1);
    for (const unsigned threads : {2u, 3u, 7u})
        EXPECT_EQ(fit_mda(table, 2, ComponentShape::full, threads).state(), one.state()) << threads;
}

TEST(SemiSupervised, RowsWithoutAClassBringTheMeansToWhereTheCloudsAre) {
    LabeledTable table = sandwich(2000);
    for (std::size_t row = 0; row < table.labels.size(); row += 4) table.values[2 * row] += 12;  // two clouds only
    const auto truth = table.labels;
    for (std::size_t row = 6; row < table.labels.size(); ++row) table.labels[row] = -1;
    const auto recipe = make_state({.model = "gaussian_nb"}, table.schema).value();
    MemoryStream stream(table.block(), table.schema);
    const Classifier few = fit(recipe, stream).value();
    stream.rewind().value();
    const Classifier all = fit_semi_supervised(recipe, stream, 1, {}).value();
    const auto wrong = [&](const Classifier& model) {
        const auto codes = model.predict(table.rows()).value();
        std::size_t count = 0;
        for (std::size_t row = 0; row < codes.size(); ++row) count += codes[row] != truth[row];
        return count;
    };
    EXPECT_LT(wrong(all), 30u);
    EXPECT_LE(wrong(all), wrong(few));
    EXPECT_NEAR(all.weight(), 2000, 1e-6);
    EXPECT_FALSE(merge(all, few));
    EXPECT_NE(merge(all, all).error().message.find("use update"), std::string::npos);
}

TEST(SemiSupervised, RowsOfNoWeightChangeNothing) {
    LabeledTable table = sandwich(400);
    for (std::size_t row = 100; row < table.labels.size(); ++row) table.labels[row] = -1;
    const auto recipe = make_state({.model = "qda"}, table.schema).value();
    MemoryStream stream(table.block(), table.schema);
    const Classifier labelled = fit(recipe, stream).value();
    stream.rewind().value();
    const Classifier none = fit_semi_supervised(recipe, stream, 0, {}).value();
    const Matrix a = labelled.posteriors(table.rows()).value(), b = none.posteriors(table.rows()).value();
    for (std::size_t i = 0; i < a.values.size(); ++i) EXPECT_NEAR(a.values[i], b.values[i], 1e-9);
}

}  // namespace
}  // namespace suffice
