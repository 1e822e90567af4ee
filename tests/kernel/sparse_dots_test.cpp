// Holds products of sparse rows to plain loops, and columns that are none to a refusal.
#include "suffice/kernel/sparse_dots.hpp"

#include <vector>

#include "kernel/every_target.hpp"

namespace suffice::kernel {
namespace {

template <class Widths>
class SparseDots : public testing::Test {};
using Kinds = testing::Types<std::pair<std::int32_t, std::int32_t>, std::pair<std::int64_t, std::int64_t>,
                             std::pair<std::int32_t, std::int64_t>, std::pair<std::int64_t, std::int32_t>>;
TYPED_TEST_SUITE(SparseDots, Kinds);

// Rows of 0, 1, ..., 39 entries, in any order and with columns twice; whole numbers, so that order is nothing.
template <class Start, class Index>
struct SparseRows {
    std::vector<double> weight = {3, -1, 4, 1, -5, 9, 2};
    std::vector<Start> row_start = {0};
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
            row_start.push_back(static_cast<Start>(column.size()));
        }
    }
    std::vector<double> dots(double bias) const {
        std::vector<double> out(expected.size(), 99.0);
        const bool good = sparse_dots<Start, Index>(row_start, column, value, weight, bias, out.data());
        return good ? out : std::vector<double>();
    }
};

TYPED_TEST(SparseDots, AreThoseOfAPlainLoop) {
    on_every_target([] {
        SparseRows<typename TypeParam::first_type, typename TypeParam::second_type> x;
        EXPECT_EQ(x.dots(0), x.expected);
        for (double& each : x.expected) each += 3;
        EXPECT_EQ(x.dots(3), x.expected);
    });
}

TYPED_TEST(SparseDots, AColumnBeyondTheWeightsIsRefusedWhereverItIs) {
    on_every_target([] {
        using Index = typename TypeParam::second_type;
        using Limits = std::numeric_limits<Index>;
        const SparseRows<typename TypeParam::first_type, Index> x;
        for (const Index outside : {Index{7}, Index{-1}, Index{100}, Limits::max(), Limits::min()})
            for (std::size_t place = 0; place < x.column.size(); place += 7) {
                auto broken = x;
                broken.column[place] = outside;
                EXPECT_TRUE(broken.dots(0).empty()) << outside << " at " << place;
            }
        auto without = x;
        without.weight.clear();
        EXPECT_TRUE(without.dots(0).empty());
        std::ranges::fill(without.row_start, 0);
        EXPECT_EQ(without.dots(2), std::vector<double>(x.expected.size(), 2.0));
    });
}

TYPED_TEST(SparseDots, RowsThatDoNotAscendWithinTheEntriesAreRefused) {
    on_every_target([] {
        using Start = typename TypeParam::first_type;
        const SparseRows<Start, typename TypeParam::second_type> x;
        const auto count = static_cast<Start>(x.column.size());
        using Place = std::pair<std::size_t, Start>;
        for (const auto& [place, start] :
             {Place{0, -1}, Place{5, -3}, Place{30, count}, Place{40, count + 1}, Place{120, count + 1},
              Place{119, std::numeric_limits<Start>::max()}, Place{60, std::numeric_limits<Start>::min()}}) {
            auto broken = x;
            broken.row_start[place] = start;
            EXPECT_TRUE(broken.dots(0).empty()) << start << " at " << place;
        }
    });
}

}  // namespace
}  // namespace suffice::kernel
