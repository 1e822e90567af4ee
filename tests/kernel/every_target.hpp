// Runs a test once per instruction set that this machine has, and makes awkward data for it.
#pragma once
#include "suffice/kernel/targets.hpp"
// after targets.hpp
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>
#include <hwy/highway.h>

#include "suffice/base/limits.hpp"
#include "suffice/kernel/rows.hpp"

namespace suffice::kernel {

template <class Body>
void on_every_target(Body body) {
    const std::vector<std::int64_t> targets = hwy::SupportedAndGeneratedTargets();
    ASSERT_FALSE(targets.empty());
    for (const std::int64_t target : targets) {
        SCOPED_TRACE(hwy::TargetName(target));
        hwy::SetSupportedTargetsForTest(target);
        hwy::GetChosenTarget().Update(target);
        body();
        hwy::SetSupportedTargetsForTest(0);
    }
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

class Numbers {
public:
    explicit Numbers(std::uint64_t seed) : random_(seed) {}

    double uniform() { return static_cast<double>(random_() >> 11) * 0x1p-53; }
    std::size_t below(std::size_t count) { return static_cast<std::size_t>(random_() % count); }
    std::vector<double> vector(std::size_t count, double low = -2, double high = 2) {
        std::vector<double> values(count);
        for (double& value : values) value = low + (high - low) * uniform();
        return values;
    }
    // Classes from -1 (no class) to count - 1.
    std::vector<std::int32_t> codes(std::size_t count, std::size_t class_count) {
        std::vector<std::int32_t> values(count);
        for (std::int32_t& value : values) value = static_cast<std::int32_t>(below(class_count + 1)) - 1;
        return values;
    }

private:
    std::mt19937_64 random_;
};

// Rows in a buffer of exactly their size, so that the address sanitizer sees a read beyond it; starts off alignment.
struct RowBuffer {
    std::vector<double> values;
    Rows rows;

    RowBuffer(Numbers& numbers, std::size_t row_count, std::size_t column_count, std::size_t gap = 0)
        : values(numbers.vector(1 + (row_count == 0 ? 0 : (row_count - 1) * (column_count + gap) + column_count))),
          rows{values.data() + 1, row_count, column_count, static_cast<std::ptrdiff_t>(column_count + gap)} {}
};

// Equal up to rounding: relative to `scale`, the size of the terms that were summed. NaN equals NaN.
inline void expect_close(const std::vector<double>& found, const std::vector<double>& expected, double scale,
                         const char* what) {
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
        if (std::isnan(expected[i]) || std::isinf(expected[i])) {
            ASSERT_TRUE(std::isnan(expected[i]) ? std::isnan(found[i]) : found[i] == expected[i])
                << what << " [" << i << "] is " << found[i] << ", not " << expected[i];
        } else {
            ASSERT_NEAR(found[i], expected[i], 4e-15 * std::max(scale, std::fabs(expected[i])))
                << what << " [" << i << "]";
        }
    }
}

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double denormal = 4e-320;

}  // namespace suffice::kernel
