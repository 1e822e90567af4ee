// Factors, solves, inverses and rank-one changes on both sides of the size where blocked routines take over.
#include "suffice/math/cholesky.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "suffice/math/eigen.hpp"
#include "suffice/math/sampling.hpp"

namespace suffice {
namespace {

std::vector<double> random_vector(std::size_t count, Rng& rng) {
    std::vector<double> values(count);
    for (double& value : values) value = sample_normal(rng);
    return values;
}

// B B' + I with B of independent normals.
std::vector<double> random_positive_definite(std::size_t d, Rng& rng) {
    const std::vector<double> b = random_vector(d * d, rng);
    std::vector<double> a(d * d);
    for (std::size_t i = 0; i < d; ++i) {
        for (std::size_t j = 0; j < d; ++j) {
            for (std::size_t k = 0; k < d; ++k) a[i * d + j] += b[i * d + k] * b[j * d + k];
        }
        a[i * d + i] += 1;
    }
    return a;
}

std::vector<double> times(const std::vector<double>& a, const std::vector<double>& x) {
    std::vector<double> y(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
        for (std::size_t j = 0; j < x.size(); ++j) y[i] += a[i * x.size() + j] * x[j];
    }
    return y;
}

void expect_near(const std::vector<double>& values, const std::vector<double>& expected, double tolerance) {
    ASSERT_EQ(values.size(), expected.size());
    double scale = 1;
    for (const double value : expected) scale = std::max(scale, std::abs(value));
    for (std::size_t i = 0; i < values.size(); ++i)
        EXPECT_NEAR(values[i], expected[i], tolerance * scale) << "at " << i;
}

class Cholesky : public ::testing::TestWithParam<std::size_t> {
protected:
    void SetUp() override {
        matrix = random_positive_definite(d, rng);
        factor = matrix;
        ASSERT_TRUE(factorize(factor, d));
    }
    const std::size_t d = GetParam();
    Rng rng{11, "cholesky"};
    std::vector<double> matrix, factor;
};

TEST_P(Cholesky, FactorTimesItsTransposeIsTheMatrix) {
    std::vector<double> product(d * d, -1.0);
    multiply_factor(factor, d, product);
    expect_near(product, matrix, 1e-13);
    for (std::size_t i = 0; i < d; ++i) {
        for (std::size_t j = i + 1; j < d; ++j) EXPECT_EQ(factor[i * d + j], 0);
    }
}

TEST_P(Cholesky, ReadsTheLowerTriangleOnly) {
    std::vector<double> lower = matrix;
    for (std::size_t i = 0; i < d; ++i) {
        for (std::size_t j = i + 1; j < d; ++j) lower[i * d + j] = std::numeric_limits<double>::quiet_NaN();
    }
    ASSERT_TRUE(factorize(lower, d));
    EXPECT_EQ(lower, factor);
}

TEST_P(Cholesky, SolvesUndoProducts) {
    const std::vector<double> x = random_vector(d, rng);
    std::vector<double> y = times(matrix, x);
    solve_factorized(factor, y);
    expect_near(y, x, 1e-10);
    std::vector<double> z = times(factor, x);
    solve_lower(factor, z);
    expect_near(z, x, 1e-10);
    std::vector<double> a = matrix, w = times(matrix, x);
    ASSERT_TRUE(solve_symmetric(a, w));
    expect_near(w, x, 1e-10);
}

TEST_P(Cholesky, InversesTimesTheMatrixAreTheIdentity) {
    std::vector<double> whole(d * d), lower(d * d);
    inverse(factor, d, whole);
    inverse_lower(factor, d, lower);
    const std::vector<double> x = random_vector(d, rng);
    expect_near(times(whole, times(matrix, x)), x, 1e-9);
    expect_near(times(lower, times(factor, x)), x, 1e-9);
    for (std::size_t i = 0; i < d; ++i) {
        for (std::size_t j = i + 1; j < d; ++j) {
            EXPECT_EQ(lower[i * d + j], 0);
            EXPECT_EQ(whole[i * d + j], whole[j * d + i]);
        }
    }
}

TEST_P(Cholesky, DistanceIsTheQuadraticFormOfTheInverse) {
    const std::vector<double> x = random_vector(d, rng);
    std::vector<double> solved = x;
    solve_factorized(factor, solved);
    double form = 0;
    for (std::size_t i = 0; i < d; ++i) form += x[i] * solved[i];
    EXPECT_NEAR(squared_distance(factor, x), form, 1e-10 * form);
}

TEST_P(Cholesky, LogDeterminantIsTheSumOfLogEigenvalues) {
    std::vector<double> vectors = matrix, values(d);
    ASSERT_TRUE(symmetric_eigen(vectors, d, values));
    double sum = 0;
    for (const double value : values) sum += std::log(value);
    EXPECT_NEAR(log_determinant(factor, d), sum, 1e-10 * std::max(1.0, std::abs(sum)));
}

TEST_P(Cholesky, UpdateIsTheFactorOfTheMatrixPlusTheRowAndDowndateUndoesIt) {
    const std::vector<double> x = random_vector(d, rng);
    std::vector<double> grown = matrix, changed = factor;
    for (std::size_t i = 0; i < d; ++i) {
        for (std::size_t j = 0; j < d; ++j) grown[i * d + j] += x[i] * x[j];
    }
    ASSERT_TRUE(factorize(grown, d));
    update_factor(changed, x);
    expect_near(changed, grown, 1e-12);
    ASSERT_TRUE(downdate_factor(changed, x));
    expect_near(changed, factor, 1e-11);
}

TEST_P(Cholesky, DowndateThatLosesPositiveDefinitenessRefusesAndChangesNothing) {
    std::vector<double> x = random_vector(d, rng);
    const double distance = squared_distance(factor, x);  // A - c x x' is positive definite for c < 1 / distance
    for (double& value : x) value *= std::sqrt((1 + 1e-9) / distance);
    std::vector<double> changed = factor;
    EXPECT_FALSE(downdate_factor(changed, x));
    EXPECT_EQ(changed, factor);
    for (double& value : x) value *= 0.999;
    EXPECT_TRUE(downdate_factor(changed, x));
}

TEST_P(Cholesky, RefusesWhatIsNotPositiveDefinite) {
    const double infinity = std::numeric_limits<double>::infinity();
    for (const double bad : {-1.0, -infinity, infinity, std::numeric_limits<double>::quiet_NaN()}) {
        std::vector<double> spoilt = matrix;
        spoilt[d * d - 1] = bad;
        EXPECT_FALSE(factorize(spoilt, d)) << bad;
    }
    std::vector<double> zero(d * d, 0.0);
    EXPECT_FALSE(factorize(zero, d));
}

TEST_P(Cholesky, EigenvectorsAreOrthonormalAndRebuildTheMatrix) {
    std::vector<double> vectors = matrix, values(d);
    ASSERT_TRUE(symmetric_eigen(vectors, d, values));
    EXPECT_TRUE(std::is_sorted(values.begin(), values.end()));
    std::vector<double> rebuilt(d * d), products(d * d), identity(d * d);
    for (std::size_t i = 0; i < d; ++i) {
        identity[i * d + i] = 1;
        for (std::size_t j = 0; j < d; ++j) {
            for (std::size_t k = 0; k < d; ++k) {
                rebuilt[i * d + j] += vectors[k * d + i] * values[k] * vectors[k * d + j];
                products[i * d + j] += vectors[i * d + k] * vectors[j * d + k];
            }
        }
    }
    expect_near(rebuilt, matrix, 1e-12);
    expect_near(products, identity, 1e-13);
}

INSTANTIATE_TEST_SUITE_P(Dimensions, Cholesky, ::testing::Values(1, 2, 5, 17, 32, 33, 70));

TEST(Eigen, KnownMatrixHasKnownValues) {
    std::vector<double> a = {2, 0, 1, 2}, values(2);  // only the lower triangle counts: {{2, 1}, {1, 2}}
    ASSERT_TRUE(symmetric_eigen(a, 2, values));
    EXPECT_NEAR(values[0], 1, 1e-15);
    EXPECT_NEAR(values[1], 3, 1e-15);
    EXPECT_NEAR(a[2], std::sqrt(0.5), 1e-15);
    EXPECT_NEAR(a[3], std::sqrt(0.5), 1e-15);
}

TEST(Eigen, RefusesNaN) {
    std::vector<double> a = {1, 0, std::numeric_limits<double>::quiet_NaN(), 1}, values(2);
    EXPECT_FALSE(symmetric_eigen(a, 2, values));
}

}  // namespace
}  // namespace suffice
