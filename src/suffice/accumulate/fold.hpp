// One pass over the rows. Threads, machines and devices all implement this one function, and it
// is all they implement: naive Bayes folds once, EM and Newton fold once per step.
#pragma once
#include <algorithm>
#include <atomic>
#include <concepts>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "suffice/base/together.hpp"
#include "suffice/base/workspace.hpp"
#include "suffice/data/rounds.hpp"
#include "suffice/data/stream.hpp"
#include "suffice/family/concepts.hpp"

namespace suffice {

// What one pass gathers, given whatever parameters the pass object holds fixed. `names` are those of
// the lane when the unit was decoded; a pass over rows whose names cannot grow ignores them.
template <class P>
concept Pass =
    Statistic<typename P::Statistic> && requires(const P& pass, typename P::Statistic& into, const LabeledBlock& unit,
                                                 const Schema& names, Workspace& workspace) {
        { pass.empty() } -> std::same_as<typename P::Statistic>;
        { pass.observe(into, unit, names, workspace) } -> std::same_as<Result<void>>;
        { pass.footprint() } -> std::same_as<std::size_t>;  // bytes of one statistic, from shapes alone
    };

inline constexpr std::size_t most_lanes = 16;
inline constexpr std::size_t fewest_lanes = 2;  // however large a statistic is, two threads find work
inline constexpr std::size_t lane_memory = std::size_t{64} << 20;  // of all lanes together
inline constexpr std::uint64_t bytes_worth_a_thread = std::size_t{1} << 20;

// Depends on shapes alone, never on threads. Merging a lane costs about as much as reading its bytes, so the statistics
// should not outweigh the data (0 bytes: not known).
inline std::size_t lane_count(std::size_t footprint, std::uint64_t unit_count, std::uint64_t bytes = 0) {
    const std::uint64_t worth = bytes == 0 ? lane_memory : std::min<std::uint64_t>(bytes, lane_memory);
    const auto limit = static_cast<std::size_t>(
        std::clamp<std::uint64_t>(worth / (footprint + 1), std::uint64_t{fewest_lanes}, std::uint64_t{most_lanes}));
    return unit_count == 0 ? limit : static_cast<std::size_t>(std::clamp<std::uint64_t>(unit_count, 1, limit));
}

// How many threads a pass over so many bytes is worth. 0 bytes: not known, so all of them.
inline unsigned useful_threads(const Context& context, std::uint64_t bytes) {
    return bytes != 0 && bytes < bytes_worth_a_thread ? 1 : std::max(1u, context.thread_count);
}

// take(number of the unit, unit, workspace) -> Result<void> for every unit, by several threads. Units are handed out in
// order, as a stream delivers them; of those that fail, the first one's error is told.
template <class Take>
Result<void> take_units(Stream& stream, const Context& context, std::size_t thread_count, const Take& take) {
    std::mutex drawing;  // guards the stream, next, failure and exception
    std::uint64_t next = 0;
    std::optional<std::pair<std::uint64_t, Error>> failure;  // of the earliest unit that failed
    std::exception_ptr exception;
    std::atomic<bool> broken{false};
    const auto fail = [&](std::uint64_t unit, Error error) {
        if (!failure || unit < failure->first) failure.emplace(unit, std::move(error));
        broken = true;
    };
    const auto work = [&] {
        Workspace workspace;
        const auto unit = stream.drawn();
        for (;;) {
            std::uint64_t u = 0;
            {
                const std::scoped_lock lock(drawing);
                if (broken) return;
                if (context.stopped()) return fail(next, Error(ErrorKind::cancelled, "the computation was stopped"));
                auto more = stream.draw(*unit);
                if (!more) return fail(next, more.error());
                if (!*more) return;
                u = next++;
                if (context.progress) context.progress(stream.progress());
            }
            try {
                if (Result<void> taken = take(u, *unit, workspace); !taken) {
                    const std::scoped_lock lock(drawing);
                    fail(u, taken.error());
                }
            } catch (...) {
                const std::scoped_lock lock(drawing);
                if (!exception) exception = std::current_exception();
                broken = true;
            }
        }
    };
    together(thread_count, work);
    if (exception) std::rethrow_exception(exception);
    if (failure) return std::move(failure->second);
    return {};
}

// Observes one drawn unit by way of a lane; gives the number of its first row.
template <Pass P>
Result<std::uint64_t> observe_unit(const P& pass, Stream& stream, Stream::Drawn& unit, Stream::Lane& lane,
                                   typename P::Statistic& into, Workspace& workspace) {
    auto block = stream.decode(unit, lane);
    if (!block) return block.error();
    if (auto seen = pass.observe(into, *block, lane.names, workspace); !seen) return stream.located(seen.error(), lane);
    return block->first_row;
}

// Unit u is folded into lane u mod L, in order inside a lane, and lanes are merged in order: the
// answer has the same bits for any number of threads, and only L statistics are ever alive.
// Who draws u waits for u - L, which was drawn before it, so nobody waits in a circle.
template <Pass P>
Result<typename P::Statistic> fold_lanes(const P& pass, Stream& stream, const Context& context) {
    const std::size_t lanes = lane_count(pass.footprint(), stream.unit_count(), stream.byte_count());
    std::vector<typename P::Statistic> statistic(lanes, pass.empty());
    std::vector<std::unique_ptr<Stream::Lane>> lane;
    for (std::size_t l = 0; l < lanes; ++l) lane.push_back(stream.lane());
    std::vector<std::atomic<std::uint64_t>> folded(lanes);  // units done in each lane
    struct Done {                                           // also after a failure, or the others would wait for ever
        std::atomic<std::uint64_t>& folded;
        ~Done() {
            ++folded;
            folded.notify_all();
        }
    };
    const auto take = [&](std::uint64_t u, Stream::Drawn& unit, Workspace& workspace) -> Result<void> {
        const auto l = static_cast<std::size_t>(u % lanes);
        for (std::uint64_t seen; (seen = folded[l].load()) != u / lanes;) folded[l].wait(seen);
        const Done done{folded[l]};
        if (auto seen = observe_unit(pass, stream, unit, *lane[l], statistic[l], workspace); !seen) return seen.error();
        return {};
    };
    const auto threads = std::min<std::size_t>(useful_threads(context, stream.byte_count()), lanes);
    if (auto taken = take_units(stream, context, threads, take); !taken) return taken.error();
    for (std::size_t l = 1; l < lanes; ++l) statistic[0].merge(statistic[l]);
    return std::move(statistic[0]);
}

// Each unit is a block with a statistic of its own, seen by a lane that knows no names of others: a part of the rows
// has the blocks of the whole, to the bit.
template <Pass P>
Result<BlockTree<typename P::Statistic>> fold_blocks(const P& pass, Stream& stream, const Context& context) {
    using Statistic = typename P::Statistic;
    const std::uint64_t rows = stream.blocks().rows;
    BlockTree<Statistic> tree;
    std::vector<std::unique_ptr<Stream::Lane>> idle;  // that have learned no name
    std::mutex guard;                                 // of both
    const Schema known = stream.lane()->names;
    const auto take = [&](std::uint64_t, Stream::Drawn& unit, Workspace& workspace) -> Result<void> {
        std::unique_ptr<Stream::Lane> lane;
        if (const std::scoped_lock lock(guard); !idle.empty()) {
            lane = std::move(idle.back());
            idle.pop_back();
        }
        if (lane == nullptr) lane = stream.lane();
        BlockSum<Statistic> sum{0, rows, pass.empty()};
        const auto first_row = observe_unit(pass, stream, unit, *lane, sum.sum, workspace);
        if (!first_row) return first_row.error();
        sum.first = *first_row;
        if (lane->names == known) {
            const std::scoped_lock lock(guard);
            idle.push_back(std::move(lane));
        }
        for (;;) {
            std::optional<BlockSum<Statistic>> other;
            {
                const std::scoped_lock lock(guard);
                other = tree.neighbour_of(sum);
            }
            if (!other) return {};
            auto both = BlockTree<Statistic>::joined(std::move(sum), std::move(*other), MergeStatistics{});
            if (!both) return both.error();
            sum = std::move(*both);
        }
    };
    if (auto taken = take_units(stream, context, useful_threads(context, stream.byte_count()), take); !taken)
        return taken.error();
    return tree;
}

// All rows of a stream, wherever others lie.
template <Pass P>
Result<typename P::Statistic> fold_here(const P& pass, Stream& stream, const Context& context) {
    if (stream.blocks().rows == 0) return fold_lanes(pass, stream, context);
    auto tree = fold_blocks(pass, stream, context);
    if (!tree) return tree.error();
    return std::move(*tree).all(pass.empty(), MergeStatistics{});
}

// The sums of the blocks of a stream; where it has none, one for all of its rows.
template <Pass P>
Result<BlockTree<typename P::Statistic>> fold_sums(const P& pass, Stream& stream, const Context& context) {
    const RowBlocks blocks = stream.blocks();
    if (blocks.rows != 0) return fold_blocks(pass, stream, context);
    auto all = fold_lanes(pass, stream, context);
    if (!all) return all.error();
    BlockTree<typename P::Statistic> tree;
    BlockSum<typename P::Statistic> sum{blocks.first_row, 0, std::move(*all)};
    tree.neighbour_of(sum);
    return tree;
}

// The same of all rows, where those of the stream may be one part of them.
template <Pass P>
Result<typename P::Statistic> fold(const P& pass, Stream& stream, const Context& context) {
    Rounds* rounds = stream.rounds();
    if (rounds == nullptr) return fold_here(pass, stream, context);
    if constexpr (Archived<typename P::Statistic>)
        return exchange(*rounds, pass.empty(), [&] { return fold_sums(pass, stream, context); });
    else
        return Error(ErrorKind::usage, "this model needs its rows in one place; fit it to files, or to a sample");
}

}  // namespace suffice
