// Kernel density sums, the softmax regression pass and the k-means step against plain loops, on every instruction set.
#include "kernel/every_target.hpp"

#include "suffice/kernel/bump_sum.hpp"
#include "suffice/kernel/exp_sum.hpp"
#include "suffice/kernel/gradient.hpp"
#include "suffice/kernel/nearest.hpp"

namespace suffice::kernel {
namespace {

double plain_log_sum(const double* query, const Rows& points, const double* log_weight) {
    std::vector<long double> exponent;
    for (std::size_t i = 0; i < points.row_count; ++i) {
        long double square = 0;
        for (std::size_t j = 0; j < points.column_count; ++j) {
            const long double z = static_cast<long double>(query[j]) - points.row(i)[j];
            square += z * z;
        }
        exponent.push_back((log_weight ? log_weight[i] : 0.0) - square / 2);
    }
    const long double top = exponent.empty() ? 0 : *std::max_element(exponent.begin(), exponent.end());
    long double sum = 0;
    for (const long double e : exponent) sum += std::exp(e - (std::isinf(top) ? 0 : top));
    return static_cast<double>((std::isinf(top) ? 0 : top) + std::log(sum));
}

TEST(ExpSum, EqualsThePlainSumNearAndFar) {
    on_every_target([] {
        for (const std::size_t d : {1, 3, 4, 5, 10, 23})
            for (const std::size_t m : {0, 1, 2, 5, 50})
                for (const double spread : {1.0, 30.0}) {
                    Numbers numbers(d + m);
                    RowBuffer points(numbers, m, d, 1), queries(numbers, 37, d, 2);
                    for (double& x : points.values) x *= spread;
                    for (std::size_t j = 0; j < d; ++j) queries.values[1 + 4 * (d + 2) + j] += 100;  // far from all
                    auto log_weight = numbers.vector(m, -3, 0);
                    if (m > 1) log_weight[1] = -infinity;
                    for (const bool weighted : {false, true}) {
                        const double* weight = weighted ? log_weight.data() : nullptr;
                        std::vector<double> found(37), expected(37);
                        exp_sum(queries.rows, points.rows, weight, found.data());
                        for (std::size_t q = 0; q < 37; ++q)
                            expected[q] = plain_log_sum(queries.rows.row(q), points.rows, weight);
                        for (std::size_t q = 0; q < 37; ++q) {
                            if (std::isinf(expected[q]))
                                ASSERT_EQ(found[q], expected[q]);
                            else
                                ASSERT_NEAR(found[q], expected[q], 1e-12 * std::max(1.0, std::fabs(expected[q])));
                        }
                    }
                }
    });
}

TEST(BumpSum, EqualsThePlainSum) {
    on_every_target([] {
        for (const std::size_t d : {1, 2, 3, 7})
            for (const std::size_t count : {0, 1, 3, 8, 37, 101}) {
                Numbers numbers(d + count);
                const std::size_t stride = count + 5;
                const auto columns = numbers.vector(d * stride, -6, 6), weight = numbers.vector(stride, 0, 2),
                           query = numbers.vector(d);
                long double expected = 0;
                for (std::size_t i = 0; i < count; ++i) {
                    long double square = 0;
                    for (std::size_t j = 0; j < d; ++j) {
                        const long double z = query[j] - static_cast<long double>(columns[j * stride + i]);
                        square += z * z;
                    }
                    expected += weight[i] * std::exp(-square / 2);
                }
                const double found = bump_sum(query.data(), d, columns.data(), stride, weight.data(), count);
                ASSERT_NEAR(found, static_cast<double>(expected), 1e-14 * static_cast<double>(1 + expected));
            }
    });
}

TEST(ExpSum, OfAQueryThatIsNotFiniteIsNotANumber) {
    on_every_target([] {
        const std::vector<double> points = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11},
                                  queries = {0, 0, 0, 0, 0, 0, 0, 0, not_a_number, 0, 0, 0};
        std::vector<double> out(2);
        exp_sum({queries.data(), 2, 6, 6}, {points.data(), 2, 6, 6}, nullptr, out.data());
        EXPECT_TRUE(std::isfinite(out[0]));
        EXPECT_TRUE(std::isnan(out[1]));
    });
}

TEST(SoftmaxGradient, EqualsThePlainLoop) {
    on_every_target([] {
        for (const std::size_t n : {1, 9, 300})
            for (const std::size_t k : {2, 5})
                for (const std::size_t d : {1, 7, 16, 67}) {
                    const bool weighted = (n + d) % 2 == 0;
                    Numbers numbers(n + k);
                    const RowBuffer x(numbers, n, d, 1);
                    const auto centre = numbers.vector(d), coefficient = numbers.vector(k * d, -0.3, 0.3),
                               bias = numbers.vector(k);
                    auto weight = numbers.vector(n, 0, 2);
                    if (n > 3) weight[3] = 0;
                    const auto code = numbers.codes(n, k);
                    std::vector<double> gradient(k * d, 1), gradient_of_bias(k, 1), posterior(k * n);
                    const double loss = softmax_gradient(x.rows, code.data(), weighted ? weight.data() : nullptr,
                                                         centre.data(), coefficient.data(), bias.data(), k,
                                                         gradient.data(), gradient_of_bias.data(), posterior.data());
                    double expected_loss = 0;
                    std::vector<double> expected(k * d, 1), expected_bias(k, 1);
                    for (std::size_t r = 0; r < n; ++r) {
                        std::vector<double> p(k);
                        double sum = 0;
                        for (std::size_t c = 0; c < k; ++c) {
                            p[c] = bias[c];
                            for (std::size_t j = 0; j < d; ++j)
                                p[c] += coefficient[c * d + j] * (x.rows.row(r)[j] - centre[j]);
                            sum += p[c] = std::exp(p[c]);
                        }
                        for (std::size_t c = 0; c < k; ++c) ASSERT_NEAR(posterior[c * n + r], p[c] / sum, 1e-13);
                        if (code[r] < 0) continue;
                        const double w = weighted ? weight[r] : 1;
                        expected_loss -= w * std::log(p[static_cast<std::size_t>(code[r])] / sum);
                        for (std::size_t c = 0; c < k; ++c) {
                            const double residual = w * (p[c] / sum - (static_cast<std::size_t>(code[r]) == c));
                            expected_bias[c] += residual;
                            for (std::size_t j = 0; j < d; ++j)
                                expected[c * d + j] += residual * (x.rows.row(r)[j] - centre[j]);
                        }
                    }
                    EXPECT_NEAR(loss, expected_loss, 1e-12 * static_cast<double>(n));
                    expect_close(gradient, expected, 100 * static_cast<double>(n), "gradient");
                    expect_close(gradient_of_bias, expected_bias, 100 * static_cast<double>(n), "bias gradient");
                }
    });
}

TEST(NearestCentres, FindsTheNearestAndSumsItsRows) {
    on_every_target([] {
        for (const std::size_t d : {1, 2, 9})
            for (const std::size_t k : {1, 3, 12}) {
                const std::size_t n = 270;
                Numbers numbers(d + k);
                const RowBuffer x(numbers, n, d);
                const auto origin = numbers.vector(d), centres = numbers.vector(k * d),
                           weight = numbers.vector(n, 0.5, 2);
                std::vector<std::int32_t> nearest(n);
                std::vector<double> class_weight(k), sum(k * d), distance(n), expected_weight(k), expected_sum(k * d);
                nearest_centres(x.rows, weight.data(), origin.data(), centres.data(), k, nearest.data(),
                                class_weight.data(), sum.data(), distance.data());
                for (std::size_t r = 0; r < n; ++r) {
                    std::size_t best = 0;
                    std::vector<double> squares(k);
                    for (std::size_t c = 0; c < k; ++c) {
                        for (std::size_t j = 0; j < d; ++j) {
                            const double z = x.rows.row(r)[j] - origin[j] - centres[c * d + j];
                            squares[c] += z * z;
                        }
                        if (squares[c] < squares[best]) best = c;
                    }
                    ASSERT_EQ(nearest[r], static_cast<std::int32_t>(best));
                    ASSERT_NEAR(distance[r], squares[best], 1e-13);
                    expected_weight[best] += weight[r];
                    for (std::size_t j = 0; j < d; ++j)
                        expected_sum[best * d + j] += weight[r] * (x.rows.row(r)[j] - origin[j]);
                }
                expect_close(class_weight, expected_weight, n, "weight");
                expect_close(sum, expected_sum, 10 * n, "sum");
            }
    });
}

}  // namespace
}  // namespace suffice::kernel
