// Libraries that are opened on first use, so that programs which never need them do not wait for them.
#pragma once
#include <string>
#include <vector>

namespace suffice {

// The first of these names or paths that can be opened; null: none. Never closed again.
void* open_shared_library(const std::vector<std::string>& names);
void* find_symbol(void* library, const char* name);

template <class Function>
Function* function_of(void* library, const char* name) {
    return reinterpret_cast<Function*>(find_symbol(library, name));
}

}  // namespace suffice
