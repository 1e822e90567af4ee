// Rows of counts: weights and likelihoods of scikit-learn and SciPy, sparse rows as dense ones, refusals by name.
#include "suffice/part/counts_part.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "suffice/part/family_part.hpp"

namespace suffice {
namespace {

// Three words in two kinds of text, with weights.
struct Texts {
    Schema schema{{{"one"}, {"two"}, {"three"}}, {"a", "b"}};
    std::vector<double> values = {3, 0, 1, 2, 0, 2, 0, 4, 1, 1, 3, 0, 0, 0, 7};
    std::vector<std::int32_t> labels = {0, 0, 1, 1, 1};
    std::vector<double> weights = {1, 0.5, 2, 1, 1.5};

    Block rows() const { return DenseBlock{values.data(), Element::f64, labels.size(), 3, 3, 1}; }
    Part seen() const {
        Part part{CountsPart(schema, {0, 1, 2})};
        Workspace workspace;
        part.observe(rows(), {2, labels, weights}, workspace);
        return part;
    }
};

std::vector<std::vector<double>> weights_of(const Estimated& estimated) {
    ScoreForm form{{0, 0}, {{0, 0, 0}, {0, 0, 0}}, {}};
    EXPECT_TRUE(estimated.scorers.at(0)->write_form(form));
    return form.linear;
}

void expect_weights(const Settings& settings, const std::vector<std::vector<double>>& golden) {
    const Texts texts;
    const auto found = weights_of(texts.seen().estimate(settings, texts.schema).value());
    for (std::size_t c = 0; c < 2; ++c)
        for (std::size_t j = 0; j < 3; ++j) EXPECT_NEAR(found[c][j], golden[c][j], 1e-8) << c << ' ' << j;
}

// MultinomialNB(alpha=0.5) and ComplementNB(alpha=0.5, norm=False and True) of scikit-learn 1.9.1, sample weights as
// above; SciPy's multinomial.logpmf under those probabilities.
TEST(CountsPart, WeightsAreThoseOfScikitLearn) {
    Settings settings;
    settings.estimate = Estimate::map;
    settings.smoothing = 0.5;
    expect_weights(settings, {{-0.51082562, -2.7080502, -1.09861229}, {-2.85263143, -0.8157495, -0.69314718}});
    settings.complement = true;
    expect_weights(settings, {{2.85263143, 0.8157495, 0.69314718}, {0.51082562, 2.7080502, 1.09861229}});
    settings.normalize_weights = true;
    expect_weights(settings, {{0.65404403, 0.18703296, 0.15892301}, {0.11831547, 0.62722818, 0.25445636}});
}

TEST(CountsPart, LikelihoodAndDensitiesAreThoseOfSciPy) {
    const Texts texts;
    Settings settings;
    settings.estimate = Estimate::map;
    settings.smoothing = 0.5;
    const Estimated estimated = texts.seen().estimate(settings, texts.schema).value();
    EXPECT_NEAR(estimated.log_likelihood, -17.843398506765862, 1e-12);
    const double golden[] = {-1.2447948, -1.42711636, -10.32137518, -7.24868187, -7.69028602};
    std::vector<double> joint(10);
    Workspace workspace;
    estimated.scorers[0]->add(texts.rows(), {joint.data(), 5, 2, 5}, Exactness::density, workspace);
    for (std::size_t row = 0; row < 5; ++row) {
        EXPECT_NEAR(joint[row], golden[row], 1e-8);
        std::vector<long double> exact(2);
        ASSERT_TRUE(estimated.scorers[0]->add_row(texts.rows(), row, exact));
        EXPECT_NEAR(static_cast<double>(exact[0]), golden[row], 1e-8);
    }
}

// scipy.stats.dirichlet_multinomial(counts + 0.5, n).logpmf of SciPy 1.17; the evidence by its gammaln.
TEST(CountsPart, ThePredictiveIsTheDirichletMultinomialOfSciPy) {
    const Texts texts;
    Settings settings;
    settings.estimate = Estimate::predictive;
    settings.smoothing = 0.5;
    const Estimated estimated = texts.seen().estimate(settings, texts.schema).value();
    EXPECT_NEAR(estimated.log_likelihood, -22.857162192001994, 1e-12);
    const double golden[] = {-1.37442348, -1.58799758, -6.792883,   -5.23865582, -4.92375105,
                             -6.72767122, -4.93591175, -2.23532984, -3.89090891, -4.20168454};
    std::vector<double> joint(10);
    Workspace workspace;
    estimated.scorers.at(0)->add(texts.rows(), {joint.data(), 5, 2, 5}, Exactness::density, workspace);
    for (std::size_t row = 0; row < 5; ++row) {
        std::vector<long double> exact(2);
        ASSERT_TRUE(estimated.scorers[0]->add_row(texts.rows(), row, exact));
        Explanation told{{0, 0}, {}};
        estimated.scorers[0]->explain(texts.rows(), row, told);
        for (std::size_t c = 0; c < 2; ++c) {
            EXPECT_NEAR(joint[c * 5 + row], golden[c * 5 + row], 1e-8);
            EXPECT_NEAR(static_cast<double>(exact[c]), golden[c * 5 + row], 1e-8);
            double sum = told.intercept[c];
            for (const auto& term : told.terms) sum += term.by_class[c];
            EXPECT_NEAR(sum, joint[c * 5 + row], 1e-12);
        }
    }
    settings.smoothing = 0;
    EXPECT_FALSE(texts.seen().estimate(settings, texts.schema));
}

// Of Dirichlet-multinomial counts, n draws: mean n a_j/A, variance n p (1 - p) (n + A)/(1 + A).
TEST(CountsPart, RowsDrawnFromThePredictiveHaveItsMoments) {
    const Texts texts;
    Settings settings;
    settings.estimate = Estimate::predictive;
    settings.smoothing = 0.5;
    const Estimated estimated = texts.seen().estimate(settings, texts.schema).value();
    Rng rng(3);
    SampledRow row{{0, 0, 0}, {}};
    const int draws = 20000;
    const double n = 4, total = 7.5, p = 4.5 / total;  // class a: 4 words a row; 4.5 of 7.5 for the first word
    double sum = 0, squares = 0;
    for (int k = 0; k < draws; ++k) {
        estimated.scorers.at(0)->sample(0, rng, row);
        EXPECT_EQ(row.values[0] + row.values[1] + row.values[2], n);
        sum += row.values[0];
        squares += row.values[0] * row.values[0];
    }
    const double mean = sum / draws, variance = n * p * (1 - p) * (n + total) / (1 + total);
    EXPECT_NEAR(mean, n * p, 5 * std::sqrt(variance / draws));
    EXPECT_NEAR(squares / draws - mean * mean, variance, 0.1 * variance);
}

TEST(CountsPart, ASharedRowCountsForEachClassByItsShare) {
    const Texts texts;
    const std::vector<double> share = {1, 0.25, 0, 0, 0, 0, 0.25, 2, 1, 1.5};  // class-major
    Part shared{CountsPart(texts.schema, {0, 1, 2})}, split = shared;
    Workspace workspace;
    shared.observe(texts.rows(), {2, {}, {}, share.data(), 5}, workspace);
    for (std::int32_t c = 0; c < 2; ++c) {
        const std::vector<std::int32_t> labels(5, c);
        split.observe(texts.rows(), {2, labels, std::span(share).subspan(static_cast<std::size_t>(c) * 5, 5)},
                      workspace);
    }
    const auto *found = shared.as<CountsPart>(), *expected = split.as<CountsPart>();
    for (std::size_t c = 0; c < 2; ++c) {
        EXPECT_DOUBLE_EQ(found->class_weight[c], expected->class_weight[c]);
        EXPECT_DOUBLE_EQ(found->log_carrier[c], expected->log_carrier[c]);
        for (std::size_t j = 0; j < 3; ++j) EXPECT_DOUBLE_EQ(found->sum[c * 3 + j], expected->sum[c * 3 + j]);
    }
}

TEST(CountsPart, ANegativeOrInfiniteCountIsRefusedByItsColumn) {
    for (const double bad : {-1.0, double{INFINITY}, std::nan("")}) {
        Texts texts;
        texts.values[4] = bad;
        const auto refused = texts.seen().estimate({}, texts.schema);
        ASSERT_FALSE(refused);
        EXPECT_EQ(refused.error().column, "two");
        EXPECT_EQ(refused.error().message, "there are values that are no counts; counts are zero or positive numbers");
    }
}

TEST(CountsPart, AClassWithoutAnyCountHasAllColumnsAlike) {
    Texts texts;
    texts.labels.assign(5, 0);
    Settings settings;  // likelihood: nothing is added
    const auto weights = weights_of(texts.seen().estimate(settings, texts.schema).value());
    for (double weight : weights[1]) EXPECT_DOUBLE_EQ(weight, -std::log(3.0));
}

// Entries of a sparse matrix: what is absent is a zero, a stored zero is one too.
TEST(ObserveEntries, FlagsOfASparseMatrixAreThoseOfTheDenseOne) {
    const Schema schema{{{"p"}, {"q"}, {"r"}}, {"a", "b"}};
    const std::vector<std::int64_t> start = {0, 2, 2, 3, 5};
    const std::vector<std::uint32_t> column = {0, 2, 1, 0, 1};
    const std::vector<double> value = {1, 1, 1, 0, 1}, dense = {1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 1, 0};
    const std::vector<std::int32_t> labels = {0, 1, 1, 0};
    for (const std::vector<double>& weights : {std::vector<double>{}, std::vector<double>{2, 1, 0.5, 3}}) {
        const Membership membership{2, labels, weights};
        Workspace workspace;
        FamilyPart<Bernoulli> sparse(schema, {0, 1, 2}), full = sparse;
        sparse.observe(SparseBlock{start, column, value, 3}, membership, workspace);
        full.observe(DenseBlock{dense.data(), Element::f64, 4, 3, 3, 1}, membership, workspace);
        EXPECT_EQ(sparse, full);
        EXPECT_EQ(full.by_class[0][0].one_weight, weights.empty() ? 1 : 2);
        EXPECT_EQ(full.by_class[1][1].zero_weight, 1);
    }
}

TEST(ObserveEntries, AnEntryThatIsNoFlagIsRefusedByItsColumn) {
    const Schema schema{{{"p"}, {"q"}}, {"a"}};
    const std::vector<std::int64_t> start = {0, 1};
    const std::vector<std::uint32_t> column = {1};
    const std::vector<double> value = {2};
    const std::vector<std::int32_t> labels = {0};
    FamilyPart<Bernoulli> part(schema, {0, 1});
    Workspace workspace;
    part.observe(SparseBlock{start, column, value, 2}, {1, labels, {}}, workspace);
    ASSERT_FALSE(part.refuses(schema));
    EXPECT_EQ(part.refuses(schema).error().column, "q");
}

}  // namespace
}  // namespace suffice
