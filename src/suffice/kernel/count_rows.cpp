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
    if (hn::AllFalse(d, low)) return gamma;
    return hn::Sub(gamma, hn::IfThenElseZero(low, logarithm(d, product)));
}

constexpr double rounder = 6755399441055744.0;  // adding it rounds, and leaves the number in the lowest bits

HWY_INLINE Vector log_factorial(Vector x) {
    const Doubles d;
    const Vector magic = broadcast(rounder);
    const Vector shifted = hn::Add(x, magic);
    const auto whole = hn::Eq(hn::Sub(shifted, magic), x);
    if (HWY_LIKELY(hn::AllTrue(d, hn::And(whole, hn::Lt(x, broadcast(double{tabled}))))))
        return look_up_factorial(
            hn::And(hn::BitCast(Longs(), shifted), hn::Set(Longs(), static_cast<std::int64_t>(tabled - 1))));
    return log_gamma_after(x);
}

// A row's sum and the logarithms of its factorials, lane by lane.
struct RowSums {
    Vector counts, logs;
};

// Whole numbers below `tabled` only, which need no comparison and no branch: false if there is any other.
HWY_INLINE bool add_small(const double* x, std::size_t columns, std::ptrdiff_t ahead, RowSums& sums) {
    const Doubles d;
    const Longs whole;
    const Vector magic = broadcast(rounder);
    const auto start = hn::BitCast(whole, magic), high = hn::Set(whole, ~static_cast<std::int64_t>(tabled - 1));
    auto odd = hn::Zero(whole);  // bits that such numbers do not have
    sums.counts = sums.logs = hn::Zero(d);
    for (std::size_t j = 0; j < columns; j += lanes) {
        if (j % 8 == 0) prefetch(x + j, ahead);
        const Vector value = j + lanes <= columns ? load(x + j) : load_some(x + j, columns - j);
        const Vector shifted = hn::Add(value, magic);
        const auto bits = hn::BitCast(whole, shifted);
        odd = hn::Or(odd, hn::Xor(hn::BitCast(whole, hn::Sub(shifted, magic)), hn::BitCast(whole, value)));
        odd = hn::OrAnd(odd, hn::Xor(bits, start), high);
        sums.counts = hn::Add(sums.counts, value);
        sums.logs = hn::Add(sums.logs, look_up_factorial(hn::AndNot(high, bits)));
    }
    return hn::AllTrue(whole, hn::Eq(odd, hn::Zero(whole)));
}

// Any numbers: false if one is negative or not finite.
bool add_any(const double* x, std::size_t columns, RowSums& sums) {
    const Doubles d;
    const Vector infinity = broadcast(__builtin_inf());
    auto good = hn::Eq(infinity, infinity);
    sums.counts = sums.logs = hn::Zero(d);
    for (std::size_t j = 0; j < columns; j += lanes) {
        const Vector value = j + lanes <= columns ? load(x + j) : load_some(x + j, columns - j);
        good = hn::And(good, hn::And(hn::Ge(value, hn::Zero(d)), hn::Lt(value, infinity)));
        sums.counts = hn::Add(sums.counts, value);
        sums.logs = hn::Add(sums.logs, log_factorial(value));
    }
    return hn::AllTrue(d, good);
}

bool arrangements(Rows rows, double* out) {
    const Doubles d;
    alignas(Scratch::alignment) double total[lanes], inside[lanes];
    for (std::size_t first = 0; first < rows.row_count; first += lanes) {
        const std::size_t count = std::min(lanes, rows.row_count - first);
        std::fill_n(total, lanes, 0.0);
        for (std::size_t i = 0; i < count; ++i) {
            const double* x = rows.row(first + i);
            RowSums sums;
            if (!add_small(x, rows.column_count, prefetch_rows * rows.stride, sums) &&
                !add_any(x, rows.column_count, sums))
                return false;
            total[i] = hn::GetLane(hn::SumOfLanes(d, sums.counts));
            inside[i] = hn::GetLane(hn::SumOfLanes(d, sums.logs));
        }
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

HWY_INLINE void store_flags(hn::Mask<Doubles> which, double* out) {
    store(hn::IfThenElseZero(which, broadcast(1.0)), out);
}

HWY_INLINE void store_flags(hn::Mask<Doubles> which, std::uint8_t* out) {
    const hn::RebindToUnsigned<Doubles> wide;
    const hn::Rebind<std::uint8_t, Doubles> narrow;
    const auto ones = hn::BitCast(Doubles(), hn::Set(wide, std::uint64_t{1}));
    hn::StoreU(hn::TruncateTo(narrow, hn::BitCast(wide, hn::IfThenElseZero(which, ones))), narrow, out);
}

template <class Flag>
bool make_flags(const Rows& rows, double threshold, Flag* out) {
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
            store_flags(hn::Gt(value, above), out + j);
        }
        for (; j < rows.column_count; ++j) {
            const double value = x[j];
            check = hn::Add(check, broadcast(value - value));
            out[j] = value > threshold ? Flag{1} : Flag{0};
        }
    }
    return hn::AllTrue(d, hn::Eq(check, check));
}

