// Sums over blocks of rows that are cut at fixed places, added in a tree of fixed form: whoever sums which blocks, and
// in whichever order they come, all of them together have the same bits.
#pragma once
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "suffice/base/result.hpp"

namespace suffice {

// Where the rows of a stream are cut.
struct RowBlocks {
    std::uint64_t first_row = 0;  // of the stream, among all rows
    std::uint64_t rows = 0;       // of each block but the last of all; 0: cut anywhere
};

// The sum over rows first, ..., first + span - 1: of a block, or of 2, 4, 8 ... of them. Span 0: of rows cut anywhere.
template <class T>
struct BlockSum {
    std::uint64_t first = 0, span = 0;
    T sum;
};

template <class T>
class BlockTree {
public:
    using Sum = BlockSum<T>;

    // The other half of what both make together, if it is there; else the sum waits for it.
    std::optional<Sum> neighbour_of(Sum& sum) {
        if (sum.span != 0 && sum.first % sum.span == 0) {
            const bool is_left = sum.first / sum.span % 2 == 0;
            const auto [begin, end] = waiting_.equal_range(is_left ? sum.first + sum.span : sum.first - sum.span);
            for (auto each = begin; each != end; ++each)
                if (each->second.span == sum.span) return std::move(waiting_.extract(each).mapped());
        }
        waiting_.emplace(sum.first, std::move(sum));
        return std::nullopt;
    }
    // merge(left, right) -> Result<T>, as everywhere here.
    template <class Merge>
    static Result<Sum> joined(Sum one, Sum other, const Merge& merge) {
        if (other.first < one.first) std::swap(one, other);
        Result<T> both = merge(std::move(one.sum), std::move(other.sum));
        if (!both) return both.error();
        return Sum{one.first, 2 * one.span, std::move(*both)};
    }
    template <class Merge>
    Result<void> add(Sum sum, const Merge& merge) {
        while (auto other = neighbour_of(sum)) {
            auto both = joined(std::move(sum), std::move(*other), merge);
            if (!both) return both.error();
            sum = std::move(*both);
        }
        return {};
    }
    template <class Merge>
    static Result<BlockTree> of(std::vector<Sum> sums, const Merge& merge) {
        BlockTree tree;
        for (Sum& each : sums)
            if (auto added = tree.add(std::move(each), merge); !added) return added.error();
        return tree;
    }
    // What is left, added from the last to the first; `blank` where there is nothing.
    template <class Merge>
    Result<T> all(T blank, const Merge& merge) && {
        if (waiting_.empty()) return blank;
        auto at = std::prev(waiting_.end());
        T sum = std::move(at->second.sum);
        while (at != waiting_.begin()) {
            --at;
            Result<T> both = merge(std::move(at->second.sum), std::move(sum));
            if (!both) return both;
            sum = std::move(*both);
        }
        return sum;
    }
    std::vector<Sum> take() && {
        std::vector<Sum> all;
        for (auto& [first, each] : waiting_) all.push_back(std::move(each));
        return all;
    }
    std::size_t size() const { return waiting_.size(); }
    const std::multimap<std::uint64_t, Sum>& sums() const { return waiting_; }  // by their first rows

private:
    std::multimap<std::uint64_t, Sum> waiting_;
};

// Statistics are merged in place.
struct MergeStatistics {
    template <class T>
    Result<T> operator()(T left, const T& right) const {
        left.merge(right);
        return left;
    }
};

}  // namespace suffice
