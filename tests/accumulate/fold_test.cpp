// One pass over rows: the same bits for any number of threads, errors of the earliest unit, and a way to stop.
#include "suffice/accumulate/fold.hpp"

#include <cmath>
#include <stdexcept>

#include <gtest/gtest.h>

#include "suffice/accumulate/in_order.hpp"
#include "suffice/data/rows_of.hpp"
#include "suffice/data/stream_over.hpp"

namespace suffice {
namespace {

// The sum of a column, which is not associative in floating point.
struct Sum {
    double total = 0, count = 0;
    double weight() const { return count; }
    void merge(const Sum& from) {
        total += from.total;
        count += from.count;
    }
    bool operator==(const Sum&) const = default;
};

struct SumPass {
    using Statistic = Sum;
    std::uint64_t fails_at = ~std::uint64_t{0};  // row
    std::uint64_t throws_at = ~std::uint64_t{0};
    std::size_t bytes = 16;

    Sum empty() const { return {}; }
    std::size_t footprint() const { return bytes; }
    Result<void> observe(Sum& into, const LabeledBlock& unit, const Schema&, Workspace&) const {
        for (std::size_t row = 0; row < unit.size(); ++row) {
            if (unit.first_row + row >= fails_at) return Error("bad row").at_row(unit.first_row + row + 1);
            if (unit.first_row + row >= throws_at) throw std::runtime_error("a fault of ours");
            into.total += value_at(unit.rows, row, 0);
            into.count += 1;
        }
        return {};
    }
};

std::vector<double> numbers(std::size_t count) {
    std::vector<double> all;
    for (std::size_t k = 0; k < count; ++k) all.push_back(std::sin(static_cast<double>(k)) * 1e3);
    return all;
}

MemoryStream stream_of(const std::vector<double>& values) {
    Schema names;
    names.columns = {{"x"}};
    return {{DenseBlock{values.data(), Element::f64, values.size(), 1, 1, 1}, {}, {}, 0}, names};
}

Context threads(unsigned count) {
    Context context;
    context.thread_count = count;
    return context;
}

// Rows from `first` on, whose units are blocks among all rows.
class Blocks final : public StreamOver {
public:
    Blocks(const std::vector<double>& values, std::size_t first, std::size_t end)
        : StreamOver(rows_),
          part_(values.begin() + first, values.begin() + end),
          rows_(stream_of(part_)),
          first_(first) {}
    std::unique_ptr<Lane> lane() const override { return rows_.lane(); }
    Result<LabeledBlock> decode(Drawn& unit, Lane& lane) const override {
        auto block = rows_.decode(unit, lane);
        if (block) block->first_row += first_;
        return block;
    }
    RowBlocks blocks() const override { return {first_, MemoryStream::unit_rows}; }

private:
    std::vector<double> part_;
    MemoryStream rows_;
    std::uint64_t first_;
};

TEST(Fold, HasTheSameBitsForAnyBlocksInAnyPartsAndOrder) {
    constexpr std::size_t block = MemoryStream::unit_rows, count = 13 * block + 77;
    const auto values = numbers(count);
    const auto whole = [&](unsigned thread_count) {
        Blocks stream(values, 0, count);
        return fold(SumPass{}, stream, threads(thread_count)).value();
    };
    const Sum expected = whole(1);
    EXPECT_EQ(expected.count, count);
    for (unsigned thread_count : {2u, 3u, 7u}) EXPECT_EQ(whole(thread_count), expected);
    const std::vector<std::vector<std::size_t>> ways{{0, 3, 4, 13, 14}, {0, 7, 14}, {0, 1, 2, 3, 5, 8, 13, 14}};
    for (const auto& cuts : ways) {
        BlockTree<Sum> tree;
        for (std::size_t k = cuts.size() - 1; k-- > 0;) {  // the last part comes first
            Blocks part(values, cuts[k] * block, std::min(cuts[k + 1] * block, count));
            auto sums = fold_sums(SumPass{}, part, threads(2)).value();
            for (auto& sum : std::move(sums).take()) ASSERT_TRUE(tree.add(std::move(sum), MergeStatistics{}));
        }
        EXPECT_LE(tree.size(), 4u);  // 8 + 4 + 1 blocks, and the rest
        EXPECT_EQ(std::move(tree).all({}, MergeStatistics{}).value(), expected);
    }
}

TEST(Fold, AddsRowsThatAreCutAnywhereInTheirOrder) {
    BlockTree<Sum> tree;
    for (const std::uint64_t first : {20u, 0u, 20u, 7u})  // two parts that claim the same rows both count
        ASSERT_TRUE(tree.add({first, 0, {1.0, 1.0}}, MergeStatistics{}));
    EXPECT_EQ(tree.size(), 4u);
    EXPECT_EQ(std::move(tree).all({}, MergeStatistics{}).value(), (Sum{4, 4}));
    EXPECT_EQ(BlockTree<Sum>().all({}, MergeStatistics{}).value(), Sum{});
}

TEST(Fold, HasTheSameBitsForAnyNumberOfThreads) {
    const auto values = numbers(300'001);
    Sum first;
    for (unsigned count : {1u, 2u, 3u, 7u}) {
        auto stream = stream_of(values);
        const Sum sum = fold(SumPass{}, stream, threads(count)).value();
        EXPECT_EQ(sum.count, 300'001);
        if (count == 1) first = sum;
        EXPECT_EQ(sum, first) << count << " threads";
    }
}

TEST(Fold, FewerLanesWhenStatisticsAreLarge) {
    EXPECT_EQ(lane_count(16, 0), 16u);
    EXPECT_EQ(lane_count(std::size_t{64} << 20, 0), 2u);
    EXPECT_EQ(lane_count(std::size_t{8} << 20, 0), 7u);
    EXPECT_EQ(lane_count(16, 3), 3u);
    const auto values = numbers(100'000);
    auto stream = stream_of(values);
    SumPass large;
    large.bytes = std::size_t{64} << 20;
    EXPECT_EQ(fold(large, stream, threads(4)).value().count, 100'000);
}

TEST(Fold, NoRowsGiveTheEmptyStatistic) {
    const std::vector<double> none;
    auto stream = stream_of(none);
    EXPECT_EQ(fold(SumPass{}, stream, threads(2)).value(), Sum{});
}

TEST(Fold, TheEarliestFailingUnitIsReported) {
    const auto values = numbers(400'000);
    for (unsigned count : {1u, 2u, 5u}) {
        auto stream = stream_of(values);
        const auto failed = fold(SumPass{150'000}, stream, threads(count));
        ASSERT_FALSE(failed);
        EXPECT_EQ(failed.error().row, 150'001u);
    }
}

TEST(Fold, AnExceptionReachesTheCaller) {
    const auto values = numbers(400'000);
    auto stream = stream_of(values);
    SumPass faulty;
    faulty.throws_at = 200'000;
    EXPECT_THROW(static_cast<void>(fold(faulty, stream, threads(3))), std::runtime_error);
}

TEST(Fold, StopsWhenAsked) {
    const auto values = numbers(400'000);
    auto stream = stream_of(values);
    std::atomic<bool> stop{true};
    Context context = threads(2);
    context.cancelled = &stop;
    EXPECT_EQ(fold(SumPass{}, stream, context).error().kind, ErrorKind::cancelled);
}

TEST(InOrder, ResultsComeInTheOrderOfTheRows) {
    const auto values = numbers(200'000);
    for (unsigned count : {1u, 2u, 5u}) {
        auto stream = stream_of(values);
        std::uint64_t expected = 0;
        const auto work = [](const LabeledBlock& unit, const Stream::Drawn&, const Stream::Lane&,
                             Workspace&) -> Result<std::pair<std::uint64_t, std::size_t>> {
            return std::pair{unit.first_row, unit.size()};
        };
        const auto emit = [&](std::pair<std::uint64_t, std::size_t> unit) -> Result<void> {
            EXPECT_EQ(unit.first, expected);
            expected += unit.second;
            return {};
        };
        EXPECT_TRUE(map_in_order(stream, threads(count), work, emit));
        EXPECT_EQ(expected, 200'000u);
    }
}

TEST(InOrder, EverythingBeforeAFailureIsEmitted) {
    const auto values = numbers(200'000);
    auto stream = stream_of(values);
    std::uint64_t emitted = 0;
    const auto work = [](const LabeledBlock& unit, const Stream::Drawn&, const Stream::Lane&,
                         Workspace&) -> Result<std::size_t> {
        if (unit.first_row >= 100'000) return Error("bad").at_row(unit.first_row + 1);
        return unit.size();
    };
    const auto failed = map_in_order(stream, threads(3), work, [&](std::size_t rows) -> Result<void> {
        emitted += rows;
        return {};
    });
    ASSERT_FALSE(failed);
    EXPECT_EQ(failed.error().row, emitted + 1);
}

}  // namespace
}  // namespace suffice
