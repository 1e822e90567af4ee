// Finds field and row ends with vectors: quote parity by carry-less multiplication, positions squeezed out of bit
// masks.
#include "suffice/kernel/byte_scan.hpp"

#define HWY_WANT_AVX3_DL 1
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "suffice/kernel/byte_scan.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace suffice::kernel::HWY_NAMESPACE {

#if HWY_TARGET == HWY_AVX3_DL || HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX2

// One bit per byte of 64.
struct Masks {
    std::uint64_t quote, delimiter, terminator, high;
};

#if HWY_TARGET == HWY_AVX3_DL || HWY_TARGET == HWY_AVX3
HWY_INLINE Masks masks_of(const char* at, char quote, char delimiter, char terminator) {
    const __m512i bytes = _mm512_loadu_si512(at);
    return {_mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8(quote)),
            _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8(delimiter)),
            _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8(terminator)), _mm512_movepi8_mask(bytes)};
}
#else
HWY_INLINE Masks masks_of(const char* at, char quote, char delimiter, char terminator) {
    const __m256i low = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at));
    const __m256i top = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at + 32));
    const auto join = [](__m256i a, __m256i b) HWY_ATTR {
        return static_cast<std::uint64_t>(static_cast<std::uint32_t>(_mm256_movemask_epi8(a))) |
               static_cast<std::uint64_t>(static_cast<std::uint32_t>(_mm256_movemask_epi8(b))) << 32;
    };
    const auto equal = [&](char wanted) HWY_ATTR {
        const __m256i byte = _mm256_set1_epi8(wanted);
        return join(_mm256_cmpeq_epi8(low, byte), _mm256_cmpeq_epi8(top, byte));
    };
    return {equal(quote), equal(delimiter), equal(terminator), join(low, top)};
}
#endif

#if HWY_TARGET == HWY_AVX3_DL
// The numbers of the set bits, squeezed together, then widened sixteen at a time: no loop over bits.
HWY_INLINE void write_positions(std::uint64_t set, std::uint32_t base, unsigned count, std::uint32_t* out) {
    alignas(64) static constexpr std::uint8_t bit_numbers[64] = {
        0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
        22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43,
        44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63};
    const __m512i packed = _mm512_maskz_compress_epi8(set, _mm512_load_si512(bit_numbers));
    const __m512i start = _mm512_set1_epi32(static_cast<int>(base));
    const auto put = [&](std::uint32_t* to, __m128i sixteen)
                         HWY_ATTR { _mm512_storeu_si512(to, _mm512_add_epi32(start, _mm512_cvtepu8_epi32(sixteen))); };
    put(out, _mm512_castsi512_si128(packed));
    if (count > 16) {
        put(out + 16, _mm512_extracti32x4_epi32(packed, 1));
        put(out + 32, _mm512_extracti32x4_epi32(packed, 2));
        put(out + 48, _mm512_extracti32x4_epi32(packed, 3));
    }
}
#else
HWY_INLINE void write_positions(std::uint64_t set, std::uint32_t base, unsigned count, std::uint32_t* out) {
    for (unsigned written = 0; written < count; written += 8)  // eight a round: one well-predicted branch per round
        for (int k = 0; k < 8; ++k) {
            *out++ = base + static_cast<std::uint32_t>(_tzcnt_u64(set));
            set &= set - 1;
        }
}
#endif

HWY_INLINE std::uint64_t prefix_xor(std::uint64_t bits) {
    return static_cast<std::uint64_t>(
        _mm_cvtsi128_si64(_mm_clmulepi64_si128(_mm_cvtsi64_si128(static_cast<long long>(bits)), _mm_set1_epi8(-1), 0)));
}

