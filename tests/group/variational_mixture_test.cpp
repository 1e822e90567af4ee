// The variational mixture against scikit-learn's from the same start, and against its own laws.
#include "suffice/group/variational_mixture.hpp"

#include <cmath>

#include "group/mixture_golden.hpp"
#include <gtest/gtest.h>

#include "suffice/group/k_means.hpp"

namespace suffice {
namespace {

struct Case {
    ComponentShape shape;
    WeightPrior weights;
    const char* name;
};
constexpr Case cases[] = {
    {ComponentShape::full, WeightPrior::dirichlet_process, "full dirichlet_process"},
    {ComponentShape::full, WeightPrior::dirichlet, "full dirichlet_distribution"},
    {ComponentShape::tied, WeightPrior::dirichlet_process, "tied dirichlet_process"},
    {ComponentShape::tied, WeightPrior::dirichlet, "tied dirichlet_distribution"},
    {ComponentShape::diagonal, WeightPrior::dirichlet_process, "diag dirichlet_process"},
    {ComponentShape::diagonal, WeightPrior::dirichlet, "diag dirichlet_distribution"},
    {ComponentShape::spherical, WeightPrior::dirichlet_process, "spherical dirichlet_process"},
    {ComponentShape::spherical, WeightPrior::dirichlet, "spherical dirichlet_distribution"},
};

void expect_near(const std::vector<double>& ours, const std::vector<double>& theirs, const std::string& what) {
    ASSERT_EQ(ours.size(), theirs.size()) << what;
    for (std::size_t at = 0; at < ours.size(); ++at)
        EXPECT_NEAR(ours[at], theirs[at], 1e-7 * (1 + std::abs(theirs[at]))) << what << " at " << at;
}

TEST(VariationalMixture, FromTheSameStartIsThatOfScikitLearn) {
    const auto golden = testing_rows::mixture_rows();
    std::map<std::string, std::vector<double>> answers;
    for (const auto& cells : testing_rows::csv_lines(SUFFICE_SOURCE_DIR "/tests/goldens/variational_values.csv"))
        for (std::size_t at = 2; at < cells.size(); ++at)
            answers[cells[0] + " " + cells[1]].push_back(std::strtod(cells[at].c_str(), nullptr));
    const std::size_t n = golden.rows.row_count;
    std::vector<std::int32_t> labels;
    for (std::size_t row = 0; row < n; ++row) labels.push_back(static_cast<std::int32_t>(row * 4 / n));
    for (const auto& [shape, weights, name] : cases) {
        SCOPED_TRACE(name);
        VariationalSettings settings;
        settings.components = 4;
        settings.shape = shape;
        settings.weights = weights;
        settings.tolerance = 0;
        settings.step_limit = 30;
        const auto found = fit_variational_mixture(golden.block(), labels, settings).value();
        const std::string of = std::string(name) + " ";
        expect_near(found.weight, answers[of + "weights"], "weights");
        expect_near(found.mean.values, answers[of + "means"], "means");
        expect_near(found.covariance, answers[of + "covariances"], "covariances");
        expect_near(found.degrees, answers[of + "degrees"], "degrees");
        expect_near(found.path, answers[of + "bounds"], "bounds");
        EXPECT_FALSE(found.settled);
        EXPECT_EQ(found.notes.size(), 1u);
    }
}

TEST(VariationalMixture, NeverLowersItsBound) {
    const auto golden = testing_rows::mixture_rows();
    for (const auto& [shape, weights, name] : cases) {
        SCOPED_TRACE(name);
        VariationalSettings settings;
        settings.components = 6;
        settings.shape = shape;
        settings.weights = weights;
        settings.added_variance = 0;
        settings.step_limit = 400;
        const auto found = fit_variational_mixture(golden.block(), settings).value();
        for (std::size_t step = 1; step < found.path.size(); ++step)
            EXPECT_GE(found.path[step], found.path[step - 1] - 1e-7 * std::abs(found.path[step]));
        double total = 0;
        for (const double w : found.weight) total += w;
        EXPECT_NEAR(total, 1, 1e-12);
    }
}

TEST(VariationalMixture, OfAStreamIsThatOfRowsInMemoryFromTheSameStart) {
    const auto golden = testing_rows::mixture_rows();
    Schema schema;
    for (std::size_t k = 0; k < column_count(golden.block().rows); ++k) schema.columns.push_back({std::to_string(k)});
    for (const ComponentShape shape :
         {ComponentShape::full, ComponentShape::tied, ComponentShape::diagonal, ComponentShape::spherical}) {
        VariationalSettings settings;
        settings.components = 3;
        settings.shape = shape;
        settings.step_limit = 1000;
        settings.tolerance = 1e-7;
        MemoryStream stream(golden.block(), schema);
        const auto ours = fit_variational_mixture(stream, schema, settings).value();
        const auto near = fit_k_means(stream, schema, {.centre_count = 3}).value();
        const auto labels = near.predict(golden.block()).value();
        const auto theirs = fit_variational_mixture(golden.block(), labels, settings).value();
        EXPECT_NEAR(ours.path.back(), theirs.path.back(), 1e-7);
        for (std::size_t at = 0; at < theirs.mean.values.size(); ++at)
            EXPECT_NEAR(ours.mean.values[at], theirs.mean.values[at], 1e-6);
        EXPECT_DOUBLE_EQ(ours.total_weight, static_cast<double>(golden.block().size()));
    }
    std::vector<double> holes{1, 2, std::nan(""), 4, 5, 6};
    schema.columns.resize(1);
    MemoryStream stream({DenseBlock{holes.data(), Element::f64, 6, 1, 1, 1}, {}, {}, 0}, schema);
    EXPECT_FALSE(fit_variational_mixture(stream, schema, {.components = 2}));
}

TEST(VariationalMixture, RefusesWhatItCannotFit) {
    const auto golden = testing_rows::mixture_rows();
    const auto refuses = [&](auto change) {
        VariationalSettings settings;
        settings.components = 2;
        change(settings);
        return !fit_variational_mixture(golden.block(), settings);
    };
    EXPECT_FALSE(refuses([](auto&) {}));
    EXPECT_TRUE(refuses([](auto& s) { s.components = 0; }));
    EXPECT_TRUE(refuses([](auto& s) { s.components = 100'000; }));
    EXPECT_TRUE(refuses([](auto& s) { s.degrees = 1; }));
    EXPECT_TRUE(refuses([](auto& s) { s.concentration = 0; }));
    EXPECT_TRUE(refuses([](auto& s) { s.mean_precision = -1; }));
    EXPECT_TRUE(refuses([](auto& s) { s.mean = {{1.0}}; }));
    EXPECT_TRUE(refuses([](auto& s) { s.covariance = {{1.0}}; }));
    EXPECT_TRUE(refuses([](auto& s) { s.tolerance = -1; }));
}

}  // namespace
}  // namespace suffice
