// Linear algebra held to its definitions: factors multiply back, inverses cancel, eigenvectors are kept in direction.
#include "suffice/kernel/linear_algebra.hpp"

#include "kernel/every_target.hpp"

namespace suffice::kernel {
namespace {

using Values = std::vector<double>;

Values product(std::size_t n, std::size_t m, std::size_t inner, const Values& a, const Values& b) {
    Values c(n * m);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < m; ++j)
            for (std::size_t t = 0; t < inner; ++t) c[i * m + j] += a[i * inner + t] * b[t * m + j];
    return c;
}

Values turned(std::size_t n, std::size_t m, const Values& a) {
    Values t(n * m);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < m; ++j) t[j * n + i] = a[i * m + j];
    return t;
}

Values positive(Numbers& numbers, std::size_t d) {
    const Values root = numbers.vector(d * d);
    Values a = product(d, d, d, root, turned(d, d, root));
    for (std::size_t i = 0; i < d; ++i) a[i * d + i] += 0.5;
    return a;
}

void expect_near(const Values& found, const Values& expected, double tolerance) {
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) ASSERT_NEAR(found[i], expected[i], tolerance) << i;
}

Values identity(std::size_t d) {
    Values a(d * d);
    for (std::size_t i = 0; i < d; ++i) a[i * d + i] = 1;
    return a;
}

TEST(LinearAlgebra, CholeskyReadsTheLowerTriangleAndMultipliesBack) {
    for (const std::size_t d : {1, 2, 5, 40}) {
        Numbers numbers(d);
        const Values a = positive(numbers, d);
        Values factor = a;
        for (std::size_t i = 0; i < d; ++i)
            for (std::size_t j = i + 1; j < d; ++j) factor[i * d + j] = not_a_number;
        ASSERT_EQ(cholesky(factor, d), 0u);
        expect_near(product(d, d, d, factor, turned(d, d, factor)), a, 1e-10);
        Values inverse = factor;
        ASSERT_TRUE(invert_cholesky(inverse, d));
        expect_near(product(d, d, d, inverse, a), identity(d), 1e-8);
        Values lower = factor;
        ASSERT_TRUE(invert_lower(lower, d));
        expect_near(product(d, d, d, lower, factor), identity(d), 1e-10);
        const Values b = numbers.vector(d * 3);
        Values x = b;
        solve_cholesky(factor, d, x, 3);
        expect_near(product(d, 3, d, a, x), b, 1e-9);
        x = b;
        solve_lower(factor, d, x, 3);
        expect_near(product(d, 3, d, factor, x), b, 1e-10);
        x = b;
        solve_lower_transposed(factor, d, x, 3);
        expect_near(product(d, 3, d, turned(d, d, factor), x), b, 1e-10);
    }
}

TEST(LinearAlgebra, CholeskyNamesTheFirstMinorThatIsNotPositive) {
    Values a = {4, 0, 0, 0, 1, 0, 0, 1, 1};
    EXPECT_EQ(cholesky(a, 3), 3u);
    a = {1, 0, 0, not_a_number};
    EXPECT_EQ(cholesky(a, 2), 2u);
}

TEST(LinearAlgebra, EigenvectorsKeepTheirDirection) {
    for (const std::size_t d : {1, 3, 30}) {
        Numbers numbers(d);
        const Values a = positive(numbers, d);
        Values vectors = a, values(d);
        for (std::size_t i = 0; i < d; ++i)
            for (std::size_t j = i + 1; j < d; ++j) vectors[i * d + j] = not_a_number;
        ASSERT_TRUE(symmetric_eigen(vectors, d, values));
        EXPECT_TRUE(std::is_sorted(values.begin(), values.end()));
        expect_near(product(d, d, d, vectors, turned(d, d, vectors)), identity(d), 1e-12);
        Values scaled = vectors;
        for (std::size_t i = 0; i < d * d; ++i) scaled[i] *= values[i / d];
        expect_near(product(d, d, d, turned(d, d, vectors), scaled), a, 1e-10);
    }
    Values bad = {1, 0, not_a_number, 1}, values(2);
    EXPECT_FALSE(symmetric_eigen(bad, 2, values));
}

TEST(LinearAlgebra, SingularValuesMultiplyBackForTallAndWide) {
    for (const auto& [n, m] : std::vector<std::pair<std::size_t, std::size_t>>{{6, 4}, {4, 6}, {5, 5}, {1, 7}}) {
        Numbers numbers(n);
        const std::size_t r = std::min(n, m);
        const Values a = numbers.vector(n * m);
        Values spoilt = a, u(n * r), values(r), vt(r * m);
        ASSERT_TRUE(singular_values(spoilt, n, m, u, values, vt));
        EXPECT_TRUE(std::is_sorted(values.rbegin(), values.rend()));
        Values scaled = vt;
        for (std::size_t i = 0; i < scaled.size(); ++i) scaled[i] *= values[i / m];
        expect_near(product(n, m, r, u, scaled), a, 1e-12);
        expect_near(product(r, r, n, turned(n, r, u), u), identity(r), 1e-12);
    }
}

TEST(LinearAlgebra, MultiplyAndSelfProductFollowTheirFormulas) {
    Numbers numbers(7);
    const std::size_t n = 4, m = 3, inner = 5;
    const Values a = numbers.vector(n * inner), b = numbers.vector(inner * m), start = numbers.vector(n * m);
    Values expected = product(n, m, inner, a, b);
    for (std::size_t i = 0; i < expected.size(); ++i) expected[i] = 2 * expected[i] - start[i];
    for (const Form left : {Form::plain, Form::transposed})
        for (const Form right : {Form::plain, Form::transposed}) {
            Values c = start;
            multiply(left, right, n, m, inner, 2, left == Form::plain ? a : turned(n, inner, a),
                     right == Form::plain ? b : turned(inner, m, b), -1, c);
            expect_near(c, expected, 1e-13);
        }
    Values square(m * m, 0.0);
    self_product(inner, m, 1, b, 0, square);
    mirror_lower(square, m);
    expect_near(square, product(m, m, inner, turned(inner, m, b), b), 1e-13);
}

}  // namespace
}  // namespace suffice::kernel
