// Bandwidths and edges for one column against R and astropy, and the tree of points against the plain sum.
#include <cmath>
#include <fstream>
#include <limits>
#include <map>
#include <string>

#include <gtest/gtest.h>

#include "suffice/density/bayesian_blocks.hpp"
#include "suffice/density/density_settings.hpp"
#include "suffice/density/histogram.hpp"
#include "suffice/density/kernel_density.hpp"
#include "suffice/density/kernel_tree.hpp"
#include "suffice/density/sheather_jones.hpp"

namespace suffice {
namespace {

std::map<std::string, std::vector<double>> golden(const std::string& file) {
    std::map<std::string, std::vector<double>> made;
    std::ifstream lines(SUFFICE_SOURCE_DIR "/tests/goldens/" + file);
    std::string line;
    for (std::getline(lines, line); std::getline(lines, line);) {
        const auto comma = line.find(',');
        made[line.substr(0, comma)].push_back(std::stod(line.substr(comma + 1)));
    }
    return made;
}

std::vector<double> ones(std::size_t count) { return std::vector<double>(count, 1.0); }

// tools/goldens/bandwidth.R
TEST(SheatherJones, FindsTheBandwidthsOfR) {
    auto samples = golden("bandwidth_rows.csv");
    for (const auto& [name, answer] : golden("bandwidth_values.csv")) {
        const auto& values = samples[name];
        EXPECT_NEAR(sheather_jones_bandwidth(values, ones(values.size())).value(), answer[0], 1e-9 * answer[0]) << name;
    }
}

TEST(SheatherJones, IsTheBandwidthOfADensityInAnyScale) {
    const auto values = golden("bandwidth_rows.csv")["waiting"];
    const double expected = golden("bandwidth_values.csv")["waiting"][0];
    for (const BandwidthScale scale : {BandwidthScale::unit, BandwidthScale::columns, BandwidthScale::covariance}) {
        Matrix points(values.size(), 1);
        points.values = values;
        const DensitySettings settings{KernelShape::gaussian, BandwidthRule::sheather_jones, 1, scale};
        const auto density = KernelDensity::from(points, {}, settings).value();
        EXPECT_NEAR(density.column_bandwidths()[0], expected, 1e-9 * expected);
    }
}

TEST(SheatherJones, RefusesSeveralColumnsAndValuesThatAgree) {
    Matrix two(5, 2);
    for (std::size_t at = 0; at < 10; ++at) two.values[at] = static_cast<double>(at * at % 7);
    const DensitySettings settings{KernelShape::gaussian, BandwidthRule::sheather_jones};
    EXPECT_EQ(KernelDensity::from(two, {}, settings).error().message,
              "the bandwidth of Sheather and Jones is for one column, not for 2");
    const std::vector<double> alike{1, 2, 2, 2, 2, 2, 2, 3};
    EXPECT_EQ(sheather_jones_bandwidth(alike, ones(8)).error().message,
              "the values are too few or too much alike for the bandwidth of Sheather and Jones");
    EXPECT_FALSE(sheather_jones_bandwidth({}, {}));
}

TEST(SheatherJones, AWeightOfTwoIsTwoRows) {
    const auto values = golden("bandwidth_rows.csv")["eruptions"];
    auto twice = values;
    twice.insert(twice.end(), values.begin(), values.end());
    const double copied = sheather_jones_bandwidth(twice, ones(twice.size())).value();
    EXPECT_NEAR(sheather_jones_bandwidth(values, std::vector<double>(values.size(), 2.0)).value(), copied,
                1e-9 * copied);
}

// tools/goldens/blocks.py
TEST(BayesianBlocks, FindsTheEdgesOfAstropy) {
    auto samples = golden("bandwidth_rows.csv");
    for (const auto& [name, answer] : golden("blocks_values.csv")) {
        const auto& values = samples[name];
        const auto edges = bayesian_blocks(values, ones(values.size()));
        ASSERT_EQ(edges.size(), answer.size()) << name;
        for (std::size_t at = 0; at < edges.size(); ++at)
            EXPECT_NEAR(edges[at], answer[at], 1e-12 * (1 + std::abs(answer[at]))) << name;
    }
}

TEST(BayesianBlocks, CountAWeightAsSoManyRows) {
    const auto values = golden("bandwidth_rows.csv")["eruptions"];
    std::vector<double> twice(values);
    twice.insert(twice.end(), values.begin(), values.end());
    EXPECT_EQ(bayesian_blocks(values, std::vector<double>(values.size(), 2.0)),
              bayesian_blocks(twice, ones(twice.size())));
}

TEST(BayesianBlocks, FindTheStepAmongManyValues) {
    std::vector<double> values;
    for (std::size_t at = 0; at < 20'000; ++at) values.push_back((static_cast<double>(at) + 0.5) / 20'000);
    for (std::size_t at = 0; at < 5'000; ++at) values.push_back(1 + (static_cast<double>(at) + 0.5) / 5'000);
    const auto edges = bayesian_blocks(values, ones(values.size()));
    ASSERT_EQ(edges.size(), 3u);
    EXPECT_NEAR(edges[1], 1, 2e-3);
    EXPECT_EQ(bayesian_blocks(std::vector<double>{4, 4, 4}, ones(3)), (std::vector<double>{3.5, 4.5}));
}

TEST(KernelTree, StaysWithinItsBoundOfThePlainSum) {
    const auto waiting = golden("bandwidth_rows.csv")["skewed_2000"];
    Matrix points(1000, 2), at(40, 2);
    points.values.assign(waiting.begin(), waiting.begin() + 2000);
    for (std::size_t row = 0; row < at.row_count; ++row) {
        at(row, 0) = static_cast<double>(row) / 6;
        at(row, 1) = static_cast<double>(row * row % 40) / 6;
    }
    for (const KernelShape shape : {KernelShape::gaussian, KernelShape::exponential, KernelShape::epanechnikov}) {
        const auto density =
            KernelDensity::from(points, {}, {shape, BandwidthRule::given, 0.3, BandwidthScale::unit}).value();
        const auto tree = KernelTree::from(density).value();
        const auto exact = density.log_density(at).value();
        for (const double relative : {0.0, 1e-4, 1e-2}) {
            const auto found = tree.log_density(at, {0, relative}).value();
            for (std::size_t row = 0; row < at.row_count; ++row) {
                if (std::isinf(exact[row]))
                    EXPECT_EQ(found[row], exact[row]);
                else
                    EXPECT_NEAR(std::exp(found[row] - exact[row]), 1, relative + 1e-10) << row;
            }
        }
    }
}

// The range of such values is beyond all numbers, or bins would be narrower than numbers are apart.
TEST(Histogram, EdgesAscendAndHoldEveryValueOfAnySize) {
    const double largest = std::numeric_limits<double>::max();
    std::vector<double> huge, tiny;
    for (int k = -50; k <= 50; ++k) {
        huge.push_back(largest * (k / 50.0));
        tiny.push_back(5e-324 * k);
    }
    for (const std::vector<double>& values : {huge, tiny, {largest, largest}, {-largest}, {1e300}, {0.0, 5e-324}})
        for (const std::uint32_t bins : {0u, 1u, 7u, 10'000u, std::uint32_t{Bins::blocks}}) {
            const auto edges = histogram_edges(values, ones(values.size()), bins);
            ASSERT_GE(edges.size(), 2u) << bins << " bins from " << values.front();
            for (std::size_t k = 0; k < edges.size(); ++k) {
                EXPECT_TRUE(std::isfinite(edges[k])) << k;
                if (k > 0) {
                    EXPECT_LT(edges[k - 1], edges[k]);
                }
            }
            for (const double value : values) EXPECT_GE(bin_of(edges, value), 0) << value;
        }
}

}  // namespace
}  // namespace suffice
