// Scans 64 bytes at a time into bit masks; where the processor can squeeze bytes (AVX-512 VBMI2) positions come without
// a loop.
#include "suffice/kernel/text_scan.hpp"

#include <bit>
#include <cstring>

#define HWY_WANT_AVX3_DL 1
#include "suffice/kernel/targets.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "suffice/kernel/text_scan.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace suffice::kernel::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr std::size_t block_size = 64;

// Writes base + the number of each set bit; may write scan_slack entries past the last. At most 32 bits are set, since
// a word begins or ends at every second character at most.
HWY_INLINE std::size_t write_positions(std::uint64_t bits, std::uint32_t base, std::uint32_t* out) {
    const auto count = static_cast<std::size_t>(std::popcount(bits));
#if HWY_TARGET == HWY_AVX3_DL
    alignas(64) static constexpr std::uint8_t numbers[64] = {
        0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
        22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43,
        44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63};
    const __m512i squeezed = _mm512_maskz_compress_epi8(bits, _mm512_load_si512(numbers));
    const __m512i bases = _mm512_set1_epi32(static_cast<int>(base));
    _mm512_storeu_si512(out, _mm512_add_epi32(bases, _mm512_cvtepu8_epi32(_mm512_castsi512_si128(squeezed))));
    if (HWY_UNLIKELY(count > 16)) {
        const __m128i rest = _mm512_extracti32x4_epi32(squeezed, 1);
        _mm512_storeu_si512(out + 16, _mm512_add_epi32(bases, _mm512_cvtepu8_epi32(rest)));
    }
#else
    for (std::size_t written = 0; written < count; written += 8)
        for (std::size_t k = 0; k < 8; ++k, bits &= bits - 1)
            out[written + k] = base + static_cast<std::uint32_t>(std::countr_zero(bits));
#endif
    return count;
}

// One block of which the first `size` bytes count; returns how many of them stand before the first byte that is not
// ASCII.
HWY_INLINE std::size_t scan_block(const std::uint8_t* bytes, std::size_t size, std::uint8_t lower_by, WordScan& scan) {
    const hn::CappedTag<std::uint8_t, block_size> d;
    const std::size_t step = hn::Lanes(d);
    auto* text = reinterpret_cast<std::uint8_t*>(scan.text + scan.text_size);
    std::uint64_t high = 0, words = 0;
    for (std::size_t at = 0; at < block_size; at += step) {
        const auto in_range = [d](auto v, char first, int count) HWY_ATTR {
            return hn::Lt(hn::Sub(v, hn::Set(d, static_cast<std::uint8_t>(first))),
                          hn::Set(d, static_cast<std::uint8_t>(count)));
        };
        const auto bits_of = [d, at](auto mask) HWY_ATTR {
            std::uint64_t bits = 0;
            hn::StoreMaskBits(d, mask, reinterpret_cast<std::uint8_t*>(&bits));
            return bits << at;
        };
        const auto read = hn::LoadU(d, bytes + at);
        const auto capital = in_range(read, 'A', 26);
        const auto lowered = hn::Add(read, hn::IfThenElseZero(capital, hn::Set(d, lower_by)));
        hn::StoreU(lowered, d, text + at);
        const auto letter = in_range(hn::Or(read, hn::Set(d, std::uint8_t{32})), 'a', 26);
        const auto other = hn::Or(in_range(read, '0', 10), hn::Eq(read, hn::Set(d, static_cast<std::uint8_t>('_'))));
        words |= bits_of(hn::Or(letter, other));
        high |= bits_of(hn::Gt(read, hn::Set(d, std::uint8_t{0x7F})));
    }
    const std::size_t ascii = static_cast<std::size_t>(std::countr_zero(high));
    if (ascii < size) size = ascii;
    if (size == 0) return 0;
    const std::uint64_t keep = ~std::uint64_t{0} >> (block_size - size);
    words &= keep;
    const std::uint64_t before = words << 1 | static_cast<std::uint64_t>(scan.inside);
    const auto base = static_cast<std::uint32_t>(scan.text_size);
    scan.begin_count += write_positions(words & ~before, base, scan.begin + scan.begin_count);
    scan.end_count += write_positions(~words & before & keep, base, scan.end + scan.end_count);
    scan.inside = words >> (size - 1) & 1;
    scan.text_size += size;
    return size;
}

std::size_t ScanWords(const char* bytes, std::size_t size, bool lower, WordScan& into) {
    const auto* from = reinterpret_cast<const std::uint8_t*>(bytes);
    const std::uint8_t lower_by = lower ? 32 : 0;
    WordScan scan = into;  // a local, so that stores through its pointers do not force it to memory
    std::size_t read = 0;
    while (size - read >= block_size) {
        const std::size_t taken = scan_block(from + read, block_size, lower_by, scan);
        read += taken;
        if (taken < block_size) return into = scan, read;
    }
    if (read < size) {
        std::uint8_t last[block_size] = {};
        std::memcpy(last, from + read, size - read);
        read += scan_block(last, size - read, lower_by, scan);
    }
    return into = scan, read;
}

}  // namespace suffice::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace suffice::kernel {

HWY_EXPORT(ScanWords);

std::size_t scan_words(const char* bytes, std::size_t size, bool lower, WordScan& scan) {
    return HWY_DYNAMIC_DISPATCH(ScanWords)(bytes, size, lower, scan);
}

}  // namespace suffice::kernel
#endif