bool number_flags(Rows rows, double threshold, double* out) { return make_flags(rows, threshold, out); }
bool byte_flags(Rows rows, double threshold, std::uint8_t* out) { return make_flags(rows, threshold, out); }

// Bytes are added to bytes, for as many rows as cannot overflow them.
class ByteSums {
public:
    static constexpr std::size_t room = 16384, most_rows = 255;

    explicit ByteSums(std::size_t columns) : columns_(columns), width_((columns + step - 1) / step * step) {}
    bool fit(std::size_t class_count) const { return columns_ >= step && class_count * width_ <= room; }
    void start(std::size_t class_count) { std::fill_n(sums_, class_count * width_, std::uint8_t{0}); }

    // The last, partial vector overlaps the one before, with what was added already left out; it has a place of its
    // own.
    HWY_INLINE void add(const std::uint8_t* x, std::size_t c) {
        std::uint8_t* to = sums_ + c * width_;
        std::size_t j = 0;
        for (; j + step <= columns_; j += step) add_vector(hn::LoadU(tag, x + j), to + j);
        if (j == columns_) return;
        const auto kept = hn::Gt(hn::Iota(tag, 0), hn::Set(tag, static_cast<std::uint8_t>(j + step - columns_ - 1)));
        add_vector(hn::IfThenElseZero(kept, hn::LoadU(tag, x + columns_ - step)), to + j);
    }

    void take(std::size_t class_count, double* ones) const {
        const std::size_t whole = columns_ / step * step, shift = width_ - columns_;
        for (std::size_t c = 0; c < class_count; ++c)
            for (std::size_t j = 0; j < columns_; ++j)
                ones[c * columns_ + j] += sums_[c * width_ + j + (j < whole ? 0 : shift)];
    }

    bool were_flags() const { return hn::AllTrue(tag, hn::Lt(seen_, hn::Set(tag, std::uint8_t{2}))); }

private:
    using Tag = hn::CappedTag<std::uint8_t, 16>;
    static constexpr Tag tag{};
    static constexpr std::size_t step = hn::MaxLanes(Tag());

    HWY_INLINE void add_vector(hn::Vec<Tag> value, std::uint8_t* to) {
        seen_ = hn::Or(seen_, value);
        hn::Store(hn::Add(value, hn::Load(tag, to)), tag, to);
    }

    std::size_t columns_, width_;
    hn::Vec<Tag> seen_ = hn::Zero(tag);
    alignas(Scratch::alignment) std::uint8_t sums_[room];
};

bool flag_counts(ByteRows rows, const std::int32_t* code, std::size_t class_count, double* class_weight, double* ones) {
    ByteSums sums(rows.column_count);
    const bool near = sums.fit(class_count);
    bool flags = true;
    for (std::size_t first = 0; first < rows.row_count; first += ByteSums::most_rows) {
        const ByteRows part = rows.slice(first, std::min(ByteSums::most_rows, rows.row_count - first));
        if (near) sums.start(class_count);
        for (std::size_t r = 0; r < part.row_count; ++r) {
            const auto c = static_cast<std::uint32_t>(code ? code[first + r] : 0);
            if (c >= class_count) continue;
            class_weight[c] += 1;
            const std::uint8_t* x = part.row(r);
            if (near) {
                sums.add(x, c);
                continue;
            }
            for (std::size_t j = 0; j < part.column_count; ++j) {
                flags = flags && x[j] < 2;
                ones[c * part.column_count + j] += x[j];
            }
        }
        if (near) sums.take(class_count, ones);
    }
    return flags && sums.were_flags();
}

}  // namespace suffice::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace suffice::kernel {
HWY_EXPORT(arrangements);
HWY_EXPORT(flags_only);
HWY_EXPORT(number_flags);
HWY_EXPORT(byte_flags);
HWY_EXPORT(flag_counts);

bool log_arrangements(Rows rows, double* out) { return HWY_DYNAMIC_DISPATCH(arrangements)(rows, out); }
bool are_flags(Rows rows) { return HWY_DYNAMIC_DISPATCH(flags_only)(rows); }
bool to_flags(Rows rows, double threshold, double* out) {
    return HWY_DYNAMIC_DISPATCH(number_flags)(rows, threshold, out);
}
bool to_flags(Rows rows, double threshold, std::uint8_t* out) {
    return HWY_DYNAMIC_DISPATCH(byte_flags)(rows, threshold, out);
}
bool class_flag_counts(ByteRows rows, const std::int32_t* code, std::size_t class_count, double* class_weight,
                       double* ones) {
    return HWY_DYNAMIC_DISPATCH(flag_counts)(rows, code, class_count, class_weight, ones);
}
}  // namespace suffice::kernel
#endif
