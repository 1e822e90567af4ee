// Decimal fields to doubles with vectors. Two overlapping loads that end at a field's last byte squeeze out the point:
// bytes behind it come from one load, bytes before it from the load one byte earlier. No loop over digits, no branch on
// their count.
#include "suffice/kernel/number_scan.hpp"

#include <array>
#include <bit>
#include <cstring>
#include <limits>

#include "suffice/kernel/decimal.hpp"

#define HWY_WANT_AVX3_DL 1
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "suffice/kernel/number_scan.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#ifndef SUFFICE_NUMBER_TABLES
#define SUFFICE_NUMBER_TABLES
namespace suffice::kernel {
inline constexpr double exact_tens[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                        1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
inline constexpr auto whole_tens = [] {
    std::array<std::uint64_t, 20> tens{1};
    for (std::size_t k = 1; k < tens.size(); ++k) tens[k] = tens[k - 1] * 10;
    return tens;
}();
// 1 / 10^k as digits / 2^shift: the first 64 bits, cut off, of which the first is set.
struct Reciprocal {
    std::uint64_t digits = 0;
    int shift = 0;
};
inline constexpr auto reciprocal_tens = [] {
    std::array<Reciprocal, 20> tens{};
    for (std::size_t k = 0; k < tens.size(); ++k) {
        std::uint64_t rest = 1;  // of a division bit by bit; always below 10^k, doubled at most 2 * 10^19
        int bits = 0;
        if (k == 0) tens[k] = {std::uint64_t{1} << 63, 63};
        while (tens[k].digits >> 63 == 0) {
            const bool carried = rest >> 63 != 0;
            rest <<= 1;
            ++bits;
            const bool one = carried || rest >= whole_tens[k];
            if (one) rest -= whole_tens[k];
            tens[k].digits = tens[k].digits << 1 | static_cast<std::uint64_t>(one);
            tens[k].shift = bits;
        }
    }
    return tens;
}();
}  // namespace suffice::kernel
#endif

HWY_BEFORE_NAMESPACE();
namespace suffice::kernel::HWY_NAMESPACE {

constexpr std::uint64_t largest_exact = std::uint64_t{1} << 53;

#if HWY_TARGET == HWY_AVX3_DL || HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX2

HWY_INLINE __m128i load16(const char* at) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(at)); }

// Sixteen digit values to one number.
HWY_INLINE std::uint64_t join_digits(__m128i digits) {
    __m128i pairs = _mm_maddubs_epi16(digits, _mm_set1_epi16(0x010A));                   // 10 a + b
    pairs = _mm_madd_epi16(pairs, _mm_set1_epi32(0x00010064));                           // 100 a + b
    pairs = _mm_madd_epi16(_mm_packus_epi32(pairs, pairs), _mm_set1_epi32(0x00012710));  // 10000 a + b
    const auto halves = static_cast<std::uint64_t>(_mm_cvtsi128_si64(pairs));
    return (halves & 0xFFFFFFFFu) * 100000000u + (halves >> 32);
}

HWY_INLINE __m128i bytes_of(unsigned bits) {  // sixteen bits to sixteen byte masks
    const __m128i bit = _mm_set1_epi64x(static_cast<long long>(0x8040201008040201ull));
    const __m128i spread =
        _mm_shuffle_epi8(_mm_cvtsi32_si128(static_cast<int>(bits)), _mm_set_epi64x(0x0101010101010101ll, 0));
    return _mm_cmpeq_epi8(_mm_and_si128(spread, bit), bit);
}

// A decimal of at most sixteen bytes without sign and exponent.
HWY_INLINE bool short_digits(const char* begin, const char* end, std::uint64_t& mantissa, unsigned& fraction) {
    const auto size = static_cast<std::size_t>(end - begin);
    if (size - 1 > 15) return false;
    const __m128i behind = load16(end - 16), before = load16(end - 17);
    const unsigned valid = 0xFFFFu << (16 - size) & 0xFFFFu;
    const unsigned point = static_cast<unsigned>(_mm_movemask_epi8(_mm_cmpeq_epi8(behind, _mm_set1_epi8('.')))) & valid;
    const unsigned has_point = point != 0;
    fraction = 15 - _tzcnt_u32(point | 0x8000u);
    const unsigned left = (point ^ (point - 1)) & (0u - has_point);  // bits up to and including the first point
    const unsigned kept = valid << has_point & 0xFFFFu;
    const __m128i text = _mm_blendv_epi8(behind, before, bytes_of(left));
    const __m128i digits = _mm_and_si128(_mm_sub_epi8(text, _mm_set1_epi8('0')), bytes_of(kept));
    const __m128i good = _mm_cmpeq_epi8(_mm_min_epu8(digits, _mm_set1_epi8(9)), digits);
    if ((_mm_movemask_epi8(good) != 0xFFFF) | (kept == 0)) return false;
    mantissa = join_digits(digits);
    return true;
}

