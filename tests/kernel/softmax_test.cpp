// Softmax, argmax, exponential and logarithm against plain loops and the C library, on every instruction set.
#include "suffice/kernel/softmax.hpp"

#include <bit>

#include "kernel/every_target.hpp"

#include "suffice/kernel/reference.hpp"

namespace suffice::kernel {
namespace {

struct Scores {
    std::size_t n, k, stride;
    std::vector<double> values;
    Scores(Numbers& numbers, std::size_t rows, std::size_t classes, double size)
        : n(rows), k(classes), stride(rows + 2), values(numbers.vector((k - 1) * stride + n, -size, size)) {}
    Tile tile() { return {values.data(), n, k, stride}; }
};

TEST(TwoPosteriors, HaveTheBitsOfSoftmax) {
    on_every_target([] {
        Numbers numbers(5);
        auto difference = numbers.vector(61, -40, 40);
        for (const double each : {0.0, -0.0, 1e-300, 700.0, -709.0, 5000.0, -1e308}) difference.push_back(each);
        const std::size_t n = difference.size();
        std::vector<double> found(2 * n), scores(2 * n, 0.0);
        std::ranges::copy(difference, scores.begin() + static_cast<std::ptrdiff_t>(n));
        two_posteriors(difference.data(), n, found.data());
        softmax({scores.data(), n, 2, n}, nullptr);
        for (std::size_t r = 0; r < n; ++r) {
            EXPECT_EQ(found[2 * r], scores[r]) << difference[r];
            EXPECT_EQ(found[2 * r + 1], scores[n + r]) << difference[r];
        }
        const double hole = not_a_number;
        two_posteriors(&hole, 1, found.data());
        EXPECT_TRUE(std::isnan(found[0]) && std::isnan(found[1]));
    });
}

TEST(Softmax, EqualsThePlainLoop) {
    on_every_target([] {
        for (const std::size_t n : {1, 2, 7, 8, 9, 31, 64})
            for (const std::size_t k : {1, 2, 3, 5, 8, 17})
                for (const double size : {1.0, 50.0, 1000.0}) {
                    Numbers numbers(n * k);
                    Scores found(numbers, n, k, size), expected = found, logs = found, expected_logs = found;
                    std::vector<double> evidence(n), expected_evidence(n);
                    softmax(found.tile(), evidence.data());
                    reference::softmax(expected.tile(), expected_evidence.data());
                    for (std::size_t r = 0; r < n; ++r) {
                        double sum = 0;
                        for (std::size_t c = 0; c < k; ++c) {
                            sum += found.tile().of_class(c)[r];
                            ASSERT_NEAR(found.tile().of_class(c)[r], expected.tile().of_class(c)[r], 3e-13);
                        }
                        ASSERT_NEAR(sum, 1, 1e-15 * static_cast<double>(k));
                    }
                    expect_close(evidence, expected_evidence, 1, "log evidence");
                    log_softmax(logs.tile(), evidence.data());
                    reference::log_softmax(expected_logs.tile(), expected_evidence.data());
                    expect_close(logs.values, expected_logs.values, size, "log posterior");
                    expect_close(evidence, expected_evidence, 1, "log evidence");
                }
    });
}

TEST(Softmax, IsFiniteForHugeScoresAndForMinusInfinity) {
    on_every_target([] {
        for (const std::size_t n : {3, 8, 21}) {
            const std::size_t k = 3;
            std::vector<double> values(n * k, -1e300), evidence(n);
            const Tile tile{values.data(), n, k, n};
            for (std::size_t r = 0; r < n; ++r) tile.of_class(1)[r] = 1e300;
            for (std::size_t c = 0; c < k; ++c) tile.of_class(c)[1] = -infinity;  // nothing possible
            tile.of_class(0)[2] = -infinity, tile.of_class(2)[2] = tile.of_class(1)[2] = -745;
            std::vector<double> logs = values;
            softmax(tile, evidence.data());
            log_softmax({logs.data(), n, k, n}, evidence.data());
            EXPECT_EQ(tile.of_class(1)[0], 1);
            EXPECT_EQ(tile.of_class(0)[0], 0);
            for (std::size_t c = 0; c < k; ++c) EXPECT_DOUBLE_EQ(tile.of_class(c)[1], 1.0 / 3);
            EXPECT_EQ(evidence[1], -infinity);
            EXPECT_DOUBLE_EQ(logs[1], -std::log(3.0));
            EXPECT_EQ(tile.of_class(0)[2], 0);
            EXPECT_EQ(tile.of_class(1)[2], 0.5);
            EXPECT_DOUBLE_EQ(evidence[2], -745 + std::log(2.0));
        }
    });
}

TEST(Softmax, KeepsNotANumberWithinItsRow) {
    on_every_target([] {
        for (std::size_t bad = 0; bad < 3; ++bad) {
            std::vector<double> values(3 * 17, 0.5);
            const Tile tile{values.data(), 17, 3, 17};
            tile.of_class(bad)[4] = not_a_number;
            tile.of_class(bad)[16] = not_a_number;
            softmax(tile, nullptr);
            for (std::size_t c = 0; c < 3; ++c)
                for (std::size_t r = 0; r < 17; ++r) EXPECT_EQ(std::isnan(tile.of_class(c)[r]), r == 4 || r == 16) << r;
        }
    });
}

TEST(Argmax, TakesTheFirstOfEqualsAndNeverNotANumber) {
    on_every_target([] {
        for (const std::size_t n : {1, 7, 8, 30}) {
            Numbers numbers(n);
            Scores scores(numbers, n, 6, 2);
            for (double& value : scores.values) value = std::floor(value);
            scores.values[0] = not_a_number;
            std::vector<std::int32_t> found(n), expected(n);
            argmax(scores.tile(), found.data());
            reference::argmax(scores.tile(), expected.data());
            EXPECT_EQ(found, expected);
        }
    });
}

TEST(TransposeOut, WritesRowsAndNothingElse) {
    on_every_target([] {
        for (const std::size_t n : {1, 2, 8, 9, 17, 40})
            for (const std::size_t k : {1, 2, 3, 5, 8, 9, 16, 19})
                for (const std::size_t gap : {0, 3}) {
                    Numbers numbers(n + k);
                    Scores scores(numbers, n, k, 2);
                    std::vector<double> out((n - 1) * (k + gap) + k, 99.0);
                    transpose_out(scores.tile(), out.data(), static_cast<std::ptrdiff_t>(k + gap));
                    for (std::size_t i = 0; i < out.size(); ++i) {
                        const std::size_t r = i / (k + gap), c = i % (k + gap);
                        ASSERT_EQ(out[i], c < k ? scores.tile().of_class(c)[r] : 99.0) << n << " " << k << " " << gap;
                    }
                }
    });
}

TEST(Exponential, IsWithinTwoUlpsOfTheTruthOverTheWholeRange) {
    on_every_target([] {
        Numbers numbers(5);
        std::vector<double> values = numbers.vector(20'001, -708, 709.7);
        const std::vector<double> arguments = values;
        exp_in_place(values.data(), values.size());
        for (std::size_t i = 0; i < values.size(); ++i) {
            const long double truth = std::exp(static_cast<long double>(arguments[i]));
            ASSERT_LT(std::fabs(static_cast<double>((static_cast<long double>(values[i]) - truth) / truth)), 4e-16)
                << arguments[i];
        }
        std::vector<double> special = {0.0, -0.0, infinity, -infinity,        not_a_number,
                                       710, -709, denormal, 709.7827128933839};
        special[4] = std::bit_cast<double>(std::uint64_t{0x7ff00000000007a2});  // R's NA
        exp_in_place(special.data(), special.size());
        EXPECT_EQ(special[0], 1);
        EXPECT_EQ(special[1], 1);
        EXPECT_EQ(special[2], infinity);
        EXPECT_EQ(special[3], 0);
        EXPECT_TRUE(std::isnan(special[4]));
        EXPECT_EQ(special[5], infinity);
        EXPECT_EQ(special[6], 0);
        EXPECT_EQ(special[7], 1);
        EXPECT_NEAR(special[8] / std::exp(709.7827128933839), 1, 4e-16);
    });
}

TEST(Logarithm, IsWithinTwoUlpsOfTheTruthOverTheWholeRange) {
    on_every_target([] {
        Numbers numbers(6);
        std::vector<double> arguments = numbers.vector(10'003, 0.4, 2.5);
        for (const double power : numbers.vector(10'000, -1070, 1023)) arguments.push_back(std::exp2(power));
        for (const double x :
             {1.0, 2.0, 0.5, denormal, 5e-324, 1.7976931348623157e308, 0.7071067811865476, 1 + 2.3e-16})
            arguments.push_back(x);
        std::vector<double> values = arguments;
        log_in_place(values.data(), values.size());
        for (std::size_t i = 0; i < values.size(); ++i) {
            const long double truth = std::log(static_cast<long double>(arguments[i]));
            ASSERT_LE(std::fabs(static_cast<double>(static_cast<long double>(values[i]) - truth)),
                      4e-16 * std::fabs(static_cast<double>(truth)))
                << arguments[i];
        }
        std::vector<double> special = {0.0, -0.0, infinity, -infinity, not_a_number, -1};
        log_in_place(special.data(), special.size());
        EXPECT_EQ(special[0], -infinity);
        EXPECT_EQ(special[1], -infinity);
        EXPECT_EQ(special[2], infinity);
        EXPECT_TRUE(std::isnan(special[3]) && std::isnan(special[4]) && std::isnan(special[5]));
    });
}

}  // namespace
}  // namespace suffice::kernel
