// Scatter per class against plain loops, on every instruction set.
#include "suffice/kernel/scatter.hpp"

#include "kernel/every_target.hpp"

#include "suffice/kernel/reference.hpp"

namespace suffice::kernel {
namespace {

struct ScatterSums {
    std::vector<double> weight, sum, scatter;
    ScatterSums(std::size_t k, std::size_t d) : weight(k, 0.5), sum(k * d, 1.0), scatter(k * d * d, 2.0) {}
};

// Compares all of the matrix, so that the part above the diagonal must be untouched.
void expect_same(const ScatterSums& found, const ScatterSums& expected, double size) {
    expect_close(found.weight, expected.weight, size, "weight");
    expect_close(found.sum, expected.sum, 4 * size, "sum");
    expect_close(found.scatter, expected.scatter, 16 * size, "scatter");
}

TEST(ClassScatter, EqualsThePlainLoopForOddShapesStridesAndWeights) {
    on_every_target([] {
        ClassScatter scatter;  // one for all shapes: nothing may be left over from call to call
        for (const std::size_t d : {1, 2, 3, 4, 5, 7, 8, 9, 13, 16, 22, 31, 50, 65})
            for (const std::size_t n : {0, 1, 2, 5, 40, 131})
                for (const std::size_t k : {1, 3, 20})
                    for (const bool weighted : {false, true}) {
                        Numbers numbers(n + d + k);
                        const RowBuffer x(numbers, n, d, d % 3);
                        auto weight = numbers.vector(n, 0, 2);
                        if (n > 2) weight[2] = 0;
                        const auto code = numbers.codes(n, k);
                        const auto centre = numbers.vector(d);
                        const double* w = weighted ? weight.data() : nullptr;
                        ScatterSums found(k, d), expected(k, d);
                        scatter.add(x.rows, code.data(), w, k, centre.data(), found.weight.data(), found.sum.data(),
                                    found.scatter.data());
                        reference::class_scatter(x.rows, code.data(), w, k, centre.data(), expected.weight.data(),
                                                 expected.sum.data(), expected.scatter.data());
                        expect_same(found, expected, static_cast<double>(n));
                    }
    });
}

// Floats are doubles after widening, so nothing but the type may differ.
TEST(ClassScatter, FloatsGiveTheBitsOfTheDoublesTheyAre) {
    on_every_target([] {
        ClassScatter scatter;
        for (const std::size_t d : {1, 3, 8, 13, 50})
            for (const bool weighted : {false, true}) {
                Numbers numbers(d);
                const std::size_t n = 99, k = 3, stride = d + d % 3;
                const auto drawn = numbers.vector(n * stride), centre = numbers.vector(d);
                const std::vector<float> floats(drawn.begin(), drawn.end());
                const std::vector<double> same(floats.begin(), floats.end());
                const auto weight = numbers.vector(n, 0, 2);
                const auto code = numbers.codes(n, k);
                const double* w = weighted ? weight.data() : nullptr;
                const auto step = static_cast<std::ptrdiff_t>(stride);
                ScatterSums found(k, d), expected(k, d);
                scatter.add(FloatRows{floats.data(), n, d, step}, code.data(), w, k, centre.data(), found.weight.data(),
                            found.sum.data(), found.scatter.data());
                scatter.add(Rows{same.data(), n, d, step}, code.data(), w, k, centre.data(), expected.weight.data(),
                            expected.sum.data(), expected.scatter.data());
                ASSERT_EQ(found.weight, expected.weight);
                ASSERT_EQ(found.sum, expected.sum);
                ASSERT_EQ(found.scatter, expected.scatter) << d << " columns";
            }
    });
}

TEST(ClassScatter, FillsABucketMoreThanOnce) {
    on_every_target([] {
        ClassScatter scatter;
        for (const std::size_t d : {6, 310}) {
            Numbers numbers(d);
            const std::size_t n = d == 6 ? 1700 : 300;
            const RowBuffer x(numbers, n, d);
            const auto centre = numbers.vector(d);
            ScatterSums found(1, d), expected(1, d);
            scatter.add(x.rows, nullptr, nullptr, 1, centre.data(), found.weight.data(), found.sum.data(),
                        found.scatter.data());
            reference::class_scatter(x.rows, nullptr, nullptr, 1, centre.data(), expected.weight.data(),
                                     expected.sum.data(), expected.scatter.data());
            expect_same(found, expected, static_cast<double>(n));
        }
    });
}

TEST(ClassScatter, SkippedRowsMayHoldAnythingAndClassesStayApart) {
    on_every_target([] {
        Numbers numbers(10);
        const std::size_t n = 20, d = 11, k = 2;
        RowBuffer x(numbers, n, d);
        std::vector<std::int32_t> code(n, 1);
        code[3] = -1, code[4] = 7, code[8] = 0;
        x.values[1 + 3 * d + 2] = x.values[1 + 4 * d + 2] = not_a_number;
        x.values[1 + 8 * d + 4] = infinity;
        x.values[1 + 9 * d + 5] = denormal;
        const std::vector<double> centre(d, 0.0);
        ScatterSums found(k, d), expected(k, d);
        ClassScatter scatter;
        scatter.add(x.rows, code.data(), nullptr, k, centre.data(), found.weight.data(), found.sum.data(),
                    found.scatter.data());
        reference::class_scatter(x.rows, code.data(), nullptr, k, centre.data(), expected.weight.data(),
                                 expected.sum.data(), expected.scatter.data());
        expect_same(found, expected, n);
        EXPECT_EQ(found.scatter[4 * d + 4], infinity);
    });
}

TEST(ClassScatter, SharedEqualsThePlainLoop) {
    on_every_target([] {
        ClassScatter scatter;
        for (const std::size_t d : {1, 4, 8, 9, 21, 50})
            for (const std::size_t n : {0, 1, 6, 256, 301})
                for (const std::size_t k : {1, 4}) {
                    Numbers numbers(n + d + k);
                    const RowBuffer x(numbers, n, d, d % 2);
                    const auto share = numbers.vector(k * (n + 1), 0, 1), centre = numbers.vector(d);
                    ScatterSums found(k, d), expected(k, d);
                    scatter.add_shared(x.rows, share.data(), n + 1, k, centre.data(), found.weight.data(),
                                       found.sum.data(), found.scatter.data());
                    reference::shared_scatter(x.rows, share.data(), n + 1, k, centre.data(), expected.weight.data(),
                                              expected.sum.data(), expected.scatter.data());
                    expect_same(found, expected, static_cast<double>(n));
                }
    });
}

}  // namespace
}  // namespace suffice::kernel