HWY_INLINE bool short_number(const char* begin, const char* end, double& value) {
    const bool negative = *begin == '-';
    std::uint64_t mantissa;
    unsigned fraction;
    if (!short_digits(begin + negative, end, mantissa, fraction) || mantissa > largest_exact) return false;
    const double magnitude = static_cast<double>(static_cast<std::int64_t>(mantissa)) / exact_tens[fraction];
    // The sign as a bit: a branch would be mispredicted at every other random value.
    value = std::bit_cast<double>(std::bit_cast<std::uint64_t>(magnitude) | static_cast<std::uint64_t>(negative) << 63);
    return true;
}

// mantissa / 10^fraction, rounded to nearest even, of integers up to 64 bits: one exact division of 128 by 64 bits.
HWY_INLINE double divide_exactly(std::uint64_t mantissa, unsigned fraction) {
    if (mantissa == 0) return 0.0;
    const int mantissa_shift = std::countl_zero(mantissa), divisor_shift = std::countl_zero(whole_tens[fraction]);
    const std::uint64_t divisor = whole_tens[fraction] << divisor_shift, dividend = mantissa << mantissa_shift;
    std::uint64_t quotient, remainder;  // dividend * 2^63 / divisor lies in (2^62, 2^64)
    __asm__("divq %4" : "=a"(quotient), "=d"(remainder) : "a"(dividend << 63), "d"(dividend >> 1), "r"(divisor) : "cc");
    const int shift = std::countl_zero(quotient);
    quotient <<= shift;
    const std::uint64_t cut = quotient & 0x7FF, half = 0x400, kept = quotient >> 11;
    const std::uint64_t rounded = kept + ((cut > half) | ((cut == half) & ((remainder != 0) | (kept & 1))));
    const auto power = static_cast<std::uint64_t>(1023 + divisor_shift - mantissa_shift - shift - 52);
    return static_cast<double>(static_cast<std::int64_t>(rounded)) * std::bit_cast<double>(power << 52);
}

// The same by one multiplication (Eisel and Lemire): the reciprocal is cut off, so the product's upper half may be one
// too small. That matters only where its last bits, which are rounded away, are all ones or all zeros.
HWY_INLINE std::uint64_t divided_bits(std::uint64_t mantissa, unsigned fraction) {
    if (mantissa == 0) return 0;
    std::uint64_t zeros;
    __asm__("lzcnt %1, %0" : "=r"(zeros) : "r"(mantissa) : "cc");
    const Reciprocal& ten = reciprocal_tens[fraction];
    const auto product = static_cast<unsigned __int128>(mantissa << zeros) * ten.digits;
    const auto high = static_cast<std::uint64_t>(product >> 64);
    const std::uint64_t cut = 9 + (high >> 63), ones = (std::uint64_t{1} << cut) - 1, tail = high & ones;
    if (tail == 0 || tail == ones) return std::bit_cast<std::uint64_t>(divide_exactly(mantissa, fraction));
    const std::uint64_t rounded = ((high >> cut) + 1) >> 1;  // 2^52 to 2^53; its first bit adds one to the exponent
    const std::uint64_t exponent = 1022 + 52 + 65 + cut - zeros - static_cast<std::uint64_t>(ten.shift);
    return (exponent << 52) + rounded;
}

