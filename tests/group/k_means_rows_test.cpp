// k-means with bounds against plain Lloyd steps, and its starts.
#include "suffice/group/k_means_rows.hpp"

#include <cmath>
#include <limits>
#include <random>

#include <gtest/gtest.h>

namespace suffice {
namespace {

struct RowPoints {
    std::size_t n, d;
    std::vector<double> values, weight;

    RowPoints(std::size_t rows, std::size_t columns, std::uint64_t seed) : n(rows), d(columns) {
        std::mt19937_64 random(seed);
        std::normal_distribution<double> normal;
        for (std::size_t at = 0; at < n * d; ++at)
            values.push_back(normal(random) + 4 * static_cast<double>(at / d % 5) + 100);
        for (std::size_t row = 0; row < n; ++row) weight.push_back(static_cast<double>(row % 4));
    }
    const double* row(std::size_t number) const { return values.data() + number * d; }
    LabeledBlock block(bool weighted) const {
        return {DenseBlock{values.data(), Element::f64, n, d, static_cast<std::ptrdiff_t>(d), 1},
                {},
                weighted ? std::span<const double>(weight) : std::span<const double>{},
                0};
    }
    Matrix first(std::size_t count) const {
        Matrix made(count, d);
        made.values.assign(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(count * d));
        return made;
    }
};

double square(const RowPoints& points, std::size_t row, const Matrix& centres, std::size_t c) {
    double sum = 0;
    for (std::size_t j = 0; j < points.d; ++j) sum += std::pow(points.row(row)[j] - centres(c, j), 2);
    return sum;
}

struct Plain {
    Matrix centres;
    std::vector<std::int32_t> nearest;
    std::size_t steps = 0;
};

// As the textbook says, until no row changes its centre.
Plain plain_lloyd(const RowPoints& points, bool weighted, Matrix centres) {
    Plain done{centres, std::vector<std::int32_t>(points.n, -1)};
    for (bool changed = true; changed; ++done.steps) {
        changed = false;
        Matrix sum(centres.row_count, points.d);
        std::vector<double> total(centres.row_count);
        for (std::size_t row = 0; row < points.n; ++row) {
            std::size_t best = 0;
            for (std::size_t c = 1; c < centres.row_count; ++c)
                if (square(points, row, done.centres, c) < square(points, row, done.centres, best)) best = c;
            changed = changed || done.nearest[row] != static_cast<std::int32_t>(best);
            done.nearest[row] = static_cast<std::int32_t>(best);
            const double w = weighted ? points.weight[row] : 1;
            total[best] += w;
            for (std::size_t j = 0; j < points.d; ++j) sum(best, j) += w * points.row(row)[j];
        }
        for (std::size_t c = 0; c < centres.row_count; ++c)
            for (std::size_t j = 0; j < points.d; ++j) done.centres(c, j) = sum(c, j) / total[c];
    }
    return done;
}

TEST(KMeansRows, TakesTheStepsOfPlainLloyd) {
    for (const bool weighted : {false, true})
        for (const std::size_t k : {1, 2, 6, 40}) {
            const RowPoints points(900, 3, k);
            const auto rows = KMeansRows::from(points.block(weighted), {}).value();
            const auto found = rows.run(points.first(k), {500, -1, true}, {}).value();
            const auto expected = plain_lloyd(points, weighted, points.first(k));
            EXPECT_EQ(found.nearest, expected.nearest);
            EXPECT_EQ(found.steps, expected.steps);
            EXPECT_TRUE(found.unchanged);
            double inertia = 0;
            for (std::size_t row = 0; row < points.n; ++row)
                inertia += (weighted ? points.weight[row] : 1) *
                           square(points, row, expected.centres, static_cast<std::size_t>(expected.nearest[row]));
            EXPECT_NEAR(found.inertia, inertia, 1e-10 * inertia);
            for (std::size_t at = 0; at < k * 3; ++at)
                EXPECT_NEAR(found.centres.values[at], expected.centres.values[at], 1e-10);
            for (std::size_t step = 1; step < found.path.size(); ++step)
                EXPECT_LE(found.path[step], found.path[step - 1] * (1 + 1e-12));
        }
}

TEST(KMeansRows, MovesAnEmptyCentreToTheFarthestRow) {
    const std::vector<double> values{0, 0.1, 0.2, 10, 10.1, 30};
    const DenseBlock block{values.data(), Element::f64, 6, 1, 1, 1};
    const auto rows = KMeansRows::from({block, {}, {}, 0}, {}).value();
    Matrix start(3, 1);
    start.values = {0, 10, 1000};
    const auto found = rows.run(start, {100, 0, false}, {}).value();
    EXPECT_EQ(found.nearest, (std::vector<std::int32_t>{0, 0, 0, 1, 1, 2}));
    EXPECT_NEAR(found.centres(2, 0), 30, 1e-12);
}

TEST(KMeansRows, EndsWhereDistinctRowsAreFewerThanCentres) {
    const std::vector<double> values{1, 1, 1, 2, 2};
    const DenseBlock block{values.data(), Element::f64, 5, 1, 1, 1};
    const auto rows = KMeansRows::from({block, {}, {}, 0}, {}).value();
    Matrix start(4, 1);
    start.values = {1, 1, 2, 2};
    const auto found = rows.run(start, {50, 0, false}, {}).value();
    EXPECT_EQ(found.inertia, 0);
    const std::vector<double> uniform(9, 0.5);
    EXPECT_EQ(rows.spread(0, 4, uniform, {}).value().size(), 2u);
}

TEST(KMeansRows, SpreadsItsStartsOverSeparateGroups) {
    const RowPoints points(500, 2, 3);
    const auto rows = KMeansRows::from(points.block(false), {}).value();
    std::vector<double> uniform;
    for (std::size_t at = 0; at < 4 * 3; ++at) uniform.push_back(std::fmod(0.37 * static_cast<double>(at + 1), 1.0));
    const auto chosen = rows.spread(7, 5, uniform, {}).value();
    ASSERT_EQ(chosen.size(), 5u);
    std::vector<bool> group(5);
    for (const std::size_t row : chosen) group[row % 5] = true;
    EXPECT_EQ(group, std::vector<bool>(5, true));
}

TEST(KMeansRows, HasTheSameBitsForAnyNumberOfThreads) {
    const RowPoints points(40'000, 4, 11);
    std::vector<KMeansRun> found;
    for (const unsigned threads : {1u, 2u, 5u}) {
        Context context;
        context.thread_count = threads;
        const auto rows = KMeansRows::from(points.block(true), context).value();
        found.push_back(rows.run(points.first(12), {20, 0, false}, context).value());
    }
    for (const auto& other : found) {
        EXPECT_EQ(other.centres, found[0].centres);
        EXPECT_EQ(other.inertia, found[0].inertia);
    }
}

TEST(KMeansRows, RefusesWhatIsNoNumber) {
    const std::vector<double> values{1, std::numeric_limits<double>::quiet_NaN()};
    const DenseBlock block{values.data(), Element::f64, 2, 1, 1, 1};
    EXPECT_FALSE(KMeansRows::from({block, {}, {}, 0}, {}));
    const std::vector<double> good{1, 2};
    const DenseBlock fine{good.data(), Element::f64, 2, 1, 1, 1};
    const auto rows = KMeansRows::from({fine, {}, {}, 0}, {}).value();
    EXPECT_FALSE(rows.run(Matrix(1, 2), {}, {}));
    EXPECT_FALSE(rows.run(Matrix(1, 1), {0, 0, false}, {}));
    EXPECT_FALSE(rows.spread(5, 1, {}, {}));
}

}  // namespace
}  // namespace suffice
