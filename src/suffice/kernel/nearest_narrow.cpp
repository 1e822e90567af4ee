// Searches centres on tiles of floats: the nearest centre is the one with the highest c.x - |c|^2 / 2, as far as
// rounding can tell.
#include "suffice/kernel/nearest_narrow.hpp"

#include "suffice/kernel/scratch.hpp"

// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "suffice/kernel/nearest_narrow.cpp"
#include "suffice/kernel/targets.hpp"
#include <hwy/foreach_target.h>
#include "suffice/kernel/search-inl.hpp"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace suffice::kernel::HWY_NAMESPACE {

using Floats = hn::ScalableTag<float>;
using FloatVector = hn::Vec<Floats>;
constexpr std::size_t float_lanes = HWY_LANES(float);
constexpr std::size_t search_rows = search_width * float_lanes;
static_assert(narrow_tile_rows % search_rows == 0);

HWY_INLINE FloatVector same(float value) { return hn::Set(Floats(), value); }

void order_narrow(const double* centres, std::size_t count, std::size_t columns, double scale, float* out) {
    order_centres(centres, count, columns, scale, out);
}

void make_tiles(Rows rows, const double* origin, double scale, double* wide, float* tiles, float* square) {
    constexpr std::size_t width = 2, pack_rows = width * lanes;
    static_assert(narrow_tile_rows % pack_rows == 0);
    const Doubles tag;
    const hn::Rebind<float, Doubles> narrow;
    const std::size_t d = rows.column_count;
    for (std::size_t r = 0; r < rows.row_count; r += narrow_tile_rows, tiles += d * narrow_tile_rows)
        for (std::size_t part = 0; part < narrow_tile_rows; part += pack_rows) {
            pack_tile<width>(rows, r + part, 0, d, origin, wide);
            for (std::size_t v = 0; v < width; ++v) {
                Vector sum = hn::Zero(tag);
                for (std::size_t j = 0; j < d; ++j) {
                    const Vector z = hn::Mul(hn::Load(tag, wide + j * pack_rows + v * lanes), broadcast(scale));
                    sum = hn::MulAdd(z, z, sum);
                    hn::StoreU(hn::DemoteTo(narrow, z), narrow, tiles + j * narrow_tile_rows + part + v * lanes);
                }
                hn::StoreU(hn::DemoteTo(narrow, sum), narrow, square + r + part + v * lanes);
            }
        }
}

// A score is off by at most g (|x| |c| + |c|^2 / 2) <= g (|x|^2 / 2 + |c|^2) with g = (d + 4) units of rounding; the
// squares and roots made of it add a few units more, for which g has (d + 10).
void search_tiles(const float* tiles, const float* square, std::size_t row_count, std::size_t d, std::size_t count,
                  const float* coefficients, const float* bias, float largest, std::int32_t* nearest, float* upper,
                  float* lower) {
    const Floats tag;
    const hn::RebindToSigned<Floats> whole;
    const FloatVector unit = same(static_cast<float>(d + 10) * 6.0e-8F), zero = hn::Zero(tag);
    for (std::size_t r = 0; r < row_count; r += search_rows) {
        const float* tile = tiles + (r / narrow_tile_rows * d) * narrow_tile_rows + r % narrow_tile_rows;
        TwoBest<Floats> two[search_width];
        for (std::size_t v = 0; v < search_width; ++v) two[v] = {same(-3e38F), same(-3e38F), zero};
        search_centres<narrow_tile_rows>(tag, count, tile, d, coefficients, bias, two);
        for (std::size_t v = 0; v < search_width; ++v) {
            const std::size_t at = r + v * float_lanes;
            if (at >= row_count) break;
            const FloatVector size = hn::LoadU(tag, square + at);
            const FloatVector slack = hn::Mul(unit, hn::MulAdd(same(0.5F), size, same(largest)));
            const FloatVector gap = hn::Sub(two[v].best, two[v].second);
            const auto sure = hn::Gt(gap, hn::Mul(same(2.1F), slack));
            const auto index = hn::IfThenElse(hn::RebindMask(whole, sure), hn::ConvertTo(whole, two[v].index),
                                              hn::Set(whole, std::int32_t{-1}));
            const FloatVector near = hn::NegMulAdd(same(2.0F), two[v].best, size);
            const FloatVector next = hn::NegMulAdd(same(2.0F), two[v].second, size);
            const FloatVector most = hn::Sqrt(hn::MulAdd(same(2.1F), slack, hn::Max(near, zero)));
            const FloatVector least = hn::Sqrt(hn::Max(hn::NegMulAdd(same(2.1F), slack, next), zero));
            hn::StoreU(index, whole, nearest + at);
            hn::StoreU(hn::Mul(most, same(1.000001F)), tag, upper + at);
            hn::StoreU(hn::Mul(least, same(0.999999F)), tag, lower + at);
        }
    }
}

