// The search for the two nearest centres, against every distance taken one by one.
#include "suffice/kernel/nearest_two.hpp"

#include "kernel/every_target.hpp"

namespace suffice::kernel {
namespace {

TEST(NearestTwo, FindsTheNearestAndTheSecondAmongAnyNumberOfCentres) {
    on_every_target([] {
        for (const std::size_t d : {1, 3, 17})
            for (const std::size_t k : {1, 2, 7, 8, 9, 10, 41}) {
                const std::size_t n = 53;
                Numbers numbers(100 * d + k);
                const RowBuffer x(numbers, n, d, 2);
                const auto origin = numbers.vector(d), centres = numbers.vector(k * d);
                const PackedCentres packed(centres.data(), k, d);
                std::vector<std::int32_t> nearest(n);
                std::vector<double> square(n), second(n);
                nearest_two(x.rows, origin.data(), packed, nearest.data(), square.data(), second.data());
                for (std::size_t r = 0; r < n; ++r) {
                    std::vector<double> all(k);
                    for (std::size_t c = 0; c < k; ++c)
                        for (std::size_t j = 0; j < d; ++j) {
                            const double z = x.rows.row(r)[j] - origin[j] - centres[c * d + j];
                            all[c] += z * z;
                        }
                    const auto best = std::min_element(all.begin(), all.end());
                    ASSERT_EQ(nearest[r], best - all.begin());
                    ASSERT_NEAR(square[r], *best, 1e-12 * static_cast<double>(d));
                    std::sort(all.begin(), all.end());
                    if (k == 1)
                        ASSERT_EQ(second[r], infinity);
                    else
                        ASSERT_NEAR(second[r], all[1], 1e-12 * static_cast<double>(d));
                }
            }
    });
}

TEST(NearestTwo, TakesTheFirstOfEqualCentres) {
    on_every_target([] {
        const std::vector<double> centres(12, 1.0), origin(1), row(1);
        std::int32_t nearest = -1;
        double square = 0, second = 0;
        nearest_two({row.data(), 1, 1, 1}, origin.data(), PackedCentres(centres.data(), 12, 1), &nearest, &square,
                    &second);
        EXPECT_EQ(nearest, 0);
        EXPECT_EQ(square, second);
    });
}

}  // namespace
}  // namespace suffice::kernel
