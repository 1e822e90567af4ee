// Numbers counted by value, then in bins: pieces in any order give the whole, and taking out undoes.
#include "suffice/accumulate/number_counts.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "suffice/base/random.hpp"

namespace suffice {
namespace {

NumberCounts counted(const std::vector<double>& x, std::uint32_t limit = 16) {
    NumberCounts made{.limit = limit, .class_count = 2};
    std::vector<std::uint32_t> code;
    for (std::size_t row = 0; row < x.size(); ++row) code.push_back(static_cast<std::uint32_t>(x[row] > 0));
    const std::vector<double> weight(x.size(), 1.0);
    NumberCounts::Scratch scratch;
    made.observe({x, code, weight}, scratch);
    return made;
}

std::vector<double> drawn(std::size_t count, double scale) {
    Rng rng(5);
    std::vector<double> x;
    for (std::size_t k = 0; k < count; ++k) x.push_back(scale * (rng.uniform() - 0.3));
    return x;
}

void expect_same(const NumberCounts& a, const NumberCounts& b) {
    EXPECT_EQ(a.width, b.width);
    EXPECT_EQ(a.start, b.start);
    EXPECT_EQ(a.weights, b.weights);
    for (std::size_t c = 0; c < 2; ++c) {
        const NumberSums left = a.sums_of(c), right = b.sums_of(c);
        EXPECT_NEAR(left.plain.mean, right.plain.mean, 1e-12 * std::abs(right.plain.mean));
        EXPECT_NEAR(left.plain.scatter, right.plain.scatter, 1e-9 * right.plain.scatter);
        EXPECT_NEAR(left.logs.scatter, right.logs.scatter, 1e-9 * right.logs.scatter);
    }
}

TEST(NumberCounts, PiecesMergeToTheWholeWhicheverComesFirst) {
    for (const double scale : {1e-6, 1.0, 3e9}) {
        const auto x = drawn(300, scale);
        const NumberCounts whole = counted(x);
        ASSERT_TRUE(whole.is_binned());
        EXPECT_TRUE(whole.valid());
        for (const std::size_t cut : {1u, 7u, 40u, 290u}) {
            const std::vector<double> first(x.begin(), x.begin() + cut), rest(x.begin() + cut, x.end());
            NumberCounts forth = counted(first), back = counted(rest);
            forth.merge(counted(rest));
            back.merge(counted(first));
            expect_same(forth, whole);
            expect_same(back, whole);
        }
    }
}

TEST(NumberCounts, FewValuesStayThemselvesAndTakingOutUndoes) {
    std::vector<double> x{1, 2, 2, 5, -1, 5, 5};
    NumberCounts all = counted(x);
    EXPECT_EQ(all.start, (std::vector<double>{-1, 1, 2, 5}));
    NumberCounts some = counted({2, 5, -1});
    all.remove(some);
    expect_same(all, counted({1, 2, 5, 5}));
    EXPECT_EQ(all.fraction_weight, 0);
    EXPECT_EQ(counted({0.5, 1}).fraction_weight, 1);
}

TEST(NumberCounts, BinsGiveBackWhatIsTakenOut) {
    const auto x = drawn(300, 10.0);
    const std::vector<double> first(x.begin(), x.begin() + 200), rest(x.begin() + 200, x.end());
    NumberCounts all = counted(x);
    all.remove(counted(rest));
    const NumberCounts left = counted(first);
    EXPECT_NEAR(all.weight(), left.weight(), 1e-9);
    for (std::size_t c = 0; c < 2; ++c)
        EXPECT_NEAR(all.sums_of(c).plain.scatter, left.sums_of(c).plain.scatter, 1e-8 * left.sums_of(c).plain.scatter);
    all.remove(all);
    EXPECT_TRUE(all.start.empty());
    EXPECT_FALSE(all.is_binned());
}

// Bins of a file that do not meet were written to outside of their memory when two such were merged.
TEST(NumberCounts, BinsThatDoNotMeetAreNotValid) {
    std::vector<double> x;
    for (int k = 0; k < 100; ++k) x.push_back(0.37 * k);
    const NumberCounts sound = counted(x);
    ASSERT_TRUE(sound.is_binned() && sound.valid());
    for (const double factor : {17.0, 1e10, 1.0000000000000002}) {
        NumberCounts other = sound;
        other.width *= factor;
        EXPECT_FALSE(other.valid()) << factor;
    }
    NumberCounts moved = sound;
    moved.start[1] += moved.width / 4;
    EXPECT_FALSE(moved.valid());
}

TEST(NumberCounts, NumbersUpToTheLargestAreCountedInBins) {
    const double largest = std::numeric_limits<double>::max();
    std::vector<double> x;
    for (int k = -50; k <= 50; ++k) x.push_back(largest * (k / 50.0));
    NumberCounts made = counted(x);
    EXPECT_TRUE(made.valid());
    EXPECT_EQ(made.weight(), 101);
    made.merge(counted(x));
    EXPECT_TRUE(made.valid());
    EXPECT_EQ(made.weight(), 202);
}

}  // namespace
}  // namespace suffice