// Factors that keep a bound a bound though its sum is rounded.
constexpr float over = 1 + 2.5e-7F, under = 1 - 2.5e-7F;

std::size_t loosen(const std::int32_t* nearest, std::size_t row_count, const float* moved, const float* passed,
                   const float* gap, float* upper, float* lower, std::uint32_t* open) {
    const Floats tag;
    const hn::RebindToSigned<Floats> whole;
    const hn::RebindToUnsigned<Floats> number;
    std::size_t row = 0, count = 0;
    for (; row + float_lanes <= row_count; row += float_lanes) {
        const auto own = hn::LoadU(whole, nearest + row);
        const FloatVector most =
            hn::Mul(hn::Add(hn::LoadU(tag, upper + row), hn::GatherIndex(tag, moved, own)), same(over));
        const FloatVector left = hn::Sub(hn::LoadU(tag, lower + row), hn::GatherIndex(tag, passed, own));
        const FloatVector least = hn::Mul(left, hn::IfThenElse(hn::Gt(left, hn::Zero(tag)), same(under), same(over)));
        hn::StoreU(most, tag, upper + row);
        hn::StoreU(least, tag, lower + row);
        const auto sure = hn::Lt(most, hn::Max(hn::GatherIndex(tag, gap, own), least));
        count += hn::CompressStore(hn::Iota(number, static_cast<std::uint32_t>(row)),
                                   hn::RebindMask(number, hn::Not(sure)), number, open + count);
    }
    for (; row < row_count; ++row) {
        const auto own = static_cast<std::size_t>(nearest[row]);
        upper[row] = (upper[row] + moved[own]) * over;
        const float left = lower[row] - passed[own];
        lower[row] = left * (left > 0 ? under : over);
        open[count] = static_cast<std::uint32_t>(row);
        count += upper[row] < std::max(gap[own], lower[row]) ? 0 : 1;
    }
    return count;
}

}  // namespace suffice::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace suffice::kernel {
HWY_EXPORT(order_narrow);
HWY_EXPORT(make_tiles);
HWY_EXPORT(search_tiles);
HWY_EXPORT(loosen);

void narrow_rows(Rows rows, const double* origin, double scale, float* tiles, float* square) {
    constexpr std::size_t most_packed = 16;
    if (rows.row_count == 0) return;
    Scratch memory;
    HWY_DYNAMIC_DISPATCH(make_tiles)
    (rows, origin, scale, memory.reserve(rows.column_count * most_packed), tiles, square);
}

NarrowCentres::NarrowCentres(const double* centres, std::size_t centre_count, std::size_t column_count, double scale)
    : column_count_(column_count), coefficients_(centre_count * column_count), bias_(centre_count) {
    HWY_DYNAMIC_DISPATCH(order_narrow)(centres, centre_count, column_count, scale, coefficients_.data());
    for (std::size_t c = 0; c < centre_count; ++c) {
        double square = 0;
        for (std::size_t j = 0; j < column_count; ++j) {
            const double z = scale * centres[c * column_count + j];
            square += z * z;
        }
        bias_[c] = static_cast<float>(-square / 2);
        largest_square_ = std::max(largest_square_, square);
    }
}

void nearest_narrow(const float* tiles, const float* square, std::size_t row_count, const NarrowCentres& centres,
                    std::int32_t* nearest, float* upper, float* lower) {
    HWY_DYNAMIC_DISPATCH(search_tiles)
    (tiles, square, row_count, centres.column_count(), centres.centre_count(), centres.coefficients(), centres.bias(),
     static_cast<float>(centres.largest_square()), nearest, upper, lower);
}

std::size_t loosen_bounds(const std::int32_t* nearest, std::size_t row_count, const float* moved, const float* passed,
                          const float* gap, float* upper, float* lower, std::uint32_t* open) {
    return HWY_DYNAMIC_DISPATCH(loosen)(nearest, row_count, moved, passed, gap, upper, lower, open);
}
}  // namespace suffice::kernel
#endif
