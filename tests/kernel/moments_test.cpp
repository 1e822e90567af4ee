// Moments per class against plain loops, on every instruction set.
#include "suffice/kernel/moments.hpp"

#include "kernel/every_target.hpp"

#include "suffice/kernel/reference.hpp"

namespace suffice::kernel {
namespace {

struct Sums {
    std::vector<double> weight, sum, square;
    Sums(std::size_t k, std::size_t d) : weight(k, 0.5), sum(k * d, 1.0), square(k * d, 2.0) {}
};

void expect_same(const Sums& found, const Sums& expected, double size) {
    expect_close(found.weight, expected.weight, size, "weight");
    expect_close(found.sum, expected.sum, 4 * size, "sum");
    expect_close(found.square, expected.square, 16 * size, "square");
}

TEST(ClassMoments, EqualThePlainLoopForOddShapesStridesAndWeights) {
    on_every_target([] {
        for (const std::size_t n : {0, 1, 3, 64, 333})
            for (const std::size_t d : {1, 2, 7, 8, 9, 50, 201})
                for (const std::size_t k : {1, 3, 40})
                    for (const bool weighted : {false, true}) {
                        Numbers numbers(n + d + k);
                        const RowBuffer x(numbers, n, d, d % 3);
                        auto weight = numbers.vector(n, 0, 2);
                        if (n > 2) weight[2] = 0;
                        const auto code = numbers.codes(n, k);
                        const auto centre = numbers.vector(d);
                        Sums found(k, d), expected(k, d);
                        const double* w = weighted ? weight.data() : nullptr;
                        class_moments(x.rows, code.data(), w, k, centre.data(), found.weight.data(), found.sum.data(),
                                      found.square.data());
                        reference::class_moments(x.rows, code.data(), w, k, centre.data(), expected.weight.data(),
                                                 expected.sum.data(), expected.square.data());
                        expect_same(found, expected, static_cast<double>(n));
                    }
    });
}

TEST(ClassMoments, FloatsCountAsTheDoublesTheyAre) {
    on_every_target([] {
        for (const std::size_t d : {1, 3, 4, 7, 8, 11, 50, 201})
            for (const std::size_t k : {1, 3, 40})
                for (const bool weighted : {false, true}) {
                    Numbers numbers(d + k);
                    const std::size_t n = 99, stride = d + d % 3;
                    const auto drawn = numbers.vector(n * stride), centre = numbers.vector(d);
                    const std::vector<float> floats(drawn.begin(), drawn.end());
                    const std::vector<double> same(floats.begin(), floats.end());
                    const auto weight = numbers.vector(n, 0, 2);
                    const auto code = numbers.codes(n, k);
                    const double* w = weighted ? weight.data() : nullptr;
                    const auto step = static_cast<std::ptrdiff_t>(stride);
                    Sums found(k, d), expected(k, d);
                    class_moments(FloatRows{floats.data(), n, d, step}, code.data(), w, k, centre.data(),
                                  found.weight.data(), found.sum.data(), found.square.data());
                    reference::class_moments({same.data(), n, d, step}, code.data(), w, k, centre.data(),
                                             expected.weight.data(), expected.sum.data(), expected.square.data());
                    expect_same(found, expected, static_cast<double>(n));
                }
    });
}

TEST(ClassMoments, NeedNoSquaresAndNoCodes) {
    on_every_target([] {
        Numbers numbers(9);
        const std::size_t n = 77, d = 13;
        const RowBuffer x(numbers, n, d);
        const auto centre = numbers.vector(d);
        Sums found(1, d), expected(1, d);
        class_moments(x.rows, nullptr, nullptr, 1, centre.data(), found.weight.data(), found.sum.data(), nullptr);
        reference::class_moments(x.rows, nullptr, nullptr, 1, centre.data(), expected.weight.data(),
                                 expected.sum.data(), nullptr);
        expect_same(found, expected, n);
        EXPECT_EQ(found.square, Sums(1, d).square);
    });
}

TEST(ClassMoments, SkippedRowsMayHoldAnything) {
    on_every_target([] {
        Numbers numbers(10);
        const std::size_t n = 20, d = 9, k = 2;
        RowBuffer x(numbers, n, d);
        std::vector<std::int32_t> code(n, 1);
        std::vector<double> weight(n, 1);
        code[3] = -1, code[4] = 7, weight[5] = 0;
        for (std::size_t r = 3; r < 6; ++r) x.values[1 + r * d + 2] = not_a_number;
        x.values[1 + 8 * d + 4] = infinity;
        x.values[1 + 9 * d + 5] = denormal;
        const std::vector<double> centre(d, 0.0);
        Sums found(k, d), expected(k, d);
        class_moments(x.rows, code.data(), weight.data(), k, centre.data(), found.weight.data(), found.sum.data(),
                      found.square.data());
        reference::class_moments(x.rows, code.data(), weight.data(), k, centre.data(), expected.weight.data(),
                                 expected.sum.data(), expected.square.data());
        expect_same(found, expected, n);
        EXPECT_EQ(found.sum[d + 4], infinity);
        EXPECT_TRUE(std::isfinite(found.sum[d + 2]));
    });
}

TEST(SharedMoments, EqualThePlainLoop) {
    on_every_target([] {
        for (const std::size_t n : {0, 1, 5, 256, 300})
            for (const std::size_t d : {1, 3, 8, 13, 50})
                for (const std::size_t k : {1, 2, 5, 8, 11})
                    for (const bool squares : {true, false}) {
                        Numbers numbers(n + d + k);
                        const RowBuffer x(numbers, n, d, d % 2);
                        const auto share = numbers.vector(k * (n + 1), 0, 1), centre = numbers.vector(d);
                        Sums found(k, d), expected(k, d);
                        shared_moments(x.rows, share.data(), n + 1, k, centre.data(), found.weight.data(),
                                       found.sum.data(), squares ? found.square.data() : nullptr);
                        reference::shared_moments(x.rows, share.data(), n + 1, k, centre.data(), expected.weight.data(),
                                                  expected.sum.data(), squares ? expected.square.data() : nullptr);
                        expect_same(found, expected, static_cast<double>(n));
                    }
    });
}

}  // namespace
}  // namespace suffice::kernel
