// Holds products of sparse rows to plain loops, and columns that are none to a refusal.
#include "suffice/kernel/sparse_dots.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace suffice::kernel {
namespace {

template <class Index>
class SparseDots : public testing::Test {};
using Kinds = testing::Types<std::int32_t, std::int64_t>;
TYPED_TEST_SUITE(SparseDots, Kinds);

TYPED_TEST(SparseDots, AreThoseOfAPlainLoop) {
    const std::vector<double> weight = {3, -1, 4, 1, -5, 9, 2};
    std::vector<std::int64_t> row_start = {0};
    std::vector<TypeParam> column;
    std::vector<double> value, expected, out(40, 99.0);
    for (std::size_t row = 0; row < out.size();
         ++row) {  // rows of 0, 1, ..., 9 entries; whole, so that order is nothing
        expected.push_back(0);
        for (std::size_t e = 0; e < row % 10; ++e) {
            const std::size_t j = (row * 3 + e * 5) % weight.size();
            column.push_back(static_cast<TypeParam>(j));
            value.push_back(static_cast<double>(row + e));
            expected.back() += value.back() * weight[j];
        }
        row_start.push_back(static_cast<std::int64_t>(column.size()));
    }
    EXPECT_TRUE(sparse_dots(row_start, column.data(), value.data(), weight, out.data()));
    EXPECT_EQ(out, expected);
    for (const std::int64_t outside : {std::int64_t{7}, std::int64_t{-1}, std::int64_t{2147483647}})
        for (const std::size_t place : {std::size_t{0}, column.size() / 2, column.size() - 1}) {
            std::vector<TypeParam> broken = column;
            broken[place] = static_cast<TypeParam>(outside);
            EXPECT_FALSE(sparse_dots(row_start, broken.data(), value.data(), weight, out.data())) << outside;
        }
    EXPECT_FALSE(sparse_dots(row_start, column.data(), value.data(), {}, out.data()));
    EXPECT_TRUE(sparse_dots(std::span(row_start).first(1), column.data(), value.data(), {}, out.data()));
}

}  // namespace
}  // namespace suffice::kernel
