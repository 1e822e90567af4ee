// Clusters under other distances: centres are the minimisers they should be, and no step raises the cost.
#include "suffice/group/centre_clusters.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "suffice/math/sampling.hpp"

namespace suffice {
namespace {

using enum ClusterDistance;

Matrix clouds(std::size_t rows, std::uint64_t seed) {
    Rng rng(seed, "clouds");
    Matrix made(rows, 3);
    for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t j = 0; j < 3; ++j) made(row, j) = sample_normal(rng) + (row % 3 == j ? 12 : 0);
    return made;
}

double distance(ClusterDistance kind, std::span<const double> a, std::span<const double> b) {
    double dot = 0, aa = 0, bb = 0, sum = 0, square = 0, most = 0;
    for (std::size_t j = 0; j < a.size(); ++j) {
        dot += a[j] * b[j];
        aa += a[j] * a[j];
        bb += b[j] * b[j];
        sum += std::abs(a[j] - b[j]);
        square += (a[j] - b[j]) * (a[j] - b[j]);
        most = std::max(most, std::abs(a[j] - b[j]));
    }
    return kind == cosine      ? 1 - dot / std::sqrt(aa * bb)
           : kind == manhattan ? sum
           : kind == euclidean ? std::sqrt(square)
                               : most;
}

TEST(CentreClusters, FindSeparateCloudsAndNeverRaiseTheCost) {
    const Matrix rows = clouds(240, 1);
    for (const auto kind : {cosine, manhattan, euclidean, chebyshev}) {
        const auto found = fit_centre_clusters(rows, {}, {3, kind, 3, 100}).value();
        EXPECT_TRUE(found.settled);
        for (std::size_t step = 1; step < found.path.size(); ++step)
            EXPECT_LE(found.path[step], found.path[step - 1] * (1 + 1e-12));
        for (std::size_t row = 3; row < 240; ++row) EXPECT_EQ(found.nearest[row], found.nearest[row % 3]);
        EXPECT_NE(found.nearest[0], found.nearest[1]);
        double cost = 0;
        for (std::size_t row = 0; row < 240; ++row)
            cost += distance(kind, rows.row(row), found.centres.row(static_cast<std::size_t>(found.nearest[row])));
        EXPECT_NEAR(found.cost, cost, 1e-9 * cost);
        EXPECT_EQ(found.predict(rows).value(), found.nearest);
    }
}

TEST(CentreClusters, HaveCentresThatNoSmallMoveImproves) {
    const Matrix rows = clouds(90, 2);
    std::vector<double> weight;
    for (std::size_t row = 0; row < 90; ++row) weight.push_back(0.5 + static_cast<double>(row % 4));
    for (const auto kind : {cosine, manhattan}) {
        const auto found = fit_centre_clusters(rows, weight, {2, kind, 4, 100}).value();
        const auto cost_of = [&](std::size_t c, std::span<const double> centre) {
            double cost = 0;
            for (std::size_t row = 0; row < 90; ++row)
                if (static_cast<std::size_t>(found.nearest[row]) == c)
                    cost += weight[row] * distance(kind, rows.row(row), centre);
            return cost;
        };
        for (std::size_t c = 0; c < 2; ++c)
            for (std::size_t j = 0; j < 3; ++j)
                for (const double step : {-1e-3, 1e-3}) {
                    std::vector<double> moved(found.centres.row(c).begin(), found.centres.row(c).end());
                    moved[j] += step;
                    EXPECT_GE(cost_of(c, moved), cost_of(c, found.centres.row(c)) - 1e-10);
                }
    }
}

TEST(CentreClusters, HaveARowAsTheMiddleOfOtherDistances) {
    const Matrix rows = clouds(60, 5);
    const auto found = fit_centre_clusters(rows, {}, {3, chebyshev, 2, 100}).value();
    for (std::size_t c = 0; c < 3; ++c) {
        bool there = false;
        for (std::size_t row = 0; row < 60; ++row)
            there = there || std::ranges::equal(rows.row(row), found.centres.row(c));
        EXPECT_TRUE(there);
    }
}

TEST(CentreClusters, RefuseWhatHasNoDistance) {
    Matrix rows = clouds(10, 3);
    EXPECT_FALSE(fit_centre_clusters(rows, {}, {11, manhattan}));
    EXPECT_FALSE(fit_centre_clusters(rows, {}, {0, manhattan}));
    EXPECT_FALSE(fit_centre_clusters(Matrix(4, 2), {}, {2, cosine}));
    EXPECT_FALSE(fit_centre_clusters(Matrix(4, 2), {}, {2, manhattan}));  // four equal rows
    rows(3, 1) = std::nan("");
    EXPECT_FALSE(fit_centre_clusters(rows, {}, {2, manhattan}));
}

}  // namespace
}  // namespace suffice
