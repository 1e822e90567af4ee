// MurmurHash3 (Austin Appleby, public domain), the x86 32-bit variant.
#include "suffice/encode/hashing.hpp"

#include <bit>
#include <cstring>
#include <limits>

namespace suffice {

std::uint32_t murmur_hash_3(std::string_view bytes, std::uint32_t seed) {
    constexpr std::uint32_t c1 = 0xCC9E2D51u, c2 = 0x1B873593u;
    const auto scramble = [](std::uint32_t k) { return std::rotl(k * c1, 15) * c2; };
    std::uint32_t hash = seed;
    std::size_t at = 0;
    for (; at + 4 <= bytes.size(); at += 4) {
        std::uint32_t k;
        std::memcpy(&k, bytes.data() + at, 4);
        hash = std::rotl(hash ^ scramble(k), 13) * 5 + 0xE6546B64u;
    }
    std::uint32_t tail = 0;
    for (std::size_t k = bytes.size(); k > at; --k) tail = tail << 8 | static_cast<unsigned char>(bytes[k - 1]);
    if (at < bytes.size()) hash ^= scramble(tail);
    hash ^= static_cast<std::uint32_t>(bytes.size());
    hash = (hash ^ hash >> 16) * 0x85EBCA6Bu;
    hash = (hash ^ hash >> 13) * 0xC2B2AE35u;
    return hash ^ hash >> 16;
}

SignedBucket bucket_of(std::string_view token, std::uint32_t bucket_count, bool alternate_sign) {
    const auto hash = static_cast<std::int32_t>(murmur_hash_3(token, 0));
    const double sign = alternate_sign && hash < 0 ? -1 : 1;
    // The smallest number has no absolute value in 32 bits; scikit-learn gives it this bucket.
    if (hash == std::numeric_limits<std::int32_t>::min())
        return {(0x7FFFFFFFu - (bucket_count - 1)) % bucket_count, sign};
    return {static_cast<std::uint32_t>(hash < 0 ? -hash : hash) % bucket_count, sign};
}

}  // namespace suffice
