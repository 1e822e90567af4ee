// Kernel densities against scikit-learn and SciPy, and their laws.
#include <cmath>

#include "group/mixture_golden.hpp"
#include <gtest/gtest.h>

#include "suffice/density/kernel_density.hpp"

namespace suffice {
namespace {

constexpr const char* kernel_names[] = {"gaussian", "tophat", "epanechnikov", "exponential", "linear", "cosine"};

Matrix first_columns(const Matrix& from, std::size_t count) {
    Matrix some(from.row_count, count);
    for (std::size_t row = 0; row < from.row_count; ++row)
        for (std::size_t j = 0; j < count; ++j) some(row, j) = from(row, j);
    return some;
}

void expect_equal(const std::vector<double>& ours, const std::vector<double>& theirs, const std::string& what) {
    ASSERT_EQ(ours.size(), theirs.size()) << what;
    for (std::size_t at = 0; at < ours.size(); ++at) {
        if (std::isinf(theirs[at])) {
            EXPECT_EQ(ours[at], theirs[at]) << what << " at " << at;
        } else {
            EXPECT_NEAR(ours[at], theirs[at], 1e-12 * (1 + std::abs(theirs[at]))) << what << " at " << at;
        }
    }
}

TEST(KernelDensity, EqualsScikitLearnForEveryKernelWithAndWithoutWeights) {
    const auto golden = testing_rows::mixture_rows();
    auto answers = testing_rows::mixture_answers();
    std::vector<double> weight;
    for (std::size_t row = 0; row < golden.rows.row_count; ++row) weight.push_back(0.5 + static_cast<double>(row % 7));
    for (std::size_t k = 0; k < std::size(kernel_names); ++k)
        for (const char* bandwidth : {"0.3", "1.7"})
            for (const std::size_t columns : {1u, 2u, 4u}) {
                if (static_cast<KernelShape>(k) == KernelShape::cosine && columns % 2 == 0) continue;
                const DensitySettings settings{static_cast<KernelShape>(k), BandwidthRule::given,
                                               std::strtod(bandwidth, nullptr), BandwidthScale::unit};
                const Matrix rows = first_columns(golden.rows, columns),
                             queries = first_columns(golden.queries, columns);
                const std::string key = std::string(kernel_names[k]) + " " + bandwidth + " " + std::to_string(columns);
                const auto even = KernelDensity::from(rows, {}, settings).value();
                expect_equal(even.log_density(queries).value(), answers[key + " even"], key);
                const auto weighed = KernelDensity::from(rows, weight, settings).value();
                expect_equal(weighed.log_density(queries).value(), answers[key + " weighed"], key + " weighed");
            }
}

TEST(KernelDensity, WithTheScaleOfTheCovarianceEqualsSciPy) {
    const auto golden = testing_rows::mixture_rows();
    auto answers = testing_rows::mixture_answers();
    const DensitySettings scott{KernelShape::gaussian, BandwidthRule::scott, 1, BandwidthScale::covariance};
    const DensitySettings silverman{KernelShape::gaussian, BandwidthRule::silverman, 1, BandwidthScale::covariance};
    const auto near = [&](const DensitySettings& settings, const char* key) {
        const auto ours = KernelDensity::from(golden.rows, {}, settings).value().log_density(golden.queries).value();
        const auto& theirs = answers[key];
        for (std::size_t at = 0; at < ours.size(); ++at) {
            if (std::isinf(theirs[at])) continue;  // SciPy's sum underflows far away
            EXPECT_NEAR(ours[at], theirs[at], 1e-10 * (1 + std::abs(theirs[at]))) << key;
        }
    };
    near(scott, "scipy scott");
    near(silverman, "scipy silverman");
}

TEST(KernelDensity, MergingPiecesGivesTheWhole) {
    const auto golden = testing_rows::mixture_rows();
    Matrix left(100, 4), right(50, 4);
    std::copy_n(golden.rows.values.begin(), 400, left.values.begin());
    std::copy_n(golden.rows.values.begin() + 400, 200, right.values.begin());
    const auto merged =
        merge(KernelDensity::from(left, {}, {}).value(), KernelDensity::from(right, {}, {}).value()).value();
    const auto whole = KernelDensity::from(golden.rows, {}, {}).value();
    EXPECT_EQ(merged.log_density(golden.queries).value(), whole.log_density(golden.queries).value());
    DensitySettings other;
    other.kernel = KernelShape::linear;
    EXPECT_EQ(merge(whole, KernelDensity::from(right, {}, other).value()).error().kind, ErrorKind::usage);
}

TEST(KernelDensity, CrossValidationFindsTheBestBandwidth) {
    const auto golden = testing_rows::mixture_rows();
    const Matrix rows = first_columns(golden.rows, 2);
    const DensitySettings settings{KernelShape::gaussian, BandwidthRule::cross_validated};
    const auto chosen = KernelDensity::from(rows, {}, settings).value();
    for (const double factor : {0.9, 1.1}) {
        const DensitySettings given{KernelShape::gaussian, BandwidthRule::given, factor * chosen.bandwidth()};
        EXPECT_LT(KernelDensity::from(rows, {}, given).value().leave_one_out(), chosen.leave_one_out());
    }
    // Leaving a row out equals the density of the others there.
    DensitySettings unit{KernelShape::gaussian, BandwidthRule::given, 0.4, BandwidthScale::unit};
    double sum = 0;
    for (std::size_t out = 0; out < rows.row_count; ++out) {
        Matrix rest(rows.row_count - 1, 2), one(1, 2);
        for (std::size_t row = 0, at = 0; row < rows.row_count; ++row)
            std::ranges::copy(rows.row(row), row == out ? one.row(0).begin() : rest.row(at++).begin());
        sum += KernelDensity::from(rest, {}, unit).value().log_density(one).value()[0];
    }
    const auto all = KernelDensity::from(rows, {}, unit).value();
    EXPECT_NEAR(all.leave_one_out(), sum / static_cast<double>(rows.row_count), 1e-12);
}

TEST(KernelDensity, SamplesHaveTheDensityOfTheKernel) {
    for (std::size_t k = 0; k < std::size(kernel_names); ++k) {
        const auto shape = static_cast<KernelShape>(k);
        const DensitySettings settings{shape, BandwidthRule::given, 1, BandwidthScale::unit};
        const auto one = KernelDensity::from(Matrix(1, 2), {}, settings).value();
        Rng rng(k, "kernel");
        const Matrix drawn = one.sample(20'000, rng);
        // The share of draws within half a bandwidth is the integral of the density over that disc.
        double inside = 0, integral = 0;
        for (std::size_t row = 0; row < drawn.row_count; ++row)
            inside += std::hypot(drawn(row, 0), drawn(row, 1)) < 0.5 ? 1.0 / 20'000 : 0;
        Matrix ring(1000, 2);
        for (std::size_t at = 0; at < 1000; ++at) ring(at, 0) = (static_cast<double>(at) + 0.5) / 2000;
        const auto height = one.log_density(ring).value();
        for (std::size_t at = 0; at < 1000; ++at)
            integral += std::exp(height[at]) * 2 * 3.14159265358979 * ring(at, 0) / 2000;
        EXPECT_NEAR(inside, integral, 0.012) << kernel_names[k];
    }
}

TEST(KernelDensity, RefusesWhatHasNoDensity) {
    const Matrix constant(5, 1);
    EXPECT_EQ(KernelDensity::from(constant, {}, {}).error().kind, ErrorKind::singular);
    DensitySettings given{KernelShape::gaussian, BandwidthRule::given, 0};
    EXPECT_EQ(KernelDensity::from(constant, {}, given).error().message, "the bandwidth must be a positive number");
    Matrix bad(5, 1);
    bad(3, 0) = std::nan("");
    EXPECT_EQ(KernelDensity::from(bad, {}, {}).error().row, 4u);
    EXPECT_EQ(KernelDensity::from(Matrix(0, 1), {}, {}).error().kind, ErrorKind::input);
}

}  // namespace
}  // namespace suffice
