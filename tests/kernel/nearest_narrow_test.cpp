// The search in single precision, against every distance taken one by one in double.
#include "suffice/kernel/nearest_narrow.hpp"

#include "kernel/every_target.hpp"

namespace suffice::kernel {
namespace {

struct NarrowSearch {
    std::vector<std::int32_t> nearest;
    std::vector<float> upper, lower;

    NarrowSearch(Rows rows, const std::vector<double>& origin, const std::vector<double>& centres, double scale) {
        const std::size_t n = rows.row_count, d = rows.column_count, whole = narrow_size(n, 1);
        std::vector<float> tiles(narrow_size(n, d)), square(whole);
        nearest.resize(whole);
        upper.resize(whole);
        lower.resize(whole);
        narrow_rows(rows, origin.data(), scale, tiles.data(), square.data());
        nearest_narrow(tiles.data(), square.data(), n, NarrowCentres(centres.data(), centres.size() / d, d, scale),
                       nearest.data(), upper.data(), lower.data());
    }
};

TEST(NearestNarrow, IsNeverSureOfAWrongCentreAndItsBoundsHold) {
    on_every_target([] {
        for (const std::size_t d : {1, 3, 17, 200})
            for (const std::size_t k : {1, 2, 7, 8, 10, 41}) {
                const std::size_t n = 77;
                Numbers numbers(100 * d + k);
                const RowBuffer x(numbers, n, d, 2);
                const auto origin = numbers.vector(d), centres = numbers.vector(k * d);
                const double scale = 0.37;
                const NarrowSearch found(x.rows, origin, centres, scale);
                std::size_t sure = 0;
                for (std::size_t r = 0; r < n; ++r) {
                    std::vector<double> all(k);
                    for (std::size_t c = 0; c < k; ++c) {
                        for (std::size_t j = 0; j < d; ++j) {
                            const double z = x.rows.row(r)[j] - origin[j] - centres[c * d + j];
                            all[c] += z * z;
                        }
                        all[c] = std::sqrt(all[c]) * scale;
                    }
                    const auto best = std::min_element(all.begin(), all.end());
                    const std::int32_t which = found.nearest[r];
                    if (which < 0) continue;
                    ++sure;
                    ASSERT_EQ(which, best - all.begin());
                    ASSERT_GE(static_cast<double>(found.upper[r]), *best);
                    ASSERT_LT(static_cast<double>(found.upper[r]), *best + 0.02);
                    std::sort(all.begin(), all.end());
                    if (k == 1) continue;
                    ASSERT_LE(static_cast<double>(found.lower[r]), all[1]);
                    ASSERT_GT(static_cast<double>(found.lower[r]), all[1] - 0.02);
                }
                ASSERT_GT(sure, n * 9 / 10);
            }
    });
}

TEST(NearestNarrow, LeavesTiesAndWhatOverflowsOpen) {
    on_every_target([] {
        const std::vector<double> row{0.5}, origin{0.0};
        const Rows rows{row.data(), 1, 1, 1};
        EXPECT_EQ(NarrowSearch(rows, origin, {1, 1, 4}, 1).nearest[0], -1);
        EXPECT_EQ(NarrowSearch(rows, origin, {0, 1 + 1e-9}, 1).nearest[0], -1);
        EXPECT_EQ(NarrowSearch(rows, origin, {0.4, 1e30}, 1).nearest[0], -1);
        EXPECT_EQ(NarrowSearch(rows, origin, {0.1, 1}, 1).nearest[0], 0);
    });
}

TEST(NearestNarrow, RowsAreOpenWhereLoosenedBoundsMeet) {
    on_every_target([] {
        const std::size_t n = 100, k = 5;
        Numbers numbers(3);
        std::vector<std::int32_t> nearest(n);
        std::vector<float> upper(n), lower(n), moved(k), passed(k), gap(k);
        for (auto& each : nearest) each = static_cast<std::int32_t>(numbers.below(k));
        for (auto* all : {&upper, &lower, &moved, &passed, &gap})
            for (float& each : *all) each = static_cast<float>(numbers.uniform());
        std::vector<std::uint32_t> expected, open(n + 16);
        for (std::size_t r = 0; r < n; ++r) {
            const auto own = static_cast<std::size_t>(nearest[r]);
            if (!(upper[r] + moved[own] < std::max(gap[own], lower[r] - passed[own])))
                expected.push_back(static_cast<std::uint32_t>(r));
        }
        const auto before = upper;
        open.resize(loosen_bounds(nearest.data(), n, moved.data(), passed.data(), gap.data(), upper.data(),
                                  lower.data(), open.data()));
        EXPECT_EQ(open, expected);
        for (std::size_t r = 0; r < n; ++r)
            EXPECT_GE(upper[r], before[r] + moved[static_cast<std::size_t>(nearest[r])]);
    });
}

}  // namespace
}  // namespace suffice::kernel
