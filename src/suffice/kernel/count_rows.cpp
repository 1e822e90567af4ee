// Rows of counts: factorials of small whole numbers out of a register, all others by Stirling's series.
#include "suffice/kernel/count_rows.hpp"

#include "suffice/kernel/scratch.hpp"

// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "suffice/kernel/count_rows.cpp"
#include "suffice/kernel/targets.hpp"
#include <hwy/foreach_target.h>
#include "suffice/kernel/vector-inl.hpp"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace suffice::kernel::HWY_NAMESPACE {

constexpr std::size_t tabled = 16;
// log n!
alignas(Scratch::alignment) constexpr double small_factorials[tabled] = {
    0.0,
    0.0,
    0.69314718055994529,
    1.791759469228055,
    3.1780538303479458,
    4.7874917427820458,
    6.5792512120101012,
    8.5251613610654147,
    10.604602902745251,
    12.801827480081469,
    15.104412573075516,
    17.502307845873887,
    19.987214495661885,
    22.552163853123425,
    25.19122118273868,
    27.89927138384089,
};

using Longs = hn::RebindToSigned<Doubles>;

HWY_INLINE Vector look_up_factorial(hn::Vec<Longs> n) {
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
    const Doubles d;
    return Vector{
        _mm512_permutex2var_pd(hn::Load(d, small_factorials).raw, n.raw, hn::Load(d, small_factorials + 8).raw)};
#else
    return hn::GatherIndex(Doubles(), small_factorials, n);
#endif
}

// log Gamma(x + 1), x >= 0: Stirling's series from 9 on (Abramowitz & Stegun 6.1.41), which smaller arguments reach by
// Gamma(z) = Gamma(z + 8) / (z (z + 1) ... (z + 7)).
HWY_NOINLINE Vector log_gamma_after(Vector x) {
    const Doubles d;
    const Vector z = hn::Add(x, broadcast(1.0));
    const auto low = hn::Lt(z, broadcast(9.0));
    Vector product = z;
    for (double step = 1; step < 8; ++step) product = hn::Mul(product, hn::Add(z, broadcast(step)));
    const Vector y = hn::IfThenElse(low, hn::Add(z, broadcast(8.0)), z);
    const Vector r = hn::Div(broadcast(1.0), y), s = hn::Mul(r, r);
    Vector series = hn::MulAdd(s, broadcast(1.0 / 156), broadcast(-691.0 / 360360));
    for (double term : {1.0 / 1188, -1.0 / 1680, 1.0 / 1260, -1.0 / 360, 1.0 / 12})
        series = hn::MulAdd(s, series, broadcast(term));
    const Vector main = hn::Sub(hn::Mul(hn::Sub(y, broadcast(0.5)), logarithm(d, y)), y);
    const Vector gamma = hn::Add(main, hn::MulAdd(r, series, broadcast(0.91893853320467274178)));
    return hn::Sub(gamma, hn::IfThenElseZero(low, logarithm(d, product)));
}

HWY_INLINE Vector log_factorial(Vector x) {
    const Doubles d;
    const Vector magic = broadcast(6755399441055744.0);  // adding it rounds, and leaves the number in the lowest bits
    const Vector shifted = hn::Add(x, magic);
    const auto whole = hn::Eq(hn::Sub(shifted, magic), x);
    if (HWY_LIKELY(hn::AllTrue(d, hn::And(whole, hn::Lt(x, broadcast(double{tabled}))))))
        return look_up_factorial(
            hn::And(hn::BitCast(Longs(), shifted), hn::Set(Longs(), static_cast<std::int64_t>(tabled - 1))));
    return log_gamma_after(x);
}

bool arrangements(Rows rows, double* out) {
    const Doubles d;
    const std::size_t columns = rows.column_count;
    const Vector infinity = broadcast(__builtin_inf());
    auto good = hn::Eq(infinity, infinity);
    alignas(Scratch::alignment) double total[lanes], inside[lanes];
    for (std::size_t first = 0; first < rows.row_count; first += lanes) {
        const std::size_t count = std::min(lanes, rows.row_count - first);
        std::fill_n(total, lanes, 0.0);
        for (std::size_t i = 0; i < count; ++i) {
            const double* x = rows.row(first + i);
            Vector sum = hn::Zero(d), logs = sum;
            for (std::size_t j = 0; j < columns; j += lanes) {
                if (j % 8 == 0) prefetch(x + j, prefetch_rows * rows.stride);
                const Vector value = j + lanes <= columns ? load(x + j) : load_some(x + j, columns - j);
                good = hn::And(good, hn::And(hn::Ge(value, hn::Zero(d)), hn::Lt(value, infinity)));
                sum = hn::Add(sum, value);
                logs = hn::Add(logs, log_factorial(value));
            }
            total[i] = hn::GetLane(hn::SumOfLanes(d, sum));
            inside[i] = hn::GetLane(hn::SumOfLanes(d, logs));
        }
        if (!hn::AllTrue(d, good)) return false;
        double whole[lanes];
        store(log_factorial(hn::Load(d, total)), whole);
        for (std::size_t i = 0; i < count; ++i) out[first + i] = whole[i] - inside[i];
    }
    return true;
}

bool flags_only(Rows rows) {
    const Doubles d;
    auto good = hn::Eq(hn::Zero(d), hn::Zero(d));
    for (std::size_t r = 0; r < rows.row_count; ++r) {
        const double* x = rows.row(r);
        for (std::size_t j = 0; j < rows.column_count; j += lanes) {
            if (j % 8 == 0) prefetch(x + j, prefetch_rows * rows.stride);
            const Vector value = j + lanes <= rows.column_count ? load(x + j) : load_some(x + j, rows.column_count - j);
            good = hn::And(good, hn::Or(hn::Eq(value, hn::Zero(d)), hn::Eq(value, broadcast(1.0))));
        }
    }
    return hn::AllTrue(d, good);
}

bool make_flags(Rows rows, double threshold, double* out) {
    const Doubles d;
    const Vector above = broadcast(threshold);
    Vector check = hn::Zero(d);  // NaN as soon as a value is not finite
    for (std::size_t r = 0; r < rows.row_count; ++r, out += rows.column_count) {
        const double* x = rows.row(r);
        std::size_t j = 0;
        for (; j + lanes <= rows.column_count; j += lanes) {
            if (j % 8 == 0) prefetch(x + j, prefetch_rows * rows.stride);
            const Vector value = load(x + j);
            check = hn::Add(check, hn::Sub(value, value));
            store(hn::IfThenElseZero(hn::Gt(value, above), broadcast(1.0)), out + j);
        }
        for (; j < rows.column_count; ++j) {
            const double value = x[j];
            check = hn::Add(check, broadcast(value - value));
            out[j] = value > threshold ? 1.0 : 0.0;
        }
    }
    return hn::AllTrue(d, hn::Eq(check, check));
}

}  // namespace suffice::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace suffice::kernel {
HWY_EXPORT(arrangements);
HWY_EXPORT(flags_only);
HWY_EXPORT(make_flags);

bool log_arrangements(Rows rows, double* out) { return HWY_DYNAMIC_DISPATCH(arrangements)(rows, out); }
bool are_flags(Rows rows) { return HWY_DYNAMIC_DISPATCH(flags_only)(rows); }
bool to_flags(Rows rows, double threshold, double* out) {
    return HWY_DYNAMIC_DISPATCH(make_flags)(rows, threshold, out);
}
}  // namespace suffice::kernel
#endif
