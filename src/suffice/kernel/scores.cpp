// Scores of rows for every class, on small transposed tiles: lanes are rows, coefficients are broadcast, and no sum
// ever runs across lanes.
#include "suffice/kernel/scores.hpp"

#include "suffice/kernel/scratch.hpp"

// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "suffice/kernel/scores.cpp"
#include "suffice/kernel/targets.hpp"
#include <hwy/foreach_target.h>
#include "suffice/kernel/vector-inl.hpp"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace suffice::kernel::HWY_NAMESPACE {

enum class Kind { affine, diagonal };

// Coefficients per class and column: the affine weight, or scale and offset.
template <Kind kind>
constexpr std::size_t coefficient_count = kind == Kind::affine ? 1 : 2;

constexpr std::size_t column_chunk = 192;  // columns of a tile that stay in the first cache

// In order of use: for each block of classes, for each column, for each class of the block.
template <Kind kind>
void order_coefficients(std::size_t class_count, std::size_t column_count, const double* first, const double* second,
                        double* out) {
    const std::size_t block = class_block(class_count);
    for (std::size_t c = 0; c < class_count; c += block) {
        const std::size_t count = std::min(block, class_count - c);
        for (std::size_t j = 0; j < column_count; ++j)
            for (std::size_t i = 0; i < count; ++i) {
                *out++ = first[(c + i) * column_count + j];
                if constexpr (kind == Kind::diagonal) *out++ = second[(c + i) * column_count + j];
            }
    }
}

template <Kind kind, std::size_t Width, std::size_t Count>
HWY_INLINE void score_classes(const double* tile, std::size_t columns, const double* coefficient, const double* bias,
                              double* joint, std::size_t joint_stride, std::size_t row_count) {
    constexpr std::size_t T = Width * lanes;
    Vector sum[Count][Width];
#pragma GCC unroll 8
    for (std::size_t c = 0; c < Count; ++c)
#pragma GCC unroll 2
        for (std::size_t v = 0; v < Width; ++v)
            sum[c][v] = kind == Kind::affine && bias ? broadcast(bias[c]) : hn::Zero(Doubles());
    for (std::size_t j = 0; j < columns; ++j) {
        Vector x[Width];
#pragma GCC unroll 2
        for (std::size_t v = 0; v < Width; ++v) x[v] = hn::Load(Doubles(), tile + j * T + v * lanes);
#pragma GCC unroll 8
        for (std::size_t c = 0; c < Count; ++c) {
            const Vector first = broadcast(coefficient[c * coefficient_count<kind>]);
            if constexpr (kind == Kind::affine) {
#pragma GCC unroll 2
                for (std::size_t v = 0; v < Width; ++v) sum[c][v] = hn::MulAdd(first, x[v], sum[c][v]);
            } else {
                const Vector second = broadcast(coefficient[2 * c + 1]);
#pragma GCC unroll 2
                for (std::size_t v = 0; v < Width; ++v) {
                    const Vector z = hn::MulSub(first, x[v], second);
                    sum[c][v] = hn::MulAdd(z, z, sum[c][v]);
                }
            }
        }
        coefficient += Count * coefficient_count<kind>;
    }
#pragma GCC unroll 8
    for (std::size_t c = 0; c < Count; ++c)
#pragma GCC unroll 2
        for (std::size_t v = 0; v < Width; ++v) {
            Vector score = sum[c][v];
            if constexpr (kind == Kind::diagonal)
                score = hn::NegMulAdd(broadcast(0.5), score, bias ? broadcast(bias[c]) : hn::Zero(Doubles()));
            if (row_count > v * lanes) add_lanes(score, joint + c * joint_stride + v * lanes, row_count - v * lanes);
        }
}

template <Kind kind, std::size_t Width, std::size_t Count, class... Arguments>
HWY_INLINE void score_block(std::size_t count, Arguments... arguments) {
    if (count == Count) return score_classes<kind, Width, Count>(arguments...);
    if constexpr (Count > 1) score_block<kind, Width, Count - 1>(count, arguments...);
}

template <Kind kind, std::size_t Width, class Number>
void score_tile(const RowsOf<Number>& rows, std::size_t first_row, const double* centre, const double* coefficient,
                const double* bias, const Tile& joint) {
    alignas(Scratch::alignment) double tile[column_chunk * Width * lanes];
    const std::size_t d = rows.column_count, row_count = std::min(Width * lanes, rows.row_count - first_row);
    for (std::size_t first = 0; first < d; first += column_chunk) {
        const std::size_t columns = std::min(column_chunk, d - first);
        pack_tile<Width>(rows, first_row, first, columns, centre, tile);
        const std::size_t block = class_block(joint.class_count);
        for (std::size_t c = 0; c < joint.class_count; c += block) {
            const std::size_t count = std::min(block, joint.class_count - c);
            score_block<kind, Width, wide_block>(
                count, tile, columns, coefficient + (c * d + first * count) * coefficient_count<kind>,
                first == 0 ? bias + c : nullptr, joint.of_class(c) + first_row, joint.stride, row_count);
        }
    }
}

