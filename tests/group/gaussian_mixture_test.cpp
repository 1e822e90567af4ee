// Mixtures against scikit-learn from the same start, against published maxima, and against the laws of EM.
#include "suffice/group/gaussian_mixture.hpp"

#include <cmath>

#include "group/mixture_golden.hpp"
#include "model/real_data.hpp"
#include <gtest/gtest.h>

#include "suffice/math/sampling.hpp"

namespace suffice {
namespace {

using enum ComponentShape;

struct NamedShape {
    ComponentShape shape;
    const char* name;
};
constexpr NamedShape named_shapes[] = {{full, "full"}, {tied, "tied"}, {diagonal, "diag"}, {spherical, "spherical"}};

void expect_near(const std::vector<double>& ours, const std::vector<double>& theirs, double allowed, const char* what) {
    ASSERT_EQ(ours.size(), theirs.size()) << what;
    for (std::size_t at = 0; at < ours.size(); ++at)
        EXPECT_NEAR(ours[at], theirs[at], allowed * (1 + std::abs(theirs[at]))) << what << " at " << at;
}

// Three clouds of unequal shape, a tenth of the values missing where asked for.
struct Clouds {
    std::vector<double> values;
    std::vector<double> weights;
    Schema schema;
    explicit Clouds(std::uint64_t seed, double missing = 0, std::size_t rows = 600) {
        Rng rng(seed, "clouds");
        for (std::size_t row = 0; row < rows; ++row) {
            const std::size_t side = rng.below(3);
            const double a = sample_normal(rng), b = sample_normal(rng), c = sample_normal(rng);
            const double x[] = {a + 5.0 * (side == 1), 2 * b + a - 7.0 * (side == 2), c * (side == 0 ? 0.3 : 1) + b};
            for (double v : x) values.push_back(rng.uniform() < missing ? std::nan("") : v);
            weights.push_back(0.25 + rng.uniform());
        }
        schema.columns = {{"a"}, {"b"}, {"c"}};
    }
    LabeledBlock block(bool weighted = false) const {
        return {DenseBlock{values.data(), Element::f64, values.size() / 3, 3, 3, 1},
                {},
                weighted ? std::span<const double>(weights) : std::span<const double>{},
                0};
    }
    MixtureFit fit(GaussianMixtureSettings settings, const Context& context = {}, bool weighted = false) const {
        MemoryStream stream(block(weighted), schema);
        return fit_gaussian_mixture(stream, schema, settings, context).value();
    }
};

TEST(GaussianMixture, FromTheSameStartHasTheParametersOfScikitLearn) {
    const auto golden = testing_rows::mixture_rows();
    auto answers = testing_rows::mixture_answers();
    const std::size_t n = golden.rows.row_count;
    std::vector<double> mean(4), covariance(16);
    for (std::size_t row = 0; row < n; ++row)
        for (std::size_t i = 0; i < 4; ++i) mean[i] += golden.rows(row, i) / static_cast<double>(n);
    for (std::size_t row = 0; row < n; ++row)
        for (std::size_t at = 0; at < 16; ++at)
            covariance[at] += (golden.rows(row, at / 4) - mean[at / 4]) * (golden.rows(row, at % 4) - mean[at % 4]) /
                              static_cast<double>(n);
    for (const auto& [shape, name] : named_shapes) {
        GaussianComponents start{{0.5, 0.3, 0.2}, Matrix(3, 4), {covariance, covariance, covariance}};
        const std::size_t rows[] = {10, 70, 120};
        for (std::size_t c = 0; c < 3; ++c) std::ranges::copy(golden.rows.row(rows[c]), start.mean.row(c).begin());
        const GaussianMixtureSettings settings{3, shape, 1e-6, {.step_limit = 40, .tolerance = 0}};
        MemoryStream stream(golden.block(), golden.schema);
        const auto first = gaussian_mixture_of(golden.schema, start, settings).value();
        const auto done = continue_mixture(first, stream, settings.steps).value();
        const auto found = components_of(done.model).value();
        const std::string key = name;
        expect_near(found.weight, answers[key + " weights"], 1e-6, name);
        expect_near(found.mean.values, answers[key + " means"], 1e-6, name);
        std::vector<double> covariances;
        for (const auto& each : found.covariance) covariances.insert(covariances.end(), each.begin(), each.end());
        expect_near(covariances, answers[key + " covariances"], 1e-6, name);
        expect_near(log_densities(done.model, golden.block().rows).value(), answers[key + " log_density"], 1e-6, name);
        expect_near({done.bic(), done.aic()}, answers[key + " bic"], 1e-8, name);
    }
}

// mclust stops at -1130.2641 and -1126.3262; the maxima, which scikit-learn reaches with a tolerance of 1e-9, lie a
// little higher.
TEST(GaussianMixture, ReachesThePublishedMaximaOnOldFaithful) {
    SUFFICE_NEEDS_DATA("faithful/faithful.csv");
    const RealTable table = read_real(data_folder() / "faithful/faithful.csv", {});
    const auto fit = [&](std::size_t components, ComponentShape shape) {
        LabeledBlock rows = table.block();
        rows.label = {};
        MemoryStream stream(rows, table.schema);
        return fit_gaussian_mixture(stream, table.schema, {components, shape, 0.0, {.tolerance = 1e-10}}).value();
    };
    const auto two = fit(2, full), three = fit(3, tied);
    EXPECT_NEAR(two.log_likelihood, -1130.26396, 1e-4);
    EXPECT_NEAR(three.log_likelihood, -1126.31593, 1e-4);
    EXPECT_EQ(two.model.parameter_count(), 11u);
    EXPECT_EQ(three.model.parameter_count(), 11u);
    EXPECT_NEAR(-three.bic(), 2 * -1126.31593 - 11 * std::log(272.0), 1e-3);
}

TEST(GaussianMixture, NeverLowersTheLikelihoodWhateverTheShapeStartWeightsOrHoles) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed)
        for (const auto& [shape, name] : named_shapes)
            for (const auto start : {MixtureStart::k_means, MixtureStart::k_means_plus_plus, MixtureStart::random_rows,
                                     MixtureStart::random_shares}) {
                Context context;
                context.seed = seed;
                const bool holes = seed == 2;
                const Clouds clouds(seed, holes ? 0.1 : 0, holes ? 120 : 600);
                const auto done = clouds.fit({3, shape, 0.0, {start, 1, 15, 1e-7}}, context, seed == 3);
                for (std::size_t step = 1; step < done.path.size(); ++step)
                    EXPECT_GE(done.path[step], done.path[step - 1] - 1e-9 * std::abs(done.path[step]))
                        << name << " seed " << seed << " step " << step;
                EXPECT_GE(done.log_likelihood, done.path.back() - 1e-9 * std::abs(done.log_likelihood));
            }
}

