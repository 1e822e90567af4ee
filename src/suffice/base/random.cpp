// The rounds of Philox4x64-10 and the keys of named and forked streams.
#include "suffice/base/random.hpp"

namespace suffice {
namespace {

__extension__ using Wide = unsigned __int128;

Rng::Counter philox(Rng::Counter counter, Rng::Key key) {
    constexpr int round_count = 10;
    for (int round = 0; round < round_count; ++round) {
        const Wide first = Wide{0xD2E7470EE14C6C93u} * counter[0];
        const Wide second = Wide{0xCA5A826395121157u} * counter[2];
        counter = {static_cast<std::uint64_t>(second >> 64) ^ counter[1] ^ key[0], static_cast<std::uint64_t>(second),
                   static_cast<std::uint64_t>(first >> 64) ^ counter[3] ^ key[1], static_cast<std::uint64_t>(first)};
        key[0] += 0x9E3779B97F4A7C15u;  // golden ratio
        key[1] += 0xBB67AE8584CAA73Bu;  // sqrt(3) - 1
    }
    return counter;
}

std::uint64_t fnv1a(std::string_view text) {
    std::uint64_t hash = 0xCBF29CE484222325u;
    for (const char character : text) {
        hash ^= static_cast<unsigned char>(character);
        hash *= 0x100000001B3u;
    }
    return hash;
}

// Draws count up from counter 0; keys of derived streams come from blocks that no draw reaches.
constexpr std::uint64_t forks = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t names = forks - 1;

Rng::Key derived_key(const Rng::Key& key, std::uint64_t index, std::uint64_t purpose) {
    const Rng::Counter block = philox({index, 0, 0, purpose}, key);
    return {block[0], block[1]};
}

}  // namespace

Rng::Rng(std::uint64_t seed, std::string_view stream) : key_{seed, 0} {
    if (!stream.empty()) key_ = derived_key(key_, fnv1a(stream), names);
}

Rng Rng::fork(std::uint64_t index) const { return Rng(derived_key(key_, index, forks)); }

void Rng::refill() {
    for (std::uint64_t& word : counter_) {
        if (++word != 0) break;
    }
    words_ = philox(counter_, key_);
    used_ = 0;
}

// Lemire, "Fast random integer generation in an interval", 2019: the high word of a product, redrawn where it would be
// biased.
std::uint64_t Rng::below(std::uint64_t bound) {
    Wide product = Wide{(*this)()} * bound;
    if (static_cast<std::uint64_t>(product) < bound) {
        const std::uint64_t biased = (0 - bound) % bound;
        while (static_cast<std::uint64_t>(product) < biased) product = Wide{(*this)()} * bound;
    }
    return static_cast<std::uint64_t>(product >> 64);
}

}  // namespace suffice