template <Kind kind, class Number>
void score_rows(const RowsOf<Number>& rows, const double* centre, const double* first, const double* second,
                const double* bias, Tile joint) {
    if (rows.row_count == 0) return;
    const std::size_t d = rows.column_count;
    double near[1024];
    Scratch far;
    const std::size_t size = joint.class_count * d * coefficient_count<kind>;
    double* coefficient = size <= std::size(near) ? near : far.reserve(size);
    order_coefficients<kind>(joint.class_count, d, first, second, coefficient);
    for (std::size_t r = 0; r < rows.row_count;) {
        if (rows.row_count - r > lanes) {
            score_tile<kind, 2>(rows, r, centre, coefficient, bias, joint);
            r += 2 * lanes;
        } else {
            score_tile<kind, 1>(rows, r, centre, coefficient, bias, joint);
            r += lanes;
        }
    }
}

void affine(Rows rows, const double* centre, const double* weight, const double* bias, Tile joint) {
    score_rows<Kind::affine>(rows, centre, weight, nullptr, bias, joint);
}

void affine_floats(FloatRows rows, const double* centre, const double* weight, const double* bias, Tile joint) {
    score_rows<Kind::affine>(rows, centre, weight, nullptr, bias, joint);
}

void diagonal(Rows rows, const double* centre, const double* scale, const double* offset, const double* bias,
              Tile joint) {
    score_rows<Kind::diagonal>(rows, centre, scale, offset, bias, joint);
}

void diagonal_floats(FloatRows rows, const double* centre, const double* scale, const double* offset,
                     const double* bias, Tile joint) {
    score_rows<Kind::diagonal>(rows, centre, scale, offset, bias, joint);
}

// Squares of `Count` outputs A x - b, added to q.
template <std::size_t Width, std::size_t Count>
HWY_INLINE const double* whiten(const double* tile, std::size_t columns, const double* coefficient,
                                const double* offset, Vector* q) {
    constexpr std::size_t T = Width * lanes;
    Vector sum[Count][Width];
#pragma GCC unroll 6
    for (std::size_t i = 0; i < Count; ++i)
#pragma GCC unroll 4
        for (std::size_t v = 0; v < Width; ++v) sum[i][v] = broadcast(-offset[i]);
    for (std::size_t j = 0; j < columns; ++j, coefficient += Count) {
        Vector x[Width];
#pragma GCC unroll 4
        for (std::size_t v = 0; v < Width; ++v) x[v] = hn::Load(Doubles(), tile + j * T + v * lanes);
#pragma GCC unroll 6
        for (std::size_t i = 0; i < Count; ++i) {
            const Vector a = broadcast(coefficient[i]);
#pragma GCC unroll 4
            for (std::size_t v = 0; v < Width; ++v) sum[i][v] = hn::MulAdd(a, x[v], sum[i][v]);
        }
    }
#pragma GCC unroll 6
    for (std::size_t i = 0; i < Count; ++i)
#pragma GCC unroll 4
        for (std::size_t v = 0; v < Width; ++v) q[v] = hn::MulAdd(sum[i][v], sum[i][v], q[v]);
    return coefficient;
}

template <std::size_t Width, class Number>
void quadratic_tile(const RowsOf<Number>& rows, std::size_t first_row, const double* centre,
                    const PackedFactors& factors, const Tile& joint, double* tile) {
    pack_tile<Width>(rows, first_row, 0, rows.column_count, centre, tile);
    const std::size_t rank = factors.rank(), row_count = rows.row_count - first_row;
    for (std::size_t c = 0; c < joint.class_count; ++c) {
        const double* coefficient = factors.coefficients(c);
        const double* offset = factors.offset(c);
        Vector q[Width];
        for (std::size_t v = 0; v < Width; ++v) q[v] = hn::Zero(Doubles());
        std::size_t i = 0;
        for (constexpr std::size_t block = PackedFactors::block; i + block <= rank; i += block)
            coefficient = whiten<Width, block>(tile, factors.reach(i, block), coefficient, offset + i, q);
        for (; i + 2 <= rank; i += 2)
            coefficient = whiten<Width, 2>(tile, factors.reach(i, 2), coefficient, offset + i, q);
        if (i < rank) whiten<Width, 1>(tile, factors.reach(i, 1), coefficient, offset + i, q);
        for (std::size_t v = 0; v < Width && v * lanes < row_count; ++v)
            add_lanes(hn::NegMulAdd(broadcast(0.5), q[v], broadcast(factors.bias(c))),
                      joint.of_class(c) + first_row + v * lanes, row_count - v * lanes);
    }
}

constexpr std::size_t quadratic_width = lanes == 8 ? 4 : 2;

template <class Number>
void quadratic_rows(const RowsOf<Number>& rows, const double* centre, const PackedFactors& factors, const Tile& joint) {
    if (rows.row_count == 0) return;
    alignas(Scratch::alignment) double near[64 * quadratic_width * lanes];
    Scratch far;
    const std::size_t size = rows.column_count * quadratic_width * lanes;
    double* tile = size <= std::size(near) ? near : far.reserve(size);
    for (std::size_t r = 0; r < rows.row_count;) {
        const std::size_t left = rows.row_count - r;
        if (left > 2 * lanes && quadratic_width > 2) {
            quadratic_tile<quadratic_width>(rows, r, centre, factors, joint, tile);
            r += quadratic_width * lanes;
        } else if (left > lanes) {
            quadratic_tile<2>(rows, r, centre, factors, joint, tile);
            r += 2 * lanes;
        } else {
            quadratic_tile<1>(rows, r, centre, factors, joint, tile);
            r += lanes;
        }
    }
}

