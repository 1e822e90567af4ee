// The generator against numpy's Philox, and the independence of its streams.
#include "suffice/base/random.hpp"

#include <array>
#include <cmath>
#include <fstream>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace suffice {
namespace {

static_assert(std::uniform_random_bit_generator<Rng>);

TEST(Rng, GivesTheWordsOfNumpysPhilox) {
    std::ifstream file(std::string(SUFFICE_SOURCE_DIR) + "/tests/goldens/math_philox.csv");
    std::string line;
    std::getline(file, line);
    Rng rng(0);
    int rows = 0;
    for (; std::getline(file, line); ++rows) {
        std::array<std::uint64_t, 8> cell{};  // key, counter, position, word
        std::size_t begin = 0;
        for (std::uint64_t& value : cell) {
            value = std::stoull(line.substr(begin));
            begin = line.find(',', begin) + 1;
        }
        if (cell[6] == 0) rng = Rng(Rng::Key{cell[0], cell[1]}, Rng::Counter{cell[2], cell[3], cell[4], cell[5]});
        EXPECT_EQ(rng(), cell[7]) << line;
    }
    EXPECT_EQ(rows, 50);
}

TEST(Rng, SeedAloneIsNumpysKey) {
    Rng seeded(42), keyed(Rng::Key{42, 0});
    for (int i = 0; i < 9; ++i) EXPECT_EQ(seeded(), keyed());
}

TEST(Rng, SeedsNamesAndForksGiveDifferentWords) {
    std::set<std::uint64_t> words;
    std::vector<Rng> streams = {Rng(1), Rng(2), Rng(1, "rows"), Rng(1, "start"), Rng(2, "rows")};
    for (std::uint64_t index = 0; index < 50; ++index) {
        streams.push_back(Rng(1).fork(index));
        streams.push_back(Rng(1, "rows").fork(index));
        streams.push_back(Rng(1).fork(3).fork(index));
    }
    for (Rng& stream : streams) {
        for (int i = 0; i < 20; ++i) words.insert(stream());
    }
    EXPECT_EQ(words.size(), streams.size() * 20);
}

TEST(Rng, ForkDoesNotDependOnHowFarTheParentHasDrawn) {
    Rng parent(5, "units");
    Rng before = parent.fork(8);
    for (int i = 0; i < 13; ++i) parent();
    Rng after = parent.fork(8);
    for (int i = 0; i < 10; ++i) EXPECT_EQ(before(), after());
}

TEST(Rng, CopyGoesOnWhereTheOriginalStands) {
    Rng original(3);
    original();
    Rng copy = original;
    for (int i = 0; i < 10; ++i) EXPECT_EQ(original(), copy());
}

TEST(Rng, UniformStaysBelowOneAndHasMeanOneHalf) {
    Rng rng(9);
    double sum = 0;
    const int count = 100000;
    for (int i = 0; i < count; ++i) {
        const double u = rng.uniform(), open = rng.uniform_open();
        EXPECT_TRUE(u >= 0 && u < 1 && open > 0 && open < 1);
        sum += u;
    }
    EXPECT_NEAR(sum / count, 0.5, 5 / std::sqrt(12.0 * count));
}

TEST(Rng, BelowGivesEachNumberEquallyOften) {
    Rng rng(10);
    std::array<int, 7> counts{};
    const int draws = 70000;
    for (int i = 0; i < draws; ++i) ++counts.at(rng.below(7));
    double chi_square = 0;
    for (const int count : counts) chi_square += std::pow(count - draws / 7.0, 2) / (draws / 7.0);
    EXPECT_LT(chi_square, 27.9);  // 1 - 1e-4 quantile, 6 degrees
    const std::uint64_t large = (1ull << 63) + 1;
    for (int i = 0; i < 100; ++i) EXPECT_LT(rng.below(large), large);
}

}  // namespace
}  // namespace suffice
