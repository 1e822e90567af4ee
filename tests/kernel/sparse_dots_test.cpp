// Holds products of sparse rows to plain loops, and columns that are none to a refusal.
#include "suffice/kernel/sparse_dots.hpp"

#include <vector>

#include "kernel/every_target.hpp"

namespace suffice::kernel {
namespace {

template <class Index>
class SparseDots : public testing::Test {};
using Kinds = testing::Types<std::int32_t, std::int64_t>;
TYPED_TEST_SUITE(SparseDots, Kinds);

// Rows of 0, 1, ..., 39 entries, in any order and with columns twice; whole numbers, so that order is nothing.
template <class Index>
struct SparseRows {
    std::vector<double> weight = {3, -1, 4, 1, -5, 9, 2};
    std::vector<std::int64_t> row_start = {0};
    std::vector<Index> column;
    std::vector<double> value, expected;

    SparseRows() {
        for (std::size_t row = 0; row < 120; ++row) {
            expected.push_back(0);
            for (std::size_t e = 0; e < row % 40; ++e) {
                const std::size_t j = (row * 3 + e * 5) % weight.size();
                column.push_back(static_cast<Index>(j));
                value.push_back(static_cast<double>(row + e) - 40);
                expected.back() += value.back() * weight[j];
            }
            row_start.push_back(static_cast<std::int64_t>(column.size()));
        }
    }
};

TYPED_TEST(SparseDots, AreThoseOfAPlainLoop) {
    on_every_target([] {
        const SparseRows<TypeParam> x;
        std::vector<double> out(x.expected.size(), 99.0);
        EXPECT_TRUE(sparse_dots(x.row_start, x.column.data(), x.value.data(), x.weight, out.data()));
        EXPECT_EQ(out, x.expected);
    });
}

TYPED_TEST(SparseDots, AColumnBeyondTheWeightsIsRefusedWhereverItIs) {
    on_every_target([] {
        const SparseRows<TypeParam> x;
        std::vector<double> out(x.expected.size());
        using Limits = std::numeric_limits<TypeParam>;
        for (const TypeParam outside : {TypeParam{7}, TypeParam{-1}, TypeParam{100}, Limits::max(), Limits::min()})
            for (std::size_t place = 0; place < x.column.size(); place += 7) {
                std::vector<TypeParam> broken = x.column;
                broken[place] = outside;
                EXPECT_FALSE(sparse_dots(x.row_start, broken.data(), x.value.data(), x.weight, out.data())) << outside;
            }
        EXPECT_FALSE(sparse_dots(x.row_start, x.column.data(), x.value.data(), {}, out.data()));
        EXPECT_TRUE(sparse_dots(std::span(x.row_start).first(1), x.column.data(), x.value.data(), {}, out.data()));
    });
}

}  // namespace
}  // namespace suffice::kernel
