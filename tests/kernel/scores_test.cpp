// Scoring kernels against plain loops, on every instruction set.
#include "suffice/kernel/scores.hpp"

#include "kernel/every_target.hpp"

#include "suffice/kernel/reference.hpp"

namespace suffice::kernel {
namespace {

struct Shape {
    std::size_t n, d, k, gap;
};

const std::vector<Shape>& shapes() {
    static const std::vector<Shape> all = {{1, 1, 1, 0},    {1, 50, 5, 0},    {2, 2, 3, 1},   {3, 3, 2, 5},
                                           {5, 4, 6, 0},    {7, 5, 7, 3},     {8, 8, 8, 0},   {9, 9, 9, 0},
                                           {16, 13, 12, 1}, {17, 16, 13, 0},  {31, 17, 5, 2}, {33, 50, 5, 0},
                                           {64, 3, 17, 0},  {100, 200, 3, 0}, {40, 401, 2, 7}};
    return all;
}

// A tile with a stride beyond its rows, filled with what was there before.
struct Joint {
    std::vector<double> values;
    Tile tile;
    Joint(std::size_t n, std::size_t k) : values((k - 1) * (n + 3) + n), tile{values.data(), n, k, n + 3} {
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = 0.25 * static_cast<double>(i % 7);
    }
};

TEST(AffineScores, EqualThePlainLoop) {
    on_every_target([] {
        for (const Shape& s : shapes()) {
            Numbers numbers(s.n * 1000 + s.d);
            const RowBuffer x(numbers, s.n, s.d, s.gap);
            const auto centre = numbers.vector(s.d), weight = numbers.vector(s.k * s.d), bias = numbers.vector(s.k);
            Joint found(s.n, s.k), expected(s.n, s.k);
            affine_scores(x.rows, centre.data(), weight.data(), bias.data(), found.tile);
            reference::affine_scores(x.rows, centre.data(), weight.data(), bias.data(), expected.tile);
            expect_close(found.values, expected.values, static_cast<double>(s.d), "joint");
        }
    });
}

TEST(DiagonalScores, EqualThePlainLoop) {
    on_every_target([] {
        for (const Shape& s : shapes()) {
            Numbers numbers(s.n * 1000 + s.d);
            const RowBuffer x(numbers, s.n, s.d, s.gap);
            const auto centre = numbers.vector(s.d), scale = numbers.vector(s.k * s.d),
                       offset = numbers.vector(s.k * s.d), bias = numbers.vector(s.k);
            Joint found(s.n, s.k), expected(s.n, s.k);
            diagonal_scores(x.rows, centre.data(), scale.data(), offset.data(), bias.data(), found.tile);
            reference::diagonal_scores(x.rows, centre.data(), scale.data(), offset.data(), bias.data(), expected.tile);
            expect_close(found.values, expected.values, 10 * static_cast<double>(s.d), "joint");
        }
    });
}

TEST(QuadraticScores, EqualThePlainLoopForTriangularAndForReducedFactors) {
    on_every_target([] {
        for (const Shape& s : shapes())
            for (const std::size_t rank : {s.d, (s.d + 1) / 2}) {
                Numbers numbers(s.n * 1000 + s.d);
                const bool triangular = rank == s.d;
                const RowBuffer x(numbers, s.n, s.d, s.gap);
                const auto centre = numbers.vector(s.d), factor = numbers.vector(s.k * rank * s.d),
                           offset = numbers.vector(s.k * rank), bias = numbers.vector(s.k);
                const PackedFactors packed =
                    triangular ? PackedFactors(s.k, s.d, factor.data(), offset.data(), bias.data())
                               : PackedFactors(s.k, s.d, rank, factor.data(), offset.data(), bias.data());
                Joint found(s.n, s.k), expected(s.n, s.k);
                quadratic_scores(x.rows, centre.data(), packed, found.tile);
                reference::quadratic_scores(x.rows, centre.data(), rank, triangular, factor.data(), offset.data(),
                                            bias.data(), expected.tile);
                const auto size = static_cast<double>(s.d);
                expect_close(found.values, expected.values, 10 * size * size, "joint");
            }
    });
}

TEST(Scores, FloatsGiveTheBitsOfTheDoublesTheyAre) {
    on_every_target([] {
        for (const Shape& s : shapes()) {
            Numbers numbers(s.n * 1000 + s.d);
            const std::size_t stride = s.d + s.gap;
            const auto drawn = numbers.vector(s.n * stride), centre = numbers.vector(s.d),
                       first = numbers.vector(s.k * s.d), second = numbers.vector(s.k * s.d),
                       bias = numbers.vector(s.k), factor = numbers.vector(s.k * s.d * s.d);
            const std::vector<float> floats(drawn.begin(), drawn.end());
            const std::vector<double> same(floats.begin(), floats.end());
            const FloatRows narrow{floats.data(), s.n, s.d, static_cast<std::ptrdiff_t>(stride)};
            const Rows wide{same.data(), s.n, s.d, static_cast<std::ptrdiff_t>(stride)};
            const PackedFactors packed(s.k, s.d, factor.data(), first.data(), bias.data());
            const auto all = [&](const auto& rows) {
                Joint affine(s.n, s.k), diagonal(s.n, s.k), quadratic(s.n, s.k);
                affine_scores(rows, centre.data(), first.data(), bias.data(), affine.tile);
                diagonal_scores(rows, centre.data(), first.data(), second.data(), bias.data(), diagonal.tile);
                quadratic_scores(rows, centre.data(), packed, quadratic.tile);
                return std::vector{affine.values, diagonal.values, quadratic.values};
            };
            ASSERT_EQ(all(narrow), all(wide)) << s.n << " x " << s.d;
        }
    });
}

TEST(Scores, ARowScoresTheSameAloneAndAmongOthers) {
    on_every_target([] {
        Numbers numbers(3);
        const std::size_t n = 45, d = 37, k = 5;
        const RowBuffer x(numbers, n, d);
        const auto centre = numbers.vector(d), weight = numbers.vector(k * d), factor = numbers.vector(k * d * d),
                   offset = numbers.vector(k * d), bias = numbers.vector(k);
        const PackedFactors packed(k, d, factor.data(), offset.data(), bias.data());
        std::vector<double> together(k * n), alone(k);
        const auto score = [&](Rows rows, Tile tile) {
            affine_scores(rows, centre.data(), weight.data(), bias.data(), tile);
            diagonal_scores(rows, centre.data(), weight.data(), offset.data(), bias.data(), tile);
            quadratic_scores(rows, centre.data(), packed, tile);
        };
        score(x.rows, Tile{together.data(), n, k, n});
        for (std::size_t r = 0; r < n; ++r) {
            std::fill(alone.begin(), alone.end(), 0.0);
            score(x.rows.slice(r, 1), Tile{alone.data(), 1, k, 1});
            for (std::size_t c = 0; c < k; ++c) ASSERT_EQ(alone[c], together[c * n + r]);
        }
    });
}

TEST(Scores, ValuesThatAreNotFiniteTouchOnlyTheirOwnRow) {
    on_every_target([] {
        Numbers numbers(4);
        const std::size_t n = 19, d = 11, k = 3;
        RowBuffer x(numbers, n, d);
        x.values[1 + 5 * d + 2] = not_a_number;
        x.values[1 + 6 * d + 3] = infinity;
        x.values[1 + 7 * d] = denormal;
        const auto centre = numbers.vector(d), weight = numbers.vector(k * d), bias = numbers.vector(k);
        Joint found(n, k), expected(n, k);
        affine_scores(x.rows, centre.data(), weight.data(), bias.data(), found.tile);
        reference::affine_scores(x.rows, centre.data(), weight.data(), bias.data(), expected.tile);
        expect_close(found.values, expected.values, 20, "joint");
        diagonal_scores(x.rows, centre.data(), weight.data(), weight.data(), bias.data(), found.tile);
        reference::diagonal_scores(x.rows, centre.data(), weight.data(), weight.data(), bias.data(), expected.tile);
        for (std::size_t c = 0; c < k; ++c)
            for (std::size_t r = 0; r < n; ++r)
                EXPECT_EQ(std::isfinite(found.tile.of_class(c)[r]), r != 5 && r != 6) << "row " << r;
    });
}

TEST(TableScores, EqualThePlainLoopAndSkipUnknownLevels) {
    on_every_target([] {
        for (const std::size_t k : {1, 2, 4, 5, 8, 9, 20}) {
            Numbers numbers(k);
            const std::size_t n = 29, m = 7;
            const std::vector<std::int32_t> levels = {2, 3, 1, 12, 5, 4, 7};
            std::vector<std::vector<double>> tables;
            std::vector<const double*> table;
            for (const std::int32_t count : levels)
                tables.push_back(numbers.vector(static_cast<std::size_t>(count) * k));
            for (const auto& values : tables) table.push_back(values.data());
            std::vector<std::int32_t> codes(n * m);
            for (std::size_t i = 0; i < codes.size(); ++i)
                codes[i] = static_cast<std::int32_t>(numbers.below(static_cast<std::size_t>(levels[i % m]) + 2)) - 1;
            Joint found(n, k), expected(n, k);
            table_scores(codes.data(), m, PackedTables(k, levels, table.data()), found.tile);
            reference::table_scores({codes.data(), n, m, m}, levels.data(), table.data(), expected.tile);
            expect_close(found.values, expected.values, 10, "joint");
        }
    });
}

}  // namespace
}  // namespace suffice::kernel