#if HWY_TARGET == HWY_AVX3_DL || HWY_TARGET == HWY_AVX3
// Up to 32 bytes, of them 19 digits after leading zeros and 19 decimals: what printing doubles in full gives.
HWY_INLINE bool long_digits(const char* begin, const char* end, std::uint64_t& mantissa, unsigned& fraction) {
    const auto size = static_cast<std::size_t>(end - begin);
    if (size - 1 > 31) return false;
    const __m256i behind = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(end - 32));
    const __m256i before = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(end - 33));
    const std::uint32_t valid = ~0u << (32 - size);
    const std::uint32_t point = _mm256_mask_cmpeq_epi8_mask(valid, behind, _mm256_set1_epi8('.'));
    const std::uint32_t has_point = point != 0;
    fraction = 31 - _tzcnt_u32(point | 0x80000000u);
    const std::uint32_t kept = valid << has_point;
    const std::uint32_t left = (point ^ (point - 1)) & (0u - has_point);
    const __m256i digits =
        _mm256_maskz_sub_epi8(kept, _mm256_mask_blend_epi8(left, behind, before), _mm256_set1_epi8('0'));
    const std::uint32_t too_many = _mm256_test_epi8_mask(digits, digits) & 0x1FFF;
    if (_mm256_cmpgt_epu8_mask(digits, _mm256_set1_epi8(9)) | (kept == 0) | too_many | (fraction > 19)) return false;
    const std::uint64_t high = join_digits(_mm256_castsi256_si128(digits));
    mantissa = high * 10000000000000000ull + join_digits(_mm256_extracti128_si256(digits, 1));
    return true;
}
#else
HWY_INLINE bool long_digits(const char* begin, const char* end, std::uint64_t& mantissa, unsigned& fraction) {
    if (end - begin - 1 > 31) return false;
    mantissa = 0;
    fraction = 0;
    unsigned significant = 0, any_digit = 0, point = 0;
    for (; begin < end; ++begin) {
        if (*begin == '.' && point == 0) {
            point = 1;
            continue;
        }
        const auto digit = static_cast<unsigned char>(*begin - '0');
        if (digit > 9) return false;
        any_digit = 1;
        mantissa = mantissa * 10 + digit;
        significant += (significant | digit) != 0;  // not by the mantissa, which a twentieth digit can wrap to zero
        fraction += point;
        if (significant > 19) return false;
    }
    return any_digit != 0 && fraction <= 19;
}
#endif

HWY_INLINE bool long_number(const char* begin, const char* end, double& value) {
    const bool negative = *begin == '-';
    std::uint64_t mantissa;
    unsigned fraction;
    if (!long_digits(begin + negative, end, mantissa, fraction)) return false;
    value = std::bit_cast<double>(divided_bits(mantissa, fraction) | static_cast<std::uint64_t>(negative) << 63);
    return true;
}

HWY_INLINE bool one_number(const char* begin, const char* end, double& value) {
    if (begin == end) return false;
    if (end - begin == 1 && static_cast<unsigned char>(*begin - '0') > 9) return false;  // "?", at once
    return short_number(begin, end, value) || long_number(begin, end, value) || parse_decimal(begin, end, value);
}

#else

bool one_number(const char* begin, const char* end, double& value) { return parse_decimal(begin, end, value); }

#endif

