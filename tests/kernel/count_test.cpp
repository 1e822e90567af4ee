// Level codes and counts against plain loops, on every instruction set.
#include "suffice/kernel/count.hpp"

#include "kernel/every_target.hpp"

#include "suffice/kernel/reference.hpp"

namespace suffice::kernel {
namespace {

TEST(ClassLevelCounts, EqualThePlainLoopAndReportLevelsOutOfRange) {
    for (const std::size_t k : {1, 2, 5})
        for (const bool weighted : {false, true}) {
            Numbers numbers(k);
            const std::size_t n = 211, m = 4, stride = 6;
            const std::vector<std::int32_t> levels = {2, 7, 1, 3};
            std::vector<std::int32_t> codes(n * stride);
            for (std::size_t i = 0; i < codes.size(); ++i) codes[i] = static_cast<std::int32_t>(numbers.below(5)) - 1;
            const auto code = numbers.codes(n, k);
            auto weight = numbers.vector(n, 0, 3);
            weight[7] = 0;
            const double* w = weighted ? weight.data() : nullptr;
            std::vector<double> found(13 * k, 1), expected(13 * k, 1);
            const Codes view{codes.data(), n, m, stride};
            const std::size_t refused = class_level_counts(view, levels.data(), code.data(), w, k, found.data());
            EXPECT_EQ(refused, reference::class_level_counts(view, levels.data(), code.data(), w, k, expected.data()));
            EXPECT_GT(refused, 0u);
            EXPECT_EQ(found, expected);
        }
}

std::vector<double> awkward_levels(Numbers& numbers, std::size_t count) {
    std::vector<double> values(count);
    for (double& value : values) value = std::floor(numbers.uniform() * 5);
    for (const double odd :
         {-1.0, 0.5, 1e300, -0.0, infinity, -infinity, not_a_number, denormal, 3.0000001, 2147483648.0})
        values[numbers.below(count)] = odd;
    return values;
}

TEST(LevelCodes, RefuseWhatIsNotALevelAndTakeNotANumberAsMissing) {
    on_every_target([] {
        for (const std::size_t m : {1, 3, 8, 11, 20}) {
            Numbers numbers(m);
            const std::size_t n = 37, stride = m + 1;
            const std::vector<double> values = awkward_levels(numbers, (n - 1) * stride + m);
            std::vector<std::int32_t> levels(m);
            for (std::size_t j = 0; j < m; ++j) levels[j] = static_cast<std::int32_t>(3 + j % 3);
            std::vector<std::int32_t> found((n - 1) * (m + 2) + m, 77), expected = found, from_floats = found;
            const Rows rows{values.data(), n, m, static_cast<std::ptrdiff_t>(stride)};
            const auto out_stride = static_cast<std::ptrdiff_t>(m + 2);
            EXPECT_EQ(level_codes(rows, levels.data(), found.data(), out_stride),
                      reference::level_codes(rows, levels.data(), expected.data(), out_stride));
            EXPECT_EQ(found, expected);
            std::vector<float> narrow(values.begin(), values.end());
            const std::vector<double> widened(narrow.begin(), narrow.end());
            EXPECT_EQ(level_codes(narrow.data(), n, m, rows.stride, levels.data(), from_floats.data(), out_stride),
                      reference::level_codes({widened.data(), n, m, rows.stride}, levels.data(), expected.data(),
                                             out_stride));
            EXPECT_EQ(from_floats, expected);
        }
    });
}

TEST(ClassLevelCounts, OfNumbersEqualThoseOfTheirCodes) {
    on_every_target([] {
        Numbers numbers(3);
        const std::size_t n = 3000, m = 5, k = 3;
        const std::vector<double> values = awkward_levels(numbers, n * m);
        const std::vector<std::int32_t> levels = {4, 5, 3, 9, 4};
        const auto code = numbers.codes(n, k);
        std::vector<std::int32_t> codes(n * m);
        const Rows rows{values.data(), n, m, m};
        const std::size_t refused = reference::level_codes(rows, levels.data(), codes.data(), m);
        std::vector<double> found(25 * k), expected(25 * k);
        reference::class_level_counts({codes.data(), n, m, m}, levels.data(), code.data(), nullptr, k, expected.data());
        EXPECT_EQ(class_level_counts(rows, levels.data(), code.data(), nullptr, k, found.data()), refused);
        EXPECT_EQ(found, expected);
    });
}

}  // namespace
}  // namespace suffice::kernel