TEST(GaussianMixture, HasTheSameBitsForAnyNumberOfThreads) {
    const Clouds clouds(5, 0, 40'000);
    for (const auto& [shape, name] : named_shapes) {
        std::vector<double> answers;
        for (unsigned threads : {1u, 2u, 5u}) {
            Context context;
            context.thread_count = threads;
            answers.push_back(clouds.fit({3, shape, {}, {.step_limit = 3}}, context).log_likelihood);
        }
        EXPECT_EQ(answers[0], answers[1]) << name;
        EXPECT_EQ(answers[0], answers[2]) << name;
    }
}

TEST(GaussianMixture, TakesAWeightOfTwoForTwoRows) {
    Clouds once(9, 0, 200);
    Clouds twice = once;
    for (std::size_t row = 0; row < 200; ++row) {
        once.weights[row] = row % 2 == 0 ? 2 : 1;
        if (row % 2 == 0)
            for (std::size_t j = 0; j < 3; ++j) twice.values.push_back(once.values[row * 3 + j]);
    }
    GaussianMixtureSettings settings{2, full, 1e-6, {.step_limit = 2000, .tolerance = 1e-12}};
    const auto weighted = once.fit(settings, {}, true), repeated = twice.fit(settings);
    EXPECT_NEAR(weighted.log_likelihood, repeated.log_likelihood, 1e-4);
    EXPECT_NEAR(weighted.bic(), repeated.bic(), 1e-3);
}

TEST(GaussianMixture, IsChosenByBicAmongNumbersAndShapes) {
    const Clouds clouds(4);
    MemoryStream stream(clouds.block(), clouds.schema);
    const std::size_t counts[] = {1, 2, 3, 4};
    const ComponentShape shapes[] = {full, diagonal, spherical, tied};
    const auto choice = choose_gaussian_mixture(stream, clouds.schema, counts, shapes, {}).value();
    EXPECT_EQ(choice.candidates.size(), 15u);  // one component is full and tied at once
    EXPECT_EQ(choice.best.model.class_count(), 3u);
    for (const auto& each : choice.candidates) EXPECT_GE(each.bic, choice.best.bic());
    EXPECT_GE(choice.best.icl(), choice.best.bic());
}

TEST(GaussianMixture, ByHardSharesRaisesTheClassificationLikelihoodAndEndsAtMomentsOfItsRows) {
    const Clouds clouds(4);
    for (const auto& [shape, name] : named_shapes) {
        SCOPED_TRACE(name);
        GaussianMixtureSettings settings{3, shape};
        settings.added_variance = 0;
        settings.steps.hard = true;
        settings.steps.tolerance = 0;
        const auto fit = clouds.fit(settings);
        for (std::size_t step = 1; step < fit.path.size(); ++step)
            EXPECT_GE(fit.path[step], fit.path[step - 1] - 1e-9 * std::abs(fit.path[step]));
        const auto best = fit.model.predict(clouds.block().rows).value();
        const auto found = components_of(fit.model).value();
        std::vector<double> weight(3), mean(9);
        for (std::size_t row = 0; row < best.size(); ++row) {
            const auto c = static_cast<std::size_t>(best[row]);
            weight[c] += 1;
            for (std::size_t j = 0; j < 3; ++j) mean[3 * c + j] += clouds.values[3 * row + j];
        }
        for (std::size_t c = 0; c < 3; ++c) {
            EXPECT_NEAR(found.weight[c], weight[c] / 600, 1e-12);
            for (std::size_t j = 0; j < 3; ++j) EXPECT_NEAR(found.mean(c, j), mean[3 * c + j] / weight[c], 1e-10);
        }
    }
}

TEST(GaussianMixture, UnderANormalWishartPriorDoesNotCollapse) {
    // Two equal rows far from the rest would get a component of their own and no variance.
    std::vector<double> values;
    Rng rng(3, "collapse");
    for (std::size_t row = 0; row < 60; ++row) values.push_back(sample_normal(rng));
    values.insert(values.end(), {50.0, 50.0});
    Schema schema;
    schema.columns = {{"x"}};
    MemoryStream stream({DenseBlock{values.data(), Element::f64, values.size(), 1, 1, 1}, {}, {}, 0}, schema);
    GaussianMixtureSettings settings{2, full};
    settings.added_variance = 0;
    settings.prior = GaussianPrior{false, {0.0}, 0.01, 3, {2.0}};
    const auto fit = fit_gaussian_mixture(stream, schema, settings).value();
    const auto found = components_of(fit.model).value();
    const std::size_t own = found.mean(0, 0) > 25 ? 0 : 1;
    // Mode over mean and precision: density ~ |P|^((degrees + n - d) / 2) exp(-tr(P S) / 2), so S / (degrees + n - d).
    const double shift = 0.01 * 2 / 2.01 * 50 * 50;
    EXPECT_NEAR(found.covariance[own][0], (2.0 + shift) / (3 + 2 - 1), 1e-6);
    EXPECT_NEAR(found.mean(own, 0), 2 * 50 / 2.01, 1e-6);
    settings.shape = diagonal;  // of one column the same
    const auto by_column = components_of(fit_gaussian_mixture(stream, schema, settings).value().model).value();
    const std::size_t alone = by_column.mean(0, 0) > 25 ? 0 : 1;
    EXPECT_NEAR(by_column.covariance[alone][0], (2.0 + shift) / (3 + 2 - 1), 1e-6);
}

// One component, so EM is one step: the mode over mean and precision of the Normal-Wishart posterior is S_n / (degrees
// + n - d); of a precision without anything off the diagonal it is that of each column, of a sphere their mean.
TEST(GaussianMixture, WithOneComponentIsTheModeOfTheNormalWishartPosterior) {
    const std::vector<double> values{1, 2, 3, 1, 0, 4, 2, 2};  // means 1.5, 2.25; scatter 5, 4.75 and -4.5
    Schema schema;
    schema.columns = {{"x"}, {"y"}};
    MemoryStream stream({DenseBlock{values.data(), Element::f64, 4, 2, 2, 1}, {}, {}, 0}, schema);
    const double way[] = {1.5 - 1, 2.25 + 1}, pull = 2.0 * 4 / 6, divisor = 5 + 4 - 2;
    const double mode[] = {(3 + 5 + pull * way[0] * way[0]) / divisor, (0.5 - 4.5 + pull * way[0] * way[1]) / divisor,
                           (2 + 4.75 + pull * way[1] * way[1]) / divisor};
    for (const ComponentShape shape : {full, tied, diagonal, spherical}) {
        GaussianMixtureSettings settings{1, shape};
        settings.added_variance = 0;
        settings.prior = GaussianPrior{false, {1.0, -1.0}, 2, 5, {3.0, 0.5, 0.5, 2.0}};
        const auto found = components_of(fit_gaussian_mixture(stream, schema, settings).value().model).value();
        EXPECT_NEAR(found.mean(0, 0), (2 * 1 + 4 * 1.5) / 6, 1e-12);
        EXPECT_NEAR(found.mean(0, 1), (2 * -1 + 4 * 2.25) / 6, 1e-12);
        const bool sphere = shape == spherical, square = shape == full || shape == tied;
        EXPECT_NEAR(found.covariance[0][0], sphere ? (mode[0] + mode[2]) / 2 : mode[0], 1e-8);
        EXPECT_NEAR(found.covariance[0][1], square ? mode[1] : 0, 1e-8);
        EXPECT_NEAR(found.covariance[0][3], sphere ? (mode[0] + mode[2]) / 2 : mode[2], 1e-8);
    }
    GaussianMixtureSettings wrong{1, diagonal};
    wrong.prior = GaussianPrior{false, {1.0}, 2, 5, {3.0}};
    EXPECT_FALSE(fit_gaussian_mixture(stream, schema, wrong));
}

// Mclust(faithful, 2, "VVV", prior = priorControl()) of R's mclust 6, run to a tolerance of 1e-12.
TEST(GaussianMixture, FindsWhatMclustFindsUnderThePriorOfFraleyAndRaftery) {
    SUFFICE_NEEDS_DATA("faithful/faithful.csv");
    const RealTable table = read_real(data_folder() / "faithful/faithful.csv", {});
    LabeledBlock rows = table.block();
    rows.label = {};
    MemoryStream stream(rows, table.schema);
    GaussianMixtureSettings settings{2, full, 0.0, {.tolerance = 1e-12}};
    settings.default_prior = true;
    const auto fit = fit_gaussian_mixture(stream, table.schema, settings).value();
    EXPECT_NEAR(fit.log_likelihood, -1130.50926367, 1e-5);
    const auto found = components_of(fit.model).value();
    const std::size_t late = found.mean(0, 0) > found.mean(1, 0) ? 0 : 1;
    EXPECT_NEAR(found.mean(late, 0), 4.290051858, 1e-6);
    EXPECT_NEAR(found.mean(1 - late, 1), 54.485265031, 1e-4);
    EXPECT_NEAR(found.covariance[late][0], 0.165608532, 1e-6);
    EXPECT_NEAR(found.covariance[1 - late][3], 32.06048443, 1e-3);
}

TEST(GaussianMixture, SamplesWhatItWasFittedTo) {
    const auto done = Clouds(6).fit({3});
    Rng rng(1, "sample");
    const auto drawn = sample_mixture(done.model, 20'000, rng);
    const auto components = components_of(done.model).value();
    std::vector<double> count(3), mean(9);
    for (std::size_t row = 0; row < drawn.component.size(); ++row) {
        const auto c = static_cast<std::size_t>(drawn.component[row]);
        ++count[c];
        for (std::size_t j = 0; j < 3; ++j) mean[c * 3 + j] += drawn.rows(row, j);
    }
    for (std::size_t c = 0; c < 3; ++c) {
        EXPECT_NEAR(count[c] / 20'000, components.weight[c], 0.015);
        for (std::size_t j = 0; j < 3; ++j) EXPECT_NEAR(mean[c * 3 + j] / count[c], components.mean(c, j), 0.12);
    }
}

TEST(GaussianMixture, RefusesWhatCannotBeFitted) {
    const Clouds clouds(7, 0, 4);
    MemoryStream stream(clouds.block(), clouds.schema);
    EXPECT_EQ(fit_gaussian_mixture(stream, clouds.schema, {9}).error().message,
              "there are 4 rows, too few for 9 components");
    EXPECT_EQ(fit_gaussian_mixture(stream, clouds.schema, {0}).error().kind, ErrorKind::usage);
    EXPECT_EQ(fit_gaussian_mixture(stream, clouds.schema, {1, full, -1.0}).error().kind, ErrorKind::usage);
    EXPECT_EQ(fit_gaussian_mixture(stream, clouds.schema, {1, full, {}, {.tolerance = -1}}).error().kind,
              ErrorKind::usage);
    Clouds infinite = clouds;
    infinite.values[4] = std::numeric_limits<double>::infinity();
    MemoryStream bad(infinite.block(), infinite.schema);
    const auto refused = fit_gaussian_mixture(bad, infinite.schema, {1});
    EXPECT_EQ(refused.error().row, 2u);
    EXPECT_EQ(refused.error().column, "b");
    Schema one;
    one.columns = {{"x"}};
    const GaussianComponents alike{{0.4, 0.6}, Matrix(2, 1), {{1.0}, {1.0}}};  // a fixed point of EM
    EXPECT_EQ(gaussian_mixture_of(one, alike, {2, full}).error().message.find("all components are alike"), 0u);
}

TEST(GaussianMixture, FitsConstantRowsWithoutFailing) {
    Clouds constant(8, 0, 50);
    for (std::size_t at = 0; at < constant.values.size(); ++at) constant.values[at] = 3;
    for (const auto& [shape, name] : named_shapes) {
        const auto done = constant.fit({1, shape});
        EXPECT_TRUE(std::isfinite(done.log_likelihood)) << name;
    }
}

// Two kinds of rows: rates 2 and 9 of a count, and a category that goes with it.
TEST(Mixture, OfCountsAndCategoriesIsTheSameLearner) {
    Rng rng(3, "families");
    std::vector<double> values;
    for (int row = 0; row < 3000; ++row) {
        const bool many = rng.uniform() < 0.3;
        values.push_back(sample_poisson(many ? 9 : 2, rng));
        values.push_back(rng.uniform() < (many ? 0.9 : 0.2) ? 1 : 0);
    }
    Schema schema;
    schema.columns = {{"count"}, {"kind", ColumnKind::category, {"plain", "fancy"}}};
    const Recipe recipe{.model = "naive_bayes", .families = {{"count", "poisson"}}};
    MemoryStream stream({DenseBlock{values.data(), Element::f64, 3000, 2, 2, 1}, {}, {}, 0}, schema);
    const auto done = fit_mixture(mixture_recipe(recipe, schema, 2).value(), stream, {}).value();
    for (std::size_t step = 1; step < done.path.size(); ++step) EXPECT_GE(done.path[step], done.path[step - 1] - 1e-7);
    const double share = std::exp(done.model.log_prior()[0]);
    EXPECT_NEAR(std::min(share, 1 - share), 0.3, 0.04);
    EXPECT_EQ(done.model.parameter_count(), 5u);
}

}  // namespace
}  // namespace suffice
