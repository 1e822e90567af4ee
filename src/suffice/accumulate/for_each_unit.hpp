// Independent pieces of work by several threads, in any order: for results that each piece writes by itself.
#pragma once
#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>

#include "suffice/base/context.hpp"
#include "suffice/base/together.hpp"
#include "suffice/base/workspace.hpp"

namespace suffice {

// work(unit, workspace) for units 0 .. count - 1; once the context is stopped, no more of them.
template <class Work>
void for_each_unit(std::size_t count, unsigned thread_count, const Context& context, Work&& work) {
    std::atomic<std::size_t> next{0};
    std::mutex guard;
    std::exception_ptr exception;
    const auto run = [&] {
        try {
            Workspace workspace;
            for (std::size_t unit; (unit = next.fetch_add(1)) < count && !context.stopped();) work(unit, workspace);
        } catch (...) {
            const std::scoped_lock lock(guard);
            exception = std::current_exception();
            next = count;
        }
    };
    together(std::min<std::size_t>(thread_count, count), run);
    if (exception) std::rethrow_exception(exception);
}

}  // namespace suffice
