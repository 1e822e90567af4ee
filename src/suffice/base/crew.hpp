// Threads that are kept between calls: making one takes as long as scoring thousands of rows.
#pragma once
#include <cstddef>

namespace suffice {

// Whether what a thread was asked for must be done, or is called off where it has not begun when the caller is done.
enum class Crew : unsigned char { everyone, whoever_comes };

// work(context) by the caller, and by count - 1 kept threads beside it. Returns when all that began have ended; what
// one of them throws is thrown here. Any number of callers at once, nested ones too; safe after fork, where the child
// makes threads of its own. Threads without work sleep. Where no thread can be made, the caller does their share as
// well.
void crew_work(std::size_t count, Crew crew, void (*work)(const void*), const void* context);

template <class Work>
void crew_work(std::size_t count, Crew crew, const Work& work) {
    crew_work(count, crew, [](const void* context) { (*static_cast<const Work*>(context))(); }, &work);
}

}  // namespace suffice
