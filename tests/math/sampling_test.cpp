// Samplers against exact distribution functions (Kolmogorov-Smirnov and chi-square) and their fixed draws.
#include "suffice/math/sampling.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <vector>

#include "math/golden.hpp"
#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/negative_binomial.hpp>
#include <boost/math/distributions/poisson.hpp>
#include <gtest/gtest.h>

#include "suffice/math/sigmoid.hpp"
#include "suffice/math/special.hpp"

namespace suffice {
namespace {

constexpr int draw_count = 40000;

// sqrt(n) sup |F_n - F| exceeds 2.5 with probability 2 exp(-2 * 2.5^2) = 7e-6.
void expect_distribution(const std::string& what, const std::function<double(Rng&)>& sample,
                         const std::function<double(double)>& cdf) {
    Rng rng(2024, what);
    std::vector<double> draws(draw_count);
    for (double& draw : draws) draw = sample(rng);
    std::ranges::sort(draws);
    double distance = 0;
    for (int i = 0; i < draw_count; ++i) {
        const double p = cdf(draws[static_cast<std::size_t>(i)]);
        distance = std::max({distance, std::abs(p - double(i) / draw_count), std::abs(p - double(i + 1) / draw_count)});
    }
    EXPECT_LT(distance * std::sqrt(draw_count), 2.5) << what;
}

// Chi-square over cells of about equal probability; mean and variance beside it.
void expect_counts(const std::string& what, const std::function<double(Rng&)>& sample,
                   const std::function<double(double)>& cdf, double mean, double variance) {
    Rng rng(2024, what);
    std::vector<double> draws(draw_count);
    double sum = 0, square = 0;
    for (double& draw : draws) {
        draw = sample(rng);
        ASSERT_TRUE(draw >= 0 && draw == std::floor(draw)) << what << ": " << draw;
        sum += draw - mean;
        square += (draw - mean) * (draw - mean);
    }
    EXPECT_NEAR(sum / draw_count, 0, 5 * std::sqrt(variance / draw_count)) << what;
    EXPECT_NEAR(square / draw_count / variance, 1, 0.1) << what;

    std::ranges::sort(draws);
    double statistic = 0, cell_begin = 0;
    int cells = 0;
    auto position = draws.begin();
    while (position != draws.end()) {
        // A cell ends at the first drawn value that gives it 1/40 of the probability; the last takes the rest.
        auto end = position;
        double upper = 0;
        do {
            upper = cdf(*end);
            end = std::upper_bound(end, draws.end(), *end);
        } while (end != draws.end() && upper - cell_begin < 0.025);
        if (end == draws.end() || 1 - upper < 0.025) {
            end = draws.end();
            upper = 1;
        }
        const double expected = draw_count * (upper - cell_begin);
        statistic += std::pow(double(end - position) - expected, 2) / expected;
        cell_begin = upper;
        position = end;
        ++cells;
    }
    if (cells > 1) {
        EXPECT_GT(incomplete_gamma_complement((cells - 1) / 2.0, statistic / 2), 1e-5)
            << what << ": chi-square " << statistic << " over " << cells << " cells";
    }
}

TEST(Sampling, NormalAndExponentialFollowTheirLaws) {
    expect_distribution("normal", sample_normal, [](double x) { return probit(x); });
    expect_distribution("exponential", sample_exponential, [](double x) { return -std::expm1(-x); });
}

TEST(Sampling, GammaFollowsItsLawForSmallAndLargeShapes) {
    for (const double shape : {0.01, 0.3, 0.99, 1.0, 2.5, 40.0, 1e5}) {
        expect_distribution(
            "gamma " + std::to_string(shape), [=](Rng& rng) { return sample_gamma(shape, rng); },
            [=](double x) { return incomplete_gamma(shape, x); });
    }
    for (const double degrees : {1.0, 7.5}) {
        expect_distribution(
            "chi_square", [=](Rng& rng) { return sample_chi_square(degrees, rng); },
            [=](double x) { return incomplete_gamma(degrees / 2, x / 2); });
    }
}

TEST(Sampling, LogGammaOfATinyShapeStaysFinite) {
    // shape * -log Gamma tends to an exponential as the shape tends to 0.
    expect_distribution(
        "log_gamma", [](Rng& rng) { return -1e-6 * sample_log_gamma(1e-6, rng); },
        [](double x) { return -std::expm1(-std::max(x, 0.0)); });
}

TEST(Sampling, BetaFollowsItsLaw) {
    for (const auto& [a, b] : {std::pair{0.5, 0.5}, {1.0, 1.0}, {0.05, 3.0}, {20.0, 4.0}}) {
        expect_distribution(
            "beta " + std::to_string(a), [=](Rng& rng) { return sample_beta(a, b, rng); },
            [=](double x) { return incomplete_beta(a, b, x); });
    }
}

TEST(Sampling, StudentTFollowsItsLaw) {
    for (const double degrees : {1.0, 3.5, 60.0}) {
        expect_distribution(
            "student_t", [=](Rng& rng) { return sample_student_t(degrees, rng); },
            [=](double x) { return student_t_cdf(degrees, x); });
    }
}

TEST(Sampling, PoissonFollowsItsLawOnBothSidesOfTheSwitch) {
    for (const double rate : {0.01, 0.7, 4.0, 9.99, 10.0, 25.0, 400.0, 1e6}) {
        const boost::math::poisson_distribution<double> exact(rate);
        expect_counts(
            "poisson " + std::to_string(rate), [=](Rng& rng) { return sample_poisson(rate, rng); },
            [&](double k) { return boost::math::cdf(exact, k); }, rate, rate);
    }
}

TEST(Sampling, PoissonOfAHugeRateHasItsMeanAndVariance) {
    Rng rng(1, "huge");
    for (const double rate : {1e12, 1e15}) {
        double sum = 0, square = 0;
        for (int i = 0; i < draw_count; ++i) {
            const double z = (sample_poisson(rate, rng) - rate) / std::sqrt(rate);
            sum += z;
            square += z * z;
        }
        EXPECT_NEAR(sum / draw_count, 0, 5 / std::sqrt(draw_count));
        EXPECT_NEAR(square / draw_count, 1, 0.05);
    }
}

TEST(Sampling, BinomialFollowsItsLawOnBothSidesOfTheSwitch) {
    for (const auto& [trials, p] : {std::pair{1.0, 0.3},
                                    {12.0, 0.5},
                                    {9.0, 0.97},
                                    {30.0, 0.33},
                                    {25.0, 0.4},
                                    {100.0, 0.9},
                                    {1e4, 0.25},
                                    {1e6, 1e-6},
                                    {1e7, 0.5}}) {
        const boost::math::binomial_distribution<double> exact(trials, p);
        expect_counts(
            "binomial " + std::to_string(trials),
            [=, n = trials, q = p](Rng& rng) { return sample_binomial(n, q, rng); },
            [&](double k) { return boost::math::cdf(exact, k); }, trials * p, trials * p * (1 - p));
    }
}

TEST(Sampling, GeometricAndNegativeBinomialFollowTheirLaws) {
    for (const double p : {0.02, 0.5, 0.95}) {
        expect_counts(
            "geometric " + std::to_string(p), [=](Rng& rng) { return sample_geometric(p, rng); },
            [=](double k) { return -std::expm1((k + 1) * std::log1p(-p)); }, (1 - p) / p, (1 - p) / (p * p));
    }
    for (const auto& [r, p] : {std::pair{0.4, 0.3}, {3.0, 0.5}, {50.5, 0.1}}) {
        const boost::math::negative_binomial_distribution<double> exact(r, p);
        expect_counts(
            "negative_binomial", [=, n = r, q = p](Rng& rng) { return sample_negative_binomial(n, q, rng); },
            [&](double k) { return boost::math::cdf(exact, k); }, r * (1 - p) / p, r * (1 - p) / (p * p));
    }
}

TEST(Sampling, DirichletSharesSumToOneAndAreBetaEach) {
    const std::vector<double> concentration = {0.2, 1.0, 5.0};
    for (std::size_t j = 0; j < 3; ++j) {
        expect_distribution(
            "dirichlet",
            [&](Rng& rng) {
                std::vector<double> shares(3);
                sample_dirichlet(concentration, shares, rng);
                EXPECT_NEAR(shares[0] + shares[1] + shares[2], 1, 1e-14);
                return shares[j];
            },
            [&](double x) { return incomplete_beta(concentration[j], 6.2 - concentration[j], std::min(x, 1.0)); });
    }
    Rng rng(4);
    const std::vector<double> tiny(5, 1e-5);
    std::vector<double> shares(5);
    for (int i = 0; i < 100; ++i) {
        sample_dirichlet(tiny, shares, rng);
        EXPECT_NEAR(std::accumulate(shares.begin(), shares.end(), 0.0), 1, 1e-14);
    }
}

TEST(Sampling, IndexFollowsItsWeightsAndSkipsZeros) {
    const std::vector<double> weights = {0, 2, 0, 5, 3, 0};
    Rng rng(6);
    std::vector<double> counts(6);
    for (int i = 0; i < draw_count; ++i) ++counts.at(sample_index(weights, rng));
    for (std::size_t j = 0; j < 6; ++j) {
        const double p = weights[j] / 10;
        EXPECT_NEAR(counts[j] / draw_count, p, 5 * std::sqrt(p * (1 - p) / draw_count));
    }
    EXPECT_EQ(sample_index(std::vector<double>{0, 0}, rng), 2u);
    EXPECT_EQ(sample_index(std::vector<double>{}, rng), 0u);
}

TEST(Sampling, ShuffleReachesEveryOrderEquallyOften) {
    Rng rng(8);
    std::map<std::vector<int>, int> seen;
    for (int i = 0; i < 24000; ++i) {
        std::vector<int> items = {0, 1, 2, 3};
        shuffle(std::span<int>(items), rng);
        ++seen[items];
    }
    ASSERT_EQ(seen.size(), 24u);
    double statistic = 0;
    for (const auto& [order, count] : seen) statistic += std::pow(count - 1000.0, 2) / 1000;
    EXPECT_GT(incomplete_gamma_complement(23 / 2.0, statistic / 2), 1e-5);
}

TEST(Sampling, DegenerateParametersGiveTheOnlyValue) {
    Rng rng(7);
    EXPECT_EQ(sample_poisson(0, rng), 0);
    EXPECT_EQ(sample_binomial(0, 0.5, rng), 0);
    EXPECT_EQ(sample_binomial(9, 0, rng), 0);
    EXPECT_EQ(sample_binomial(9, 1, rng), 9);
    EXPECT_EQ(sample_geometric(1, rng), 0);
    EXPECT_EQ(sample_negative_binomial(3, 1, rng), 0);
}

TEST(Sampling, ParametersOutsideOfTheRangeGiveNaN) {
    Rng rng(7);
    const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
    for (const double value : {sample_gamma(0, rng), sample_gamma(-1, rng), sample_gamma(nan, rng),
                               sample_beta(1, 0, rng), sample_poisson(-1, rng), sample_poisson(infinity, rng),
                               sample_binomial(2.5, 0.5, rng), sample_binomial(5, 1.5, rng), sample_geometric(0, rng),
                               sample_negative_binomial(-1, 0.5, rng), sample_student_t(0, rng)}) {
        EXPECT_TRUE(std::isnan(value)) << value;
    }
}

TEST(Sampling, NormalAndExponentialAreTheInversesOfNumpysWords) {
    Rng normals(42), exponentials(42);
    for (const auto& row : testing::read_golden("math_draws.csv")) {
        testing::expect_close(sample_normal(normals), testing::number(row, "normal"), 1e-15, "normal");
        testing::expect_close(sample_exponential(exponentials), testing::number(row, "exponential"), 1e-15,
                              "exponential");
    }
}

TEST(Sampling, TheSameSeedGivesTheSameDraws) {
    Rng first(123, "draws"), second(123, "draws");
    for (int i = 0; i < 100; ++i) {
        EXPECT_EQ(sample_normal(first), sample_normal(second));
        EXPECT_EQ(sample_gamma(0.5, first), sample_gamma(0.5, second));
        EXPECT_EQ(sample_poisson(30, first), sample_poisson(30, second));
    }
}

}  // namespace
}  // namespace suffice
