// Units worked on by several threads, their results handed on in the order of the rows.
#pragma once
#include <condition_variable>
#include <mutex>
#include <optional>

#include "suffice/accumulate/fold.hpp"

namespace suffice {

// work(block, drawn, workspace) -> Result<T> by any thread; emit(T) -> Result<void> by one at a time, in order. The
// first failing unit ends the run, after everything before it was emitted. Each thread has a lane of its own, so the
// names of the stream must not grow.
template <class Work, class Emit>
Result<void> map_in_order(Stream& stream, const Context& context, Work work, Emit emit) {
    std::mutex guard;
    std::condition_variable turn;
    std::uint64_t next = 0, emitted = 0;
    std::optional<Error> failure;

    const auto run = [&] {
        Workspace workspace;
        const auto unit = stream.drawn();
        const auto lane = stream.lane();
        for (;;) {
            std::uint64_t u = 0;
            std::optional<Error> problem;
            {
                const std::scoped_lock lock(guard);
                if (failure) return;
                auto more = stream.draw(*unit);
                if (more && !*more) return;
                u = next++;
                if (!more) problem = more.error();
                if (context.stopped()) problem = Error(ErrorKind::cancelled, "the computation was stopped");
                if (context.progress) context.progress(stream.progress());
            }
            using Made = decltype(work(LabeledBlock{}, *unit, *lane, workspace));
            std::optional<Made> made;
            if (!problem) {
                if (auto block = stream.decode(*unit, *lane); !block) {
                    problem = block.error();
                } else {
                    made.emplace(work(*block, *unit, *lane, workspace));
                    if (!*made) problem = stream.located(made->error(), *lane);
                }
            }
            std::unique_lock lock(guard);
            turn.wait(lock, [&] { return emitted == u || failure; });
            if (!failure && !problem)
                if (auto done = emit(std::move(**made)); !done) problem = done.error();
            if (!failure && problem) failure = std::move(problem);
            ++emitted;
            lock.unlock();
            turn.notify_all();
        }
    };
    together(useful_threads(context, stream.byte_count()), run);
    if (failure) return *failure;
    return {};
}

}  // namespace suffice
