// Tokens into a fixed number of buckets, as scikit-learn's FeatureHasher does: MurmurHash3, 32 bits, seed 0.
#pragma once
#include <cstdint>
#include <string_view>

namespace suffice {

std::uint32_t murmur_hash_3(std::string_view bytes, std::uint32_t seed);

struct SignedBucket {
    std::uint32_t index;
    double sign;  // -1 for half of the tokens, so that collisions cancel rather than add up
};
SignedBucket bucket_of(std::string_view token, std::uint32_t bucket_count, bool alternate_sign);

}  // namespace suffice
