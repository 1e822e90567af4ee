// What is thrown below a public function comes out of it as an Error.
#pragma once
#include <new>

#include "suffice/base/result.hpp"

namespace suffice {

// Of what was thrown; only where something is being caught.
Error caught_error();

// work() -> Result<T>, and nothing thrown: memory that runs out is an Error like a full disk.
template <class Work>
auto guarded(Work&& work) -> decltype(work()) {
    try {
        return work();
    } catch (...) {
        return caught_error();
    }
}

}  // namespace suffice
