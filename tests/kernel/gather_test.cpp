// Gathering from any layout, on every instruction set.
#include "suffice/kernel/gather.hpp"

#include "kernel/every_target.hpp"

namespace suffice::kernel {
namespace {

template <class Number>
void expect_gathered(std::size_t n, std::size_t d, std::ptrdiff_t row_stride, std::ptrdiff_t column_stride) {
    const auto rows = static_cast<std::ptrdiff_t>(n), columns = static_cast<std::ptrdiff_t>(d);
    // The block ends exactly at the last number, or starts there when strides are negative.
    const std::ptrdiff_t low = std::min<std::ptrdiff_t>(0, (rows - 1) * row_stride) +
                               std::min<std::ptrdiff_t>(0, (columns - 1) * column_stride);
    const std::ptrdiff_t high = std::max<std::ptrdiff_t>(0, (rows - 1) * row_stride) +
                                std::max<std::ptrdiff_t>(0, (columns - 1) * column_stride);
    std::vector<Number> values(static_cast<std::size_t>(high - low + 1));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<Number>(i) / 7;
    const Number* source = values.data() - low;
    std::vector<double> out(n * (d + 2), -1.0);
    gather(source, row_stride, column_stride, n, d, out.data(), columns + 2);
    for (std::size_t i = 0; i < out.size(); ++i) {
        const auto r = static_cast<std::ptrdiff_t>(i / (d + 2)), c = static_cast<std::ptrdiff_t>(i % (d + 2));
        ASSERT_EQ(out[i], c < columns ? static_cast<double>(source[r * row_stride + c * column_stride]) : -1.0);
    }
}

TEST(Gather, BringsEveryLayoutIntoRows) {
    on_every_target([] {
        for (const std::size_t n : {1, 3, 4, 6, 33})
            for (const std::size_t d : {1, 2, 7, 8, 9, 21}) {
                const auto rows = static_cast<std::ptrdiff_t>(n), columns = static_cast<std::ptrdiff_t>(d);
                for (const auto& [row_stride, column_stride] :
                     std::vector<std::pair<std::ptrdiff_t, std::ptrdiff_t>>{{columns, 1},
                                                                            {columns + 3, 1},
                                                                            {1, rows},
                                                                            {1, rows + 5},
                                                                            {2 * columns, 2},
                                                                            {-columns, 1},
                                                                            {1, -rows},
                                                                            {-1, -rows},
                                                                            {0, 1}}) {
                    expect_gathered<double>(n, d, row_stride, column_stride);
                    expect_gathered<float>(n, d, row_stride, column_stride);
                }
            }
    });
}

TEST(Convert, WidensExactly) {
    on_every_target([] {
        const std::vector<float> values = {0.1f, -0.0f, 1e-45f, 3e38f, std::numeric_limits<float>::infinity(), 7, 8,
                                           9,    10,    11,     12};
        std::vector<double> out(values.size());
        convert(values.data(), values.size(), out.data());
        for (std::size_t i = 0; i < out.size(); ++i) EXPECT_EQ(out[i], static_cast<double>(values[i]));
    });
}

TEST(AllFinite, FindsOneBadValueAnywhere) {
    for (const std::size_t n : {0, 1, 15, 16, 17, 50}) {
        std::vector<double> values(n, 1.7e308);
        std::vector<float> narrow(n, 3e38f);
        EXPECT_TRUE(all_finite(values.data(), n) && all_finite(narrow.data(), n));
        for (std::size_t i = 0; i < n; ++i)
            for (const double bad : {infinity, -infinity, not_a_number}) {
                values[i] = bad, narrow[i] = static_cast<float>(bad);
                EXPECT_FALSE(all_finite(values.data(), n) || all_finite(narrow.data(), n));
                values[i] = denormal, narrow[i] = 1;
            }
    }
}

}  // namespace
}  // namespace suffice::kernel
