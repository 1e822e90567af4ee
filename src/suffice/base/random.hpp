// Random numbers that depend on the seed, the stream's name and the position alone: the same on every platform and for
// any thread count. Philox4x64-10, a counter-based generator: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as
// easy as 1, 2, 3", SC 2011.
#pragma once
#include <array>
#include <cstdint>
#include <limits>
#include <string_view>

namespace suffice {

// A UniformRandomBitGenerator. Rng(seed) gives the words of numpy.random.Philox(key=seed).
class Rng {
public:
    using result_type = std::uint64_t;
    using Key = std::array<std::uint64_t, 2>;
    using Counter = std::array<std::uint64_t, 4>;

    // Streams of different names are independent of each other under one seed.
    explicit Rng(std::uint64_t seed, std::string_view stream = {});

    // The state as numpy.random.Philox(key=, counter=) takes it: the first block is that of counter + 1.
    explicit Rng(const Key& key, const Counter& counter = {}) : key_(key), counter_(counter) {}

    // The stream of work unit `index`: depends on how this generator was made, not on how far it has drawn.
    Rng fork(std::uint64_t index) const;

    static constexpr result_type min() { return 0; }
    static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }

    result_type operator()() {
        if (used_ == words_.size()) refill();
        return words_[used_++];
    }

    // 53 random bits in [0, 1).
    double uniform() { return static_cast<double>((*this)() >> 11) * 0x1p-53; }

    // 52 random bits in (0, 1), symmetric around one half, so that a logarithm or a quantile of it is finite.
    double uniform_open() { return (static_cast<double>((*this)() >> 12) + 0.5) * 0x1p-52; }

    // A whole number in [0, bound), each equally likely; bound > 0.
    std::uint64_t below(std::uint64_t bound);

private:
    void refill();

    Key key_;
    Counter counter_{};
    std::array<std::uint64_t, 4> words_{};
    std::size_t used_ = 4;  // all of `words_`: the first draw computes a block
};

}  // namespace suffice
