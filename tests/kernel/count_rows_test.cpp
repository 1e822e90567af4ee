// Rows of counts and flags, on every instruction set, against the C library's log-gamma.
#include "suffice/kernel/count_rows.hpp"

#include "kernel/every_target.hpp"

namespace suffice::kernel {
namespace {

// std::lgamma in long double, so that its own rounding does not count.
double arrangements_of(Rows rows, std::size_t row) {
    long double total = 0, inside = 0;
    for (std::size_t j = 0; j < rows.column_count; ++j) {
        const auto x = static_cast<long double>(rows.row(row)[j]);
        total += x;
        inside += std::lgamma(x + 1);
    }
    return static_cast<double>(std::lgamma(total + 1) - inside);
}

void expect_arrangements(Rows rows) {
    std::vector<double> found(rows.row_count, -1.0);
    ASSERT_TRUE(log_arrangements(rows, found.data()));
    for (std::size_t row = 0; row < rows.row_count; ++row) {
        double total = 0;
        for (std::size_t j = 0; j < rows.column_count; ++j) total += rows.row(row)[j];
        ASSERT_NEAR(found[row], arrangements_of(rows, row),
                    1e-14 * (std::lgamma(total + 1) + static_cast<double>(rows.column_count) + 1))
            << "row " << row << " of " << rows.column_count << " columns";
    }
}

TEST(LogArrangements, EqualTheLogGammaOfTheCLibrary) {
    on_every_target([] {
        Numbers numbers(5);
        for (const std::size_t n : {1, 3, 8, 17})
            for (const std::size_t d : {1, 2, 7, 8, 9, 33})
                for (const double most : {1.0, 4.0, 15.0, 17.0, 300.0, 1e6}) {
                    RowBuffer buffer(numbers, n, d, d % 2);
                    for (double& x : buffer.values) x = std::floor(most * numbers.uniform() + 0.5);
                    expect_arrangements(buffer.rows);
                    for (double& x : buffer.values) x = most * numbers.uniform();
                    expect_arrangements(buffer.rows);
                }
    });
}

TEST(LogArrangements, OfAwkwardCountsAreRight) {
    on_every_target([] {
        const std::vector<double> values = {0, 1, 15, 16, 15.5, denormal, 0x1p-60, 1 + 0x1p-52, 1e9, 3, 8, 8.5, 7.9999};
        expect_arrangements({values.data(), values.size(), 1, 1});
        std::vector<double> found(values.size());
        ASSERT_TRUE(log_arrangements({values.data(), values.size(), 1, 1}, found.data()));
        for (double each : found) EXPECT_NEAR(each, 0, 1e-5);  // one column has one arrangement: N! / N!
    });
}

TEST(LogArrangements, RefuseWhatIsNoCountWhereverItStands) {
    on_every_target([] {
        for (const std::size_t d : {1, 3, 8, 13})
            for (std::size_t bad = 0; bad < 5 * d; ++bad)
                for (const double value : {-1.0, -denormal, infinity, -infinity, not_a_number}) {
                    std::vector<double> values(5 * d, 2.0), out(5);
                    values[bad] = value;
                    ASSERT_FALSE(log_arrangements({values.data(), 5, d, static_cast<std::ptrdiff_t>(d)}, out.data()));
                }
    });
}

TEST(Flags, AreToldFromOtherNumbersWhereverTheseStand) {
    on_every_target([] {
        for (const std::size_t d : {1, 5, 8, 11}) {
            Numbers numbers(d);
            std::vector<double> values(4 * d);
            for (double& x : values) x = static_cast<double>(numbers.below(2));
            const Rows rows{values.data(), 4, d, static_cast<std::ptrdiff_t>(d)};
            ASSERT_TRUE(are_flags(rows));
            for (std::size_t bad = 0; bad < values.size(); ++bad)
                for (const double value : {0.5, 2.0, -1.0, infinity, not_a_number, 1 + 0x1p-52}) {
                    const double before = values[bad];
                    values[bad] = value;
                    ASSERT_FALSE(are_flags(rows)) << value;
                    values[bad] = before;
                }
        }
    });
}

TEST(Flags, AreOneAboveTheThresholdAndOnlyThere) {
    on_every_target([] {
        Numbers numbers(6);
        for (const std::size_t d : {1, 7, 8, 19}) {
            RowBuffer buffer(numbers, 5, d, 2);
            buffer.values[1] = 0.25;  // equal to the threshold: not above it
            std::vector<double> out(5 * d, -1.0);
            ASSERT_TRUE(to_flags(buffer.rows, 0.25, out.data()));
            std::vector<std::uint8_t> bytes(5 * d + 1, 7);
            ASSERT_TRUE(to_flags(buffer.rows, 0.25, bytes.data()));
            for (std::size_t at = 0; at < out.size(); ++at) {
                ASSERT_EQ(out[at], buffer.rows.row(at / d)[at % d] > 0.25 ? 1.0 : 0.0);
                ASSERT_EQ(bytes[at], out[at]);
            }
            ASSERT_EQ(bytes.back(), 7);
            for (const double value : {infinity, -infinity, not_a_number}) {
                std::vector<double> values(3 * d, 1.0), flags(3 * d);
                values[2 * d + d / 2] = value;
                ASSERT_FALSE(to_flags({values.data(), 3, d, static_cast<std::ptrdiff_t>(d)}, 0, flags.data()));
                ASSERT_FALSE(to_flags({values.data(), 3, d, static_cast<std::ptrdiff_t>(d)}, 0, bytes.data()));
            }
        }
    });
}

TEST(ClassFlagCounts, EqualThePlainLoopForOddShapesStridesAndManyRows) {
    on_every_target([] {
        for (const std::size_t n : {0, 1, 255, 256, 1000})
            for (const std::size_t d : {1, 15, 16, 17, 60, 64, 130})
                for (const std::size_t k : {1, 3, 300}) {
                    Numbers numbers(n + d + k);
                    const std::size_t stride = d + d % 3;
                    std::vector<std::uint8_t> flags(n * stride, 9);
                    const auto code = numbers.codes(n, k);  // some of them negative
                    std::vector<double> weight(k, 1), ones(k * d, 2), expected_weight = weight, expected = ones;
                    for (std::size_t r = 0; r < n; ++r)
                        for (std::size_t j = 0; j < d; ++j) {
                            flags[r * stride + j] = static_cast<std::uint8_t>(numbers.below(8) > 0);
                            if (code[r] < 0 || static_cast<std::size_t>(code[r]) >= k) continue;
                            const auto c = static_cast<std::size_t>(code[r]);
                            if (j == 0) expected_weight[c] += 1;
                            expected[c * d + j] += flags[r * stride + j];
                        }
                    const ByteRows rows{flags.data(), n, d, static_cast<std::ptrdiff_t>(stride)};
                    ASSERT_TRUE(class_flag_counts(rows, code.data(), k, weight.data(), ones.data()));
                    ASSERT_EQ(weight, expected_weight);
                    ASSERT_EQ(ones, expected) << n << " rows of " << d << " columns";
                }
    });
}

TEST(ClassFlagCounts, RefuseOtherNumbersWhereverTheyStand) {
    on_every_target([] {
        for (const std::size_t d : {3, 16, 37})
            for (std::size_t bad = 0; bad < 3 * d; ++bad)
                for (const int value : {2, 128, 255}) {
                    std::vector<std::uint8_t> flags(3 * d, 1);
                    flags[bad] = static_cast<std::uint8_t>(value);
                    std::vector<double> weight(1), ones(d);
                    const ByteRows rows{flags.data(), 3, d, static_cast<std::ptrdiff_t>(d)};
                    ASSERT_FALSE(class_flag_counts(rows, nullptr, 1, weight.data(), ones.data()));
                }
    });
}

}  // namespace
}  // namespace suffice::kernel
