// Opens libraries by name.
#include "suffice/read/shared_library.hpp"

#if __has_include(<dlfcn.h>) && !defined(__wasm__)
#include <dlfcn.h>
#define SUFFICE_OPENS_LIBRARIES 1
#endif

namespace suffice {

#ifdef SUFFICE_OPENS_LIBRARIES

void* open_shared_library(const std::vector<std::string>& names) {
    for (const std::string& name : names)
        if (void* library = name.empty() ? nullptr : dlopen(name.c_str(), RTLD_LAZY | RTLD_LOCAL)) return library;
    return nullptr;
}

void* find_symbol(void* library, const char* name) { return dlsym(library, name); }

#else  // browsers have none

void* open_shared_library(const std::vector<std::string>&) { return nullptr; }
void* find_symbol(void*, const char*) { return nullptr; }

#endif

}  // namespace suffice
