// Turning numbers into level codes.
#include <cmath>

#include "suffice/kernel/count.hpp"

// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "suffice/kernel/level_codes.cpp"
#include "suffice/kernel/targets.hpp"
#include <hwy/foreach_target.h>
#include "suffice/kernel/vector-inl.hpp"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace suffice::kernel::HWY_NAMESPACE {

template <class Number>
HWY_INLINE std::size_t code_of(Number x, std::int32_t level_count, std::int32_t& out) {
    const bool good = x >= 0 && x < static_cast<Number>(level_count) && std::trunc(x) == x;
    out = good ? static_cast<std::int32_t>(x) : x != x ? -1 : -2;
    return out == -2;
}

// The last vector of a row overlaps the one before; its repeated lanes are not counted again.
template <class Number>
std::size_t codes_of(const Number* x, std::size_t row_count, std::size_t column_count, std::ptrdiff_t stride,
                     const std::int32_t* level_count, std::int32_t* out, std::ptrdiff_t out_stride) {
    const Doubles d;
    const hn::Rebind<std::int32_t, Doubles> integers;
    std::size_t refused = 0;
    for (std::size_t r = 0; r < row_count; ++r, x += stride, out += out_stride) {
        if (column_count < lanes) {
            for (std::size_t j = 0; j < column_count; ++j) refused += code_of(x[j], level_count[j], out[j]);
            continue;
        }
        for (std::size_t next = 0; next < column_count; next += lanes) {
            const std::size_t j = std::min(next, column_count - lanes);
            const Vector value = load_as(d, x + j);
            const Vector levels = hn::PromoteTo(d, hn::LoadU(integers, level_count + j));
            const auto number = hn::Eq(value, value);
            const auto good =
                hn::And(hn::And(hn::Ge(value, hn::Zero(d)), hn::Lt(value, levels)), hn::Eq(hn::Trunc(value), value));
            const Vector other = hn::IfThenElse(number, broadcast(-2.0), broadcast(-1.0));
            hn::StoreU(hn::DemoteTo(integers, hn::IfThenElse(good, value, other)), integers, out + j);
            const auto bad = hn::AndNot(good, number);
            if (HWY_UNLIKELY(!hn::AllFalse(d, bad)))
                refused += hn::CountTrue(d, hn::AndNot(hn::FirstN(d, next - j), bad));
        }
    }
    return refused;
}

std::size_t codes_of_doubles(const double* x, std::size_t row_count, std::size_t column_count, std::ptrdiff_t stride,
                             const std::int32_t* level_count, std::int32_t* out, std::ptrdiff_t out_stride) {
    return codes_of(x, row_count, column_count, stride, level_count, out, out_stride);
}

std::size_t codes_of_floats(const float* x, std::size_t row_count, std::size_t column_count, std::ptrdiff_t stride,
                            const std::int32_t* level_count, std::int32_t* out, std::ptrdiff_t out_stride) {
    return codes_of(x, row_count, column_count, stride, level_count, out, out_stride);
}

}  // namespace suffice::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace suffice::kernel {
HWY_EXPORT(codes_of_doubles);
HWY_EXPORT(codes_of_floats);

std::size_t level_codes(Rows rows, const std::int32_t* level_count, std::int32_t* out, std::ptrdiff_t out_stride) {
    return HWY_DYNAMIC_DISPATCH(codes_of_doubles)(rows.values, rows.row_count, rows.column_count, rows.stride,
                                                  level_count, out, out_stride);
}

std::size_t level_codes(const float* values, std::size_t row_count, std::size_t column_count, std::ptrdiff_t stride,
                        const std::int32_t* level_count, std::int32_t* out, std::ptrdiff_t out_stride) {
    return HWY_DYNAMIC_DISPATCH(codes_of_floats)(values, row_count, column_count, stride, level_count, out, out_stride);
}
}  // namespace suffice::kernel
#endif