void quadratic(Rows rows, const double* centre, const PackedFactors& factors, Tile joint) {
    quadratic_rows(rows, centre, factors, joint);
}

void quadratic_floats(FloatRows rows, const double* centre, const PackedFactors& factors, Tile joint) {
    quadratic_rows(rows, centre, factors, joint);
}

// Lanes are classes here: a table line is one or more whole vectors. `Vectors` of them are summed in registers, from
// class `first_class` on, and a group of rows is turned into the class-major tile at the end.
template <class D, std::size_t Vectors>
HWY_INLINE void look_up(D d, const std::int32_t* codes, std::ptrdiff_t code_stride, const PackedTables& tables,
                        std::size_t first_class, const Tile& joint) {
    const std::size_t width = hn::MaxLanes(d), columns = tables.column_count();
    const std::size_t count = std::min(width * Vectors, joint.class_count - first_class);
    const double* base = tables.line(0) + first_class;
    const std::size_t stride = tables.class_stride(), blank = tables.blank();
    const std::size_t* first = tables.first();
    const std::int32_t* level_count = tables.level_count();
    for (std::size_t r = 0; r < joint.row_count; ++r, codes += code_stride) {
        hn::Vec<D> sum[Vectors];
#pragma GCC unroll 4
        for (std::size_t v = 0; v < Vectors; ++v) sum[v] = hn::Zero(d);
        for (std::size_t j = 0; j < columns; ++j) {
            const bool known = static_cast<std::uint32_t>(codes[j]) < static_cast<std::uint32_t>(level_count[j]);
            const double* line = base + (known ? first[j] + static_cast<std::size_t>(codes[j]) : blank) * stride;
#pragma GCC unroll 4
            for (std::size_t v = 0; v < Vectors; ++v) sum[v] = hn::Add(sum[v], hn::LoadU(d, line + v * width));
        }
        double total[Vectors * hn::MaxLanes(D())];
#pragma GCC unroll 4
        for (std::size_t v = 0; v < Vectors; ++v) hn::StoreU(sum[v], d, total + v * width);
        for (std::size_t c = 0; c < count; ++c) joint.of_class(first_class + c)[r] += total[c];
    }
}

void look_up_all(const std::int32_t* codes, std::ptrdiff_t code_stride, const PackedTables& tables, Tile joint) {
    const hn::CappedTag<double, 4> narrow;
    if (tables.class_stride() == 4)
        return look_up<decltype(narrow), 4 / hn::MaxLanes(narrow)>(narrow, codes, code_stride, tables, 0, joint);
    for (std::size_t c = 0; c < joint.class_count; c += 8)
        look_up<Doubles, 8 / lanes>(Doubles(), codes, code_stride, tables, c, joint);
}

}  // namespace suffice::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace suffice::kernel {
HWY_EXPORT(affine);
HWY_EXPORT(affine_floats);
HWY_EXPORT(diagonal);
HWY_EXPORT(diagonal_floats);
HWY_EXPORT(quadratic);
HWY_EXPORT(quadratic_floats);
HWY_EXPORT(look_up_all);

void affine_scores(Rows rows, const double* centre, const double* weight, const double* bias, Tile joint) {
    HWY_DYNAMIC_DISPATCH(affine)(rows, centre, weight, bias, joint);
}

void affine_scores(FloatRows rows, const double* centre, const double* weight, const double* bias, Tile joint) {
    HWY_DYNAMIC_DISPATCH(affine_floats)(rows, centre, weight, bias, joint);
}

void diagonal_scores(Rows rows, const double* centre, const double* scale, const double* offset, const double* bias,
                     Tile joint) {
    HWY_DYNAMIC_DISPATCH(diagonal)(rows, centre, scale, offset, bias, joint);
}

void diagonal_scores(FloatRows rows, const double* centre, const double* scale, const double* offset,
                     const double* bias, Tile joint) {
    HWY_DYNAMIC_DISPATCH(diagonal_floats)(rows, centre, scale, offset, bias, joint);
}

void quadratic_scores(Rows rows, const double* centre, const PackedFactors& factors, Tile joint) {
    HWY_DYNAMIC_DISPATCH(quadratic)(rows, centre, factors, joint);
}

void quadratic_scores(FloatRows rows, const double* centre, const PackedFactors& factors, Tile joint) {
    HWY_DYNAMIC_DISPATCH(quadratic_floats)(rows, centre, factors, joint);
}

void table_scores(const std::int32_t* codes, std::ptrdiff_t code_stride, const PackedTables& tables, Tile joint) {
    HWY_DYNAMIC_DISPATCH(look_up_all)(codes, code_stride, tables, joint);
}
}  // namespace suffice::kernel
#endif