// Clears what lies inside quotes from the masks, and notices quotes that are not where RFC 4180 has them.
HWY_INLINE std::uint64_t outside_quotes(FieldScan& scan, const Masks& found, const char* text, std::size_t at,
                                        std::uint64_t valid) {
    const std::uint64_t inside = prefix_xor(found.quote) ^ (scan.in_quote ? ~std::uint64_t{0} : 0);
    const std::uint64_t structural = (found.delimiter | found.terminator) & ~inside;
    const std::uint64_t open = found.quote & inside, close = found.quote & ~inside;
    const bool starts_field = !scan.in_quote && (at == 0 || scan.after_close || text[at - 1] == scan.delimiter ||
                                                 text[at - 1] == scan.terminator);
    const std::uint64_t may_open = (structural | close) << 1 | static_cast<std::uint64_t>(starts_field);
    const std::uint64_t behind = (close << 1 | static_cast<std::uint64_t>(scan.after_close)) & valid;
    std::uint64_t odd = behind & ~(structural | found.quote);
    for (std::uint64_t left = odd; left != 0; left &= left - 1)  // a carriage return may stand before the row's end
        if (text[at + static_cast<std::size_t>(_tzcnt_u64(left))] == '\r') odd &= ~(left & (~left + 1));
    scan.malformed |= ((open & ~may_open) | odd) != 0;
    scan.doubled |=
        (found.quote & (found.quote << 1)) != 0 || ((found.quote & 1) != 0 && at > 0 && text[at - 1] == scan.quote);
    scan.any_quote |= found.quote != 0;
    scan.in_quote = (inside >> 63) != 0;
    scan.after_close = (close >> 63) != 0;
    return ~inside;
}

std::uint32_t* scan_vectors(FieldScan& scan, const char* text, std::size_t from, std::size_t to, std::uint32_t* out) {
    const char quote = scan.quote, delimiter = scan.delimiter, terminator = scan.terminator;
    const std::uint64_t quotes_count = quote != 0 ? ~std::uint64_t{0} : 0;
    std::uint64_t high = 0;
    std::size_t terminators = 0;
    for (std::size_t at = from; at < to; at += 64) {
        const std::uint64_t valid = to - at < 64 ? ~std::uint64_t{0} >> (64 - (to - at)) : ~std::uint64_t{0};
        Masks found = masks_of(text + at, quote, delimiter, terminator);
        found.quote &= valid & quotes_count;
        found.delimiter &= valid;
        found.terminator &= valid;
        high |= found.high & valid;
        if ((found.quote != 0) | scan.in_quote | scan.after_close) {
            const std::uint64_t outside = outside_quotes(scan, found, text, at, valid);
            scan.hidden_terminators += static_cast<std::size_t>(_mm_popcnt_u64(found.terminator & ~outside));
            found.delimiter &= outside;
            found.terminator &= outside;
        }
        terminators += static_cast<std::size_t>(_mm_popcnt_u64(found.terminator));
        const std::uint64_t structural = found.delimiter | found.terminator;
        const auto count = static_cast<unsigned>(_mm_popcnt_u64(structural));
        write_positions(structural, static_cast<std::uint32_t>(at), count, out);
        out += count;
    }
    scan.terminators += terminators;
    scan.non_ascii |= high != 0;
    return out;
}

#else

std::uint32_t* scan_vectors(FieldScan& scan, const char* text, std::size_t from, std::size_t to, std::uint32_t* out) {
    return scan_fields_plainly(scan, text, from, to, out);
}

#endif

}  // namespace suffice::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace suffice::kernel {

HWY_EXPORT(scan_vectors);

std::uint32_t* scan_fields(FieldScan& scan, const char* text, std::size_t from, std::size_t to, std::uint32_t* out) {
    return HWY_DYNAMIC_DISPATCH(scan_vectors)(scan, text, from, to, out);
}

std::uint32_t* scan_fields_plainly(FieldScan& scan, const char* text, std::size_t from, std::size_t to,
                                   std::uint32_t* out) {
    for (std::size_t at = from; at < to; ++at) {
        const char byte = text[at];
        const bool structural = byte == scan.delimiter || byte == scan.terminator;
        scan.non_ascii |= (static_cast<unsigned char>(byte) & 0x80) != 0;
        if (scan.quote != 0 && byte == scan.quote) {
            const bool starts_field = at == 0 || text[at - 1] == scan.delimiter || text[at - 1] == scan.terminator;
            scan.any_quote = true;
            scan.doubled |= at > 0 && text[at - 1] == scan.quote;
            scan.malformed |= !scan.in_quote && !scan.after_close && !starts_field;
            scan.after_close = scan.in_quote;
            scan.in_quote = !scan.in_quote;
            continue;
        }
        scan.malformed |= scan.after_close && !structural && byte != '\r';
        scan.after_close = false;
        scan.hidden_terminators += scan.in_quote && byte == scan.terminator;
        if (scan.in_quote || !structural) continue;
        scan.terminators += byte == scan.terminator;
        *out++ = static_cast<std::uint32_t>(at);
    }
    return out;
}

}  // namespace suffice::kernel
#endif
