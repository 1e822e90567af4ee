// Runs one piece of work on several threads at once and waits for all of them.
#pragma once
#include "suffice/base/crew.hpp"

namespace suffice {

// work() on `count` threads, of which the caller is one.
template <class Work>
void together(std::size_t count, const Work& work) {
    crew_work(count, Crew::everyone, work);
}

// work(), which draws piece by piece, on this thread and on up to count - 1 others if they come in time: one that has
// not begun when this thread is done would find nothing left to draw, so it is not waited for and never touches `work`.
template <class Work>
void join_in(std::size_t count, const Work& work) {
    crew_work(count, Crew::whoever_comes, work);
}

}  // namespace suffice