#if HWY_TARGET == HWY_AVX3_DL
// Four fields, one per 128 bits, signs included. The byte masks of the four live in one 64-bit word, sixteen bits each,
// so that arithmetic on the word acts on each field. False when any of them is not a plain decimal of at most sixteen
// bytes.
HWY_INLINE bool four_numbers(const char* text, const std::uint32_t* begin, const std::uint32_t* end, double* out) {
    constexpr std::uint64_t low = 0x0001000100010001ull, top = 0x8000800080008000ull;
    const __m128i size = _mm_sub_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(end)),
                                       _mm_loadu_si128(reinterpret_cast<const __m128i*>(begin)));
    if (_mm_cmpgt_epu32_mask(_mm_sub_epi32(size, _mm_set1_epi32(1)), _mm_set1_epi32(15))) return false;
    const __m128i shift = _mm_sub_epi16(_mm_set1_epi16(16), _mm_cvtepi32_epi16(size));
    const auto valid = static_cast<std::uint64_t>(_mm_cvtsi128_si64(_mm_sllv_epi16(_mm_set1_epi16(-1), shift)));
    const char* at[4] = {text + end[0], text + end[1], text + end[2], text + end[3]};
    const auto load = [&](int back) HWY_ATTR {
        const __m256i first =
            _mm256_inserti128_si256(_mm256_castsi128_si256(load16(at[0] - back)), load16(at[1] - back), 1);
        const __m256i second =
            _mm256_inserti128_si256(_mm256_castsi128_si256(load16(at[2] - back)), load16(at[3] - back), 1);
        return _mm512_inserti64x4(_mm512_castsi256_si512(first), second, 1);
    };
    const __m512i behind = load(16), before = load(17);
    const std::uint64_t point = _mm512_mask_cmpeq_epi8_mask(valid, behind, _mm512_set1_epi8('.'));
    std::uint64_t minus = _mm512_mask_cmpeq_epi8_mask(valid, behind, _mm512_set1_epi8('-'));
    minus &= valid & ~((valid & ~top) << 1);                                    // in first place only
    const std::uint64_t stop = point | top, up_to_point = stop ^ (stop - low);  // all sixteen bits where there is none
    const std::uint64_t without = up_to_point & top, whole_lane = (without << 1) - (without >> 15);
    std::uint64_t kept = valid & ~minus;
    kept &= ~(kept & ~((kept & ~top) << 1) & ~whole_lane);  // the point takes the place of the first digit
    const __m512i squeezed = _mm512_mask_blend_epi8(up_to_point & ~whole_lane, behind, before);
    const __m512i digits = _mm512_maskz_sub_epi8(kept, squeezed, _mm512_set1_epi8('0'));
    const std::uint64_t not_empty = ((kept & ~top) + (top - low)) | kept;
    if (_mm512_cmpgt_epu8_mask(digits, _mm512_set1_epi8(9)) | (point & top) | (~not_empty & top)) return false;
    __m512i joined = _mm512_maddubs_epi16(digits, _mm512_set1_epi16(0x010A));
    joined = _mm512_madd_epi16(joined, _mm512_set1_epi32(0x00010064));
    joined = _mm512_madd_epi16(_mm512_packus_epi32(joined, joined), _mm512_set1_epi32(0x00012710));
    joined = _mm512_add_epi64(_mm512_mul_epu32(joined, _mm512_set1_epi64(100000000)), _mm512_srli_epi64(joined, 32));
    const __m256i mantissa =
        _mm512_castsi512_si256(_mm512_permutexvar_epi64(_mm512_setr_epi64(0, 2, 4, 6, 0, 0, 0, 0), joined));
    if (_mm256_cmpgt_epi64_mask(mantissa, _mm256_set1_epi64x(static_cast<long long>(largest_exact)))) return false;
    const __m128i places = _mm_popcnt_epi16(_mm_cvtsi64_si128(static_cast<long long>(up_to_point)));
    const __m256i fraction = _mm256_cvtepu16_epi64(_mm_sub_epi16(_mm_set1_epi16(16), places));
    const __m256d power = _mm256_i64gather_pd(exact_tens, fraction, 8);
    const std::uint64_t negative = ((minus + (top - low)) | minus) & top;
    const __m256i sign =
        _mm256_slli_epi64(_mm256_cvtepu16_epi64(_mm_cvtsi64_si128(static_cast<long long>(negative))), 48);
    const __m256d magnitude = _mm256_div_pd(_mm256_cvtepi64_pd(mantissa), power);
    _mm256_storeu_pd(out, _mm256_or_pd(magnitude, _mm256_castsi256_pd(sign)));
    return true;
}
#else
HWY_INLINE bool four_numbers(const char*, const std::uint32_t*, const std::uint32_t*, double*) { return false; }
#endif

std::size_t parse_vectors(const char* text, const std::uint32_t* begin, const std::uint32_t* end, std::size_t count,
                          double* out, std::uint32_t* failed) {
    std::size_t failures = 0;
    const auto one = [&](std::size_t i) HWY_ATTR {
        if (one_number(text + begin[i], text + end[i], out[i])) return;
        out[i] = std::numeric_limits<double>::quiet_NaN();
        failed[failures++] = static_cast<std::uint32_t>(i);
    };
    std::size_t i = 0;
    for (; i + 4 <= count; i += 4) {
        if (four_numbers(text, begin + i, end + i, out + i)) continue;
        for (std::size_t k = i; k < i + 4; ++k) one(k);
    }
    for (; i < count; ++i) one(i);
    return failures;
}

}  // namespace suffice::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace suffice::kernel {

HWY_EXPORT(parse_vectors);

std::size_t parse_numbers(const char* text, const std::uint32_t* begin, const std::uint32_t* end, std::size_t count,
                          double* out, std::uint32_t* failed) {
    return HWY_DYNAMIC_DISPATCH(parse_vectors)(text, begin, end, count, out, failed);
}

}  // namespace suffice::kernel
#endif
