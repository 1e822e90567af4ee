// Runs one piece of work on several threads at once and waits for all of them.
#pragma once
#include <cstddef>
#include <thread>
#include <vector>

namespace suffice {

// Where a new thread waits in line behind its maker, moves it to another core that it may use; it stays free to move
// on. Linux does put it there after a pause of the process, for milliseconds and while other cores idle.
void move_away(std::jthread& thread);

// work() on `count` threads, of which the caller is one.
template <class Work>
void together(std::size_t count, const Work& work) {
    std::vector<std::jthread> others;
    for (std::size_t t = 1; t < count; ++t) move_away(others.emplace_back([&work] { work(); }));
    work();
}

}  // namespace suffice
