// Classes whose densities are made from their points: against scikit-learn and NumPy, and the laws of a statistic.
#include <cmath>
#include <limits>

#include "labeled_table.hpp"
#include <gtest/gtest.h>

#include "suffice/base/limits.hpp"
#include "suffice/density/histogram.hpp"
#include "suffice/model/algebra.hpp"
#include "suffice/model/recipe.hpp"
#include "suffice/part/points_part.hpp"

namespace suffice {
namespace {

using testing_rows::csv_lines;
using testing_rows::fit_table;
using testing_rows::LabeledTable;
using testing_rows::log_joints;

LabeledTable iris_table() {
    LabeledTable table;
    for (int k = 0; k < 4; ++k) table.schema.columns.push_back({"x" + std::to_string(k)});
    table.schema.classes = {"setosa", "versicolor", "virginica"};
    for (const auto& line : csv_lines(SUFFICE_SOURCE_DIR "/data/iris.csv")) {
        for (std::size_t k = 0; k < 4; ++k) table.values.push_back(std::stod(line[k]));
        const auto found = std::ranges::find(table.schema.classes, line[4]);
        table.labels.push_back(static_cast<std::int32_t>(found - table.schema.classes.begin()));
    }
    return table;
}

// Every 25th flower, each length a little longer.
LabeledTable queries() {
    const LabeledTable all = iris_table();
    LabeledTable some{{}, {}, {}, all.schema};
    for (std::size_t row = 0; row < all.labels.size(); row += 25) {
        for (std::size_t k = 0; k < 4; ++k) some.values.push_back(all.values[row * 4 + k] + 0.05);
        some.labels.push_back(all.labels[row]);
    }
    return some;
}

Recipe kernels(KernelShape kernel) {
    Recipe recipe{.model = "kernel_density"};
    recipe.settings.points.kernel = kernel;
    recipe.settings.points.bandwidth = 0.9;
    return recipe;
}

// sklearn.neighbors.KernelDensity(bandwidth=0.9).fit(class).score_samples(queries) + log(1/3), scikit-learn 1.9.1.
TEST(Points, KernelDensitiesOfTheClassesAreThoseOfScikitLearn) {
    const struct {
        KernelShape kernel;
        std::vector<double> log_joint;
    } known[] = {
        {KernelShape::gaussian,
         {-4.540382234503823, -9.481506865985695, -15.124564064012718, -4.618041335523543, -8.542577977230069,
          -14.000161110571549, -14.03946269394257, -5.3265101063298035, -5.4658349011150245, -12.226413919633611,
          -4.916984239127483, -5.48594951158764, -21.052520872482642, -7.060798703049108, -5.161105632766476,
          -21.22589233364324, -6.888354703679038, -5.119703949855572}},
        {KernelShape::epanechnikov,
         {-1.6327992061514556, -infinity, -infinity, -1.8499110240312298, -infinity, -infinity, -infinity,
          -3.1714244103816176, -7.401901146928295, -infinity, -2.4837467056262073, -4.7808623228157145, -infinity,
          -infinity, -3.3201353669130578, -infinity, -infinity, -3.16417800186085}},
        {KernelShape::exponential,
         {-5.975397697596731, -8.91932050463323, -10.523185135396865, -6.105744166114953, -8.61364438295103,
          -10.300980096666784, -9.954956231877482, -6.756493505654884, -6.939062912002448, -9.49705249242284,
          -6.389963559880331, -6.950358598981262, -11.347720849266755, -7.892547979557061, -6.653164320166327,
          -11.393679674496076, -7.846674200765173, -6.612580271780575}},
    };
    const LabeledTable table = iris_table(), asked = queries();
    for (const auto& [kernel, expected] : known) {
        const Matrix joint = log_joints(fit_table(table, kernels(kernel)).value(), asked.rows());
        for (std::size_t i = 0; i < expected.size(); ++i)
            if (std::isinf(expected[i]))
                EXPECT_LT(joint.values[i], -700) << "zero is kept as the smallest normal double";
            else
                EXPECT_NEAR(joint.values[i], expected[i], 1e-12 * (1 + std::abs(expected[i])));
    }
}

TEST(Points, TheNearestVoteAsTheyAreMany) {
    const LabeledTable table = iris_table();
    Recipe recipe{.model = "nearest"};
    recipe.settings.points.neighbors = 11;
    recipe.settings.units = Units::raw;
    const Classifier model = fit_table(table, recipe).value();
    const Matrix posterior = model.posteriors(table.rows()).value();
    for (std::size_t row = 0; row < posterior.row_count; ++row) {
        std::vector<std::pair<double, std::size_t>> reached;
        for (std::size_t other = 0; other < table.labels.size(); ++other) {
            double square = 0;
            for (std::size_t k = 0; k < 4; ++k) {
                const double way = table.values[row * 4 + k] - table.values[other * 4 + k];
                square += way * way;
            }
            reached.emplace_back(square, other);
        }
        std::ranges::sort(reached);
        std::vector<double> share(3);
        for (std::size_t at = 0; at < 11; ++at)
            share[static_cast<std::size_t>(table.labels[reached[at].second])] += 1.0 / 11;
        for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(posterior(row, c), share[c], 1e-12) << row;
    }
}

// numpy.histogram_bin_edges(x, "fd"), NumPy 2.
TEST(Points, BinsAreThoseOfFreedmanAndDiaconis) {
    const LabeledTable table = iris_table();
    const std::size_t bins[] = {8, 13, 5, 5};
    const double second[] = {4.75, 2.184615384615385, 2.18, 0.58};
    for (std::size_t k = 0; k < 4; ++k) {
        std::vector<double> values;
        for (std::size_t row = 0; row < table.labels.size(); ++row) values.push_back(table.values[row * 4 + k]);
        const auto edges = histogram_edges(values, std::vector<double>(values.size(), 1.0), 0);
        EXPECT_EQ(edges.size() - 1, bins[k]) << k;
        EXPECT_NEAR(edges[1], second[k], 1e-12) << k;
        EXPECT_EQ(bin_of(edges, edges.back()), static_cast<std::ptrdiff_t>(bins[k]) - 1);
        EXPECT_EQ(bin_of(edges, edges.back() + 1), -1);
    }
}

TEST(Points, EveryDensityOfOneColumnIntegratesToOne) {
    LabeledTable table = iris_table();
    table.schema.columns.resize(1);
    std::vector<double> first;
    for (std::size_t row = 0; row < table.labels.size(); ++row) first.push_back(table.values[row * 4]);
    table.values = first;
    for (const char* model : {"kernel_density", "kernel_nb", "histogram_nb"}) {
        const Classifier fitted = fit_table(table, {.model = model, .settings = {.smoothing = 0.5}}).value();
        LabeledTable grid{{}, {}, {}, table.schema};
        const double step = 1e-3;
        for (double x = 0.0005; x < 14; x += step) {
            grid.values.push_back(x);
            grid.labels.push_back(-1);
        }
        const Matrix joint = log_joints(fitted, grid.rows());
        for (std::size_t c = 0; c < 3; ++c) {
            double sum = 0;
            const bool bins = std::string_view(model) == "histogram_nb";  // outside its range a level never seen
            for (std::size_t row = 0; row < joint.row_count; ++row)
                if (!bins || (grid.values[row] > 4.3 && grid.values[row] < 7.9))
                    sum += step * std::exp(joint(row, c) - fitted.log_prior()[c]);
            EXPECT_NEAR(sum, 1, 2e-3) << model;
        }
    }
}

TEST(Points, PiecesMergedAreTheWholeAndRowsCanBeTakenOut) {
    const LabeledTable table = iris_table(), asked = queries();
    LabeledTable left{{}, {}, {}, table.schema}, right = left;
    for (std::size_t row = 0; row < table.labels.size(); ++row) {
        LabeledTable& into = row % 3 == 0 ? left : right;
        into.values.insert(into.values.end(), table.values.begin() + static_cast<std::ptrdiff_t>(row * 4),
                           table.values.begin() + static_cast<std::ptrdiff_t>(row * 4 + 4));
        into.labels.push_back(table.labels[row]);
    }
    for (const char* model : {"kernel_density", "kernel_nb", "histogram_nb", "nearest"}) {
        const Classifier whole = fit_table(table, {.model = model}).value();
        const Classifier one = fit_table(left, {.model = model}).value(),
                         two = fit_table(right, {.model = model}).value();
        const auto both = merge(one, two).value();
        const auto rest = subtract(whole, two).value();
        const Matrix expected = whole.posteriors(asked.rows()).value(), merged = both.posteriors(asked.rows()).value();
        const Matrix alone = one.posteriors(asked.rows()).value(), removed = rest.posteriors(asked.rows()).value();
        for (std::size_t i = 0; i < expected.values.size(); ++i) {
            EXPECT_NEAR(merged.values[i], expected.values[i], 1e-12) << model;
            EXPECT_NEAR(removed.values[i], alone.values[i], 1e-12) << model;
        }
        EXPECT_FALSE(subtract(one, two)) << "rows that are not there cannot be taken out";
        EXPECT_FALSE(decay(whole, 0.5)) << model;
    }
}

TEST(Points, ContributionsAndInterceptSumToTheLogJoint) {
    const LabeledTable table = iris_table(), asked = queries();
    for (const char* model : {"kernel_density", "kernel_nb", "histogram_nb", "nearest"}) {
        const Classifier fitted = fit_table(table, {.model = model}).value();
        const Matrix joint = log_joints(fitted, asked.rows());
        for (std::size_t row = 0; row < asked.labels.size(); ++row) {
            const Explanation told = fitted.explain(asked.rows(), row).value();
            for (std::size_t c = 0; c < 3; ++c) {
                double sum = told.intercept[c];
                for (const auto& term : told.terms) sum += term.by_class[c];
                EXPECT_NEAR(sum, joint(row, c), 1e-9 * (1 + std::abs(joint(row, c)))) << model;
            }
        }
    }
}

TEST(Points, AMissingValueIsIntegratedOut) {
    const LabeledTable table = iris_table();
    LabeledTable asked = queries();
    for (std::size_t row = 0; row < asked.labels.size(); ++row) asked.values[row * 4 + 3] = std::nan("");
    LabeledTable three{{}, table.labels, {}, table.schema}, less{{}, asked.labels, {}, table.schema};
    three.schema.columns.resize(3);
    less.schema.columns.resize(3);
    for (std::size_t row = 0; row < table.labels.size(); ++row)
        for (std::size_t k = 0; k < 3; ++k) three.values.push_back(table.values[row * 4 + k]);
    for (std::size_t row = 0; row < asked.labels.size(); ++row)
        for (std::size_t k = 0; k < 3; ++k) less.values.push_back(asked.values[row * 4 + k]);
    const Matrix hole = log_joints(fit_table(table, kernels(KernelShape::gaussian)).value(), asked.rows());
    const Matrix without = log_joints(fit_table(three, kernels(KernelShape::gaussian)).value(), less.rows());
    for (std::size_t i = 0; i < hole.values.size(); ++i)
        EXPECT_NEAR(hole.values[i], without.values[i], 1e-10 * (1 + std::abs(without.values[i])));
}

TEST(Points, AClassWithoutSpreadTakesTheBandwidthOfAllRowsAndSaysSo) {
    LabeledTable table;
    table.name_numbers(1, 2);
    table.values = {1, 2, 3, 4, 9};
    table.labels = {0, 0, 0, 0, 1};
    const Classifier model = fit_table(table, {.model = "kernel_density"}).value();
    ASSERT_EQ(model.notes().size(), 1u);
    EXPECT_NE(model.notes()[0].sentence.find("c1"), std::string::npos);
    EXPECT_EQ(model.predict(table.rows()).value(), table.labels);
    EXPECT_FALSE(fit_table(table, {.model = "nearest", .settings = {.points = {.neighbors = 6}}}));
}

}  // namespace
}  // namespace suffice
