// Products of dense rows with weights against plain loops, on every instruction set.
#include "suffice/kernel/row_dots.hpp"

#include "kernel/every_target.hpp"

namespace suffice::kernel {
namespace {

TEST(RowDots, EqualThePlainLoop) {
    on_every_target([] {
        for (const std::size_t n : {1, 2, 7, 8, 9, 40})
            for (const std::size_t d : {1, 2, 3, 4, 7, 8, 9, 16, 30, 31, 32, 33, 63, 64, 65, 100, 201})
                for (const std::size_t gap : {0, 3}) {
                    Numbers numbers(n * 1000 + d);
                    const RowBuffer x(numbers, n, d, gap);
                    const auto weight = numbers.vector(d);
                    std::vector<float> narrow(x.values.begin(), x.values.end());
                    const FloatRows floats{narrow.data() + 1, n, d, x.rows.stride};
                    std::vector<double> found(n), found_floats(n), expected(n, 0.5), expected_floats(n, 0.5);
                    for (std::size_t r = 0; r < n; ++r)
                        for (std::size_t j = 0; j < d; ++j) {
                            expected[r] += weight[j] * x.rows.row(r)[j];
                            expected_floats[r] += weight[j] * static_cast<double>(floats.row(r)[j]);
                        }
                    row_dots(x.rows, weight.data(), 0.5, found.data());
                    row_dots(floats, weight.data(), 0.5, found_floats.data());
                    expect_close(found, expected, 4.0 * static_cast<double>(d), "dot");
                    expect_close(found_floats, expected_floats, 4.0 * static_cast<double>(d), "dot of floats");
                }
    });
}

TEST(RowDots, ARowHasTheSameBitsInAnyCompany) {
    on_every_target([] {
        for (const std::size_t d : {5, 30, 90}) {
            Numbers numbers(d);
            const RowBuffer x(numbers, 21, d);
            const auto weight = numbers.vector(d);
            std::vector<double> all(21), alone(1);
            row_dots(x.rows, weight.data(), -1, all.data());
            for (std::size_t r = 0; r < all.size(); ++r) {
                row_dots(x.rows.slice(r, 1), weight.data(), -1, alone.data());
                EXPECT_EQ(alone[0], all[r]) << r;
            }
        }
    });
}

TEST(RowDots, OfNoColumnsAreTheBiasAndOfNoRowsNothing) {
    on_every_target([] {
        const double nothing = 0;
        std::vector<double> out(3, 9.0);
        row_dots(Rows{&nothing, 3, 0, 0}, &nothing, 2.5, out.data());
        EXPECT_EQ(out, std::vector<double>(3, 2.5));
        row_dots(Rows{&nothing, 0, 1, 1}, &nothing, 7.0, out.data());
        EXPECT_EQ(out, std::vector<double>(3, 2.5));
    });
}

TEST(RowDots, WhatIsNotFiniteStaysSo) {
    on_every_target([] {
        Numbers numbers(3);
        RowBuffer x(numbers, 20, 30);
        const auto weight = numbers.vector(30);
        x.values[1 + 4 * 30 + 29] = not_a_number;
        x.values[1 + 17 * 30 + 2] = infinity;
        std::vector<double> out(20);
        row_dots(x.rows, weight.data(), 0, out.data());
        for (std::size_t r = 0; r < out.size(); ++r) EXPECT_EQ(std::isfinite(out[r]), r != 4 && r != 17) << r;
    });
}

}  // namespace
}  // namespace suffice::kernel
