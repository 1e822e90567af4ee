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

// Unit u is folded into lane u mod L, in order inside a lane, and lanes are merged in order: the
// answer has the same bits for any number of threads, and only L statistics are ever alive.
// Units are handed out in order, as a stream delivers them; who draws u waits for u - L, which
// was drawn before it, so nobody waits in a circle.
template <Pass P>
Result<typename P::Statistic> fold_here(const P& pass, Stream& stream, const Context& context) {
    const std::size_t lanes = lane_count(pass.footprint(), stream.unit_count(), stream.byte_count());
    std::vector<typename P::Statistic> statistic(lanes, pass.empty());
    std::vector<std::unique_ptr<Stream::Lane>> lane;
    for (std::size_t l = 0; l < lanes; ++l) lane.push_back(stream.lane());
    std::vector<std::atomic<std::uint64_t>> folded(lanes);  // units done in each lane
    std::mutex drawing;                                     // guards the stream, next, failure and exception
    std::uint64_t next = 0;
    std::optional<std::pair<std::uint64_t, Error>> failure;  // of the earliest unit that failed
    std::exception_ptr exception;
    std::atomic<bool> broken{false};

    const auto fail = [&](std::uint64_t unit, Error error) {
        const std::scoped_lock lock(drawing);
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
                if (context.stopped()) {
                    failure.emplace(next, Error(ErrorKind::cancelled, "the computation was stopped"));
                    broken = true;
                    return;
                }
                auto more = stream.draw(*unit);
                if (!more) {
                    failure.emplace(next, more.error());
                    broken = true;
                    return;
                }
                if (!*more) return;
                u = next++;
                if (context.progress) context.progress(stream.progress());
            }
            const std::size_t l = static_cast<std::size_t>(u % lanes);
            for (std::uint64_t seen; (seen = folded[l].load()) != u / lanes;) folded[l].wait(seen);
            try {
                if (auto block = stream.decode(*unit, *lane[l]); !block) {
                    fail(u, block.error());
                } else if (auto seen = pass.observe(statistic[l], *block, lane[l]->names, workspace); !seen) {
                    fail(u, stream.located(seen.error(), *lane[l]));
                }
            } catch (...) {
                const std::scoped_lock lock(drawing);
                if (!exception) exception = std::current_exception();
                broken = true;
            }
            ++folded[l];  // also after a failure, or the others would wait for ever
            folded[l].notify_all();
        }
    };
    together(std::min<std::size_t>(useful_threads(context, stream.byte_count()), lanes), work);
    if (exception) std::rethrow_exception(exception);
    if (failure) return std::move(failure->second);
    for (std::size_t l = 1; l < lanes; ++l) statistic[0].merge(statistic[l]);
    return std::move(statistic[0]);
}

// The same of all rows, where those of the stream may be one part of them.
template <Pass P>
Result<typename P::Statistic> fold(const P& pass, Stream& stream, const Context& context) {
    Rounds* rounds = stream.rounds();
    if (rounds == nullptr) return fold_here(pass, stream, context);
    if constexpr (Archived<typename P::Statistic>)
        return exchange(*rounds, pass.empty(), [&] { return fold_here(pass, stream, context); });
    else
        return Error(ErrorKind::usage, "this model needs its rows in one place; fit it to files, or to a sample");
}

}  // namespace suffice
