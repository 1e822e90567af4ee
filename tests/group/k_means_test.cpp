// k-means against known clusters, against a plain implementation of its own definition, and its invariants.
#include "suffice/group/k_means.hpp"

#include <cmath>
#include <fstream>

#include "model/real_data.hpp"
#include <gtest/gtest.h>

#include "suffice/math/sampling.hpp"

namespace suffice {
namespace {

struct Points {
    std::vector<double> values, weights;
    Schema schema;
    std::size_t width = 2;

    std::size_t size() const { return values.size() / width; }
    LabeledBlock block() const {
        return {DenseBlock{values.data(), Element::f64, size(), width, static_cast<std::ptrdiff_t>(width), 1},
                {},
                weights,
                0};
    }
    Result<KMeans> fit(const KMeansSettings& settings, const Context& context = {}) const {
        MemoryStream stream(block(), schema);
        return fit_k_means(stream, schema, settings, context);
    }
};

Points random_points(std::uint64_t seed, std::size_t rows, std::size_t width, double offset = 0) {
    Points points;
    points.width = width;
    Rng rng(seed, "points");
    for (std::size_t row = 0; row < rows; ++row) {
        const double side = static_cast<double>(rng.below(5));
        for (std::size_t j = 0; j < width; ++j) points.values.push_back(offset + 3 * side + sample_normal(rng));
    }
    for (std::size_t j = 0; j < width; ++j) points.schema.columns.push_back({"x" + std::to_string(j)});
    return points;
}

TEST(KMeans, NeverRaisesTheSumOfSquaresAndEndsWhereEachCentreIsTheMeanOfItsRows) {
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        Points points = random_points(seed, 5000, 1 + seed, seed == 4 ? 1e6 : 0);
        if (seed % 2 == 0)
            for (std::size_t row = 0; row < points.size(); ++row) points.weights.push_back(row % 3 == 0 ? 2.5 : 0.5);
        KMeansSettings settings;
        settings.centre_count = 7;
        settings.start = CentreStart::random_rows;
        settings.starts = 1;
        settings.tolerance = 0;
        const KMeans done = points.fit(settings).value();
        EXPECT_TRUE(done.settled);
        for (std::size_t step = 1; step < done.path.size(); ++step)
            EXPECT_LE(done.path[step], done.path[step - 1] * (1 + 1e-9)) << "seed " << seed << " step " << step;
        std::vector<double> distance;
        const auto nearest = done.predict(points.block(), {}, &distance).value();
        double inertia = 0;
        std::vector<double> weight(7), mean(7 * points.width);
        for (std::size_t row = 0; row < points.size(); ++row) {
            const auto c = static_cast<std::size_t>(nearest[row]);
            const double w = points.weights.empty() ? 1 : points.weights[row];
            inertia += w * distance[row];
            weight[c] += w;
            for (std::size_t j = 0; j < points.width; ++j)
                mean[c * points.width + j] += w * points.values[row * points.width + j];
        }
        EXPECT_NEAR(done.inertia, inertia, 1e-9 * inertia);
        EXPECT_NEAR(done.path.back(), inertia, 1e-6 * inertia);
        for (std::size_t at = 0; at < mean.size(); ++at)
            EXPECT_NEAR(done.centres.values[at], mean[at] / weight[at / points.width], 1e-9 * (seed == 4 ? 1e6 : 1));
    }
}

TEST(KMeans, HasTheSameBitsForAnyNumberOfThreads) {
    const Points points = random_points(11, 60'000, 3);
    std::vector<Matrix> answers;
    for (unsigned threads : {1u, 2u, 5u}) {
        Context context;
        context.thread_count = threads;
        KMeansSettings settings;
        settings.centre_count = 6;
        settings.starts = 2;
        answers.push_back(points.fit(settings, context).value().centres);
    }
    EXPECT_EQ(answers[0], answers[1]);
    EXPECT_EQ(answers[0], answers[2]);
}

TEST(KMeans, MovesACentreThatHasNoRows) {
    Points points = random_points(12, 500, 2);
    KMeansSettings settings;
    settings.centre_count = 3;
    settings.start = CentreStart::given;
    settings.given = Matrix(3, 2);
    settings.given.values = {0, 0, 1e5, 1e5, -1e5, 1e5};
    const KMeans done = points.fit(settings).value();
    for (double weight : done.weight) EXPECT_GT(weight, 0);
    EXPECT_TRUE(done.notes.empty());
}

TEST(KMeans, SaysWhenRowsAreFewerThanCentres) {
    Points points = random_points(13, 3, 2);
    KMeansSettings settings;
    settings.centre_count = 4;
    EXPECT_EQ(points.fit(settings).error().message, "there are 3 rows, too few for 4 centres");
    points.values = {1, 1, 2, 2, 1, 1, 2, 2, 1, 1};
    const KMeans done = points.fit(settings).value();
    EXPECT_EQ(done.inertia, 0);
    EXPECT_EQ(done.notes.size(), 1u);
    settings.centre_count = 0;
    EXPECT_EQ(points.fit(settings).error().kind, ErrorKind::usage);
    settings.centre_count = 2;
    settings.tolerance = -1;
    EXPECT_EQ(points.fit(settings).error().kind, ErrorKind::usage);
    settings.tolerance = 0;
    points.values[3] = std::nan("");
    const auto refused = points.fit(settings);
    EXPECT_EQ(refused.error().row, 2u);
    EXPECT_EQ(refused.error().column, "x1");
}

TEST(KMeans, TellsWhenTheLimitOfStepsWasReached) {
    KMeansSettings settings;
    settings.centre_count = 9;
    settings.starts = 1;
    settings.step_limit = 1;
    settings.tolerance = 0;
    const KMeans done = random_points(14, 2000, 2).fit(settings).value();
    EXPECT_FALSE(done.settled);
    ASSERT_EQ(done.notes.size(), 1u);
    EXPECT_EQ(
        done.notes[0].sentence.find("k-means stopped at the limit of 1 step, when the sum of squares still fell by "),
        0u);
    EXPECT_GT(std::stod(done.notes[0].sentence.substr(done.notes[0].sentence.rfind(' '))), 0);
}

// Franti, Rezaei, Zhao, "Centroid index", 2014: how many true clusters got no centre of their own, the larger of both
// directions. 0: the clusters were found.
std::size_t centroid_index(const Matrix& a, const Matrix& b) {
    const auto orphans = [](const Matrix& from, const Matrix& to) {
        std::vector<bool> met(to.row_count);
        for (std::size_t i = 0; i < from.row_count; ++i) {
            std::size_t nearest = 0;
            double least = std::numeric_limits<double>::infinity();
            for (std::size_t k = 0; k < to.row_count; ++k) {
                double distance = 0;
                for (std::size_t j = 0; j < to.column_count; ++j)
                    distance += (from(i, j) - to(k, j)) * (from(i, j) - to(k, j));
                if (distance < least) {
                    least = distance;
                    nearest = k;
                }
            }
            met[nearest] = true;
        }
        return static_cast<std::size_t>(std::ranges::count(met, false));
    };
    return std::max(orphans(a, b), orphans(b, a));
}

TEST(KMeans, FindsTheClustersOfThePublishedSets) {
    SUFFICE_NEEDS_DATA("clustering/gagolews_s1.data.gz");
    for (const char* name : {"s1", "s2", "s3", "s4", "a1", "a2", "a3", "unbalance"}) {
        const auto folder = data_folder() / "clustering";
        ReadOptions options;
        options.header = false;
        options.delimiter = ' ';
        const RealTable rows = read_real(folder / ("gagolews_" + std::string(name) + ".data.gz"), {}, {}, options);
        const RealTable truth =
            read_real(folder / ("gagolews_" + std::string(name) + ".labels0.gz"), {"c1"}, {}, options);
        ASSERT_EQ(rows.size(), truth.size());
        const std::size_t count = truth.schema.classes.size();
        Matrix centres(count, 2);
        std::vector<double> weight(count);
        for (std::size_t row = 0; row < rows.size(); ++row) {
            const auto c = static_cast<std::size_t>(truth.labels[row]);
            ++weight[c];
            for (std::size_t j = 0; j < 2; ++j) centres(c, j) += (rows.values[row * 2 + j] - centres(c, j)) / weight[c];
        }
        Points points;
        points.values = rows.values;
        points.schema = rows.schema;
        points.schema.classes.clear();
        KMeansSettings settings;
        settings.centre_count = count;
        const KMeans done = points.fit(settings).value();
        EXPECT_EQ(centroid_index(done.centres, centres), 0u) << name;
    }
}

}  // namespace
}  // namespace suffice
