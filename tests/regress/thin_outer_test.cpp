// Sums along the entries of thin rows are those of the rows filled in, on every instruction set of this machine.
#include "suffice/regress/thin_outer.hpp"

#include "kernel/every_target.hpp"
#include <gtest/gtest.h>

namespace suffice {
namespace {

struct Thin {
    std::vector<std::int64_t> row_start{0};
    std::vector<std::uint32_t> column;
    std::vector<double> value, filled;
    std::size_t d;

    // `common` columns that nearly every row has and three others; whole numbers, so that sums are exact in any order.
    Thin(std::size_t rows, std::size_t common, std::size_t others) : d(common + others) {
        filled.resize(rows * d);
        for (std::size_t row = 0; row < rows; ++row) {
            const auto put = [&](std::size_t j, double x) {
                column.push_back(static_cast<std::uint32_t>(j));
                value.push_back(x);
                filled[row * d + j] += x;
            };
            for (std::size_t t = 0; t < 3; ++t) {  // not in the order of columns
                const std::size_t j = common + (row * 5 + t * 3) % others;
                put(j, static_cast<double>(1 + (row + t) % 4));
                if (row % 7 == 0) put(j, 2);  // in two pieces
            }
            for (std::size_t j = 0; j < common; ++j)
                if (row % 50 != j) put(j, static_cast<double>((row * 3 + j) % 11) - 5);
            row_start.push_back(static_cast<std::int64_t>(column.size()));
        }
    }
    SparseBlock block() const { return {row_start, column, value, d}; }
};

TEST(ThinRows, SumsAlongEntriesAreThoseOfTheRowsFilledIn) {
    kernel::on_every_target([] {
        for (const std::size_t common : {0u, 1u, 6u, 7u, 8u, 20u, 31u, 40u}) {
            const Thin thin(300, common, 17);
            const SparseBlock block = thin.block();
            const std::size_t d = thin.d;
            ThinSplit split(block);
            EXPECT_EQ(split.common().size(), std::min<std::size_t>(common, 31));
            ThinSums sums(split, d);
            ThinSquares squares(split, d);
            std::vector<double> weight(300), sum(d), square_sum(d), square(d * d), expected(d), products(d * d);
            double total = 0;
            for (std::size_t row = 0; row < 300; ++row) {
                weight[row] = static_cast<double>(row % 4);
                total += weight[row];
                const double* x = thin.filled.data() + row * d;
                for (std::size_t i = 0; i < d; ++i) {
                    expected[i] += weight[row] * x[i];
                    for (std::size_t j = 0; j <= i; ++j) products[i * d + j] += weight[row] * x[i] * x[j];
                }
            }
            for (const auto& [first, count] : {std::pair<std::size_t, std::size_t>{0, 111}, {111, 1}, {112, 188}}) {
                const kernel::ThinRows rows = split.rows(first, count);
                sums.add(rows, weight.data() + first);
                squares.add(rows, weight.data() + first);
            }
            EXPECT_EQ(sums.add_to(sum.data()), total);
            EXPECT_EQ(squares.add_to(square_sum.data(), square.data()), total);
            EXPECT_EQ(sum, expected) << common;
            EXPECT_EQ(square_sum, expected) << common;
            EXPECT_EQ(square, products) << common;
        }
    });
}

}  // namespace
}  // namespace suffice
