// What both halves of the C interface share: handles, and whatever is thrown or refused as a code and a sentence.
#pragma once
#include <algorithm>
#include <cstring>
#include <limits>

#include "suffice.h"

#include "suffice/base/guarded.hpp"
#include "suffice/flow/row_scorer.hpp"

struct suffice_model {
    suffice::Model model;
};

struct suffice_scorer {
    suffice::RowScorer scorer;
};

namespace suffice::c {

inline int code_of(ErrorKind kind) {
    switch (kind) {
        case ErrorKind::input:
            return SUFFICE_BAD_INPUT;
        case ErrorKind::usage:
            return SUFFICE_BAD_USAGE;
        case ErrorKind::singular:
            return SUFFICE_SINGULAR;
        case ErrorKind::not_fitted:
            return SUFFICE_NOT_FITTED;
        case ErrorKind::io:
            return SUFFICE_MACHINE;
        case ErrorKind::cancelled:
            return SUFFICE_CANCELLED;
        case ErrorKind::internal:
            break;
    }
    return SUFFICE_INTERNAL;
}

inline void clear(suffice_error* error) {
    if (error == nullptr) return;
    error->code = SUFFICE_OK;
    error->message[0] = '\0';
}

// A sentence that is too long is cut between characters.
inline int tell(suffice_error* error, int code, std::string_view sentence) noexcept {
    if (error == nullptr) return code;
    error->code = code;
    std::size_t size = std::min(sentence.size(), sizeof error->message - 1);
    while (size > 0 && size < sentence.size() && (static_cast<unsigned char>(sentence[size]) & 0xC0) == 0x80) --size;
    std::memcpy(error->message, sentence.data(), size);
    error->message[size] = '\0';
    return code;
}

// Saying what is wrong may take memory that is not there.
inline int tell(suffice_error* error, const Error& told) noexcept {
    try {
        return tell(error, code_of(told.kind), told.sentence());
    } catch (...) {
        return tell(error, code_of(told.kind), "out of memory");
    }
}

// work() -> Result<void>; 0 or the code.
template <class Work>
int run(suffice_error* error, Work&& work) noexcept {
    clear(error);
    try {
        const Result<void> done = suffice::guarded(work);
        return done ? SUFFICE_OK : tell(error, done.error());
    } catch (...) {
        return tell(error, SUFFICE_MACHINE, "out of memory");
    }
}

// work() -> Result<Model>; a handle or null.
template <class Work>
suffice_model* make(suffice_error* error, Work&& work) noexcept {
    suffice_model* made = nullptr;
    run(error, [&]() -> Result<void> {
        auto model = work();
        if (!model) return model.error();
        made = new suffice_model{std::move(*model)};
        return {};
    });
    return made;
}

inline Error missing_argument(const char* what) { return {ErrorKind::usage, std::string(what) + " must not be NULL"}; }

inline Result<void> check_size(std::size_t n, std::size_t d) {
    if (n == 0 || d == 0) return Error(ErrorKind::usage, "there must be at least one row and one column");
    if (n > std::numeric_limits<std::ptrdiff_t>::max() / sizeof(double) / d)
        return Error(ErrorKind::usage, "so many rows and columns are beyond all memory");
    return {};
}

}  // namespace suffice::c
