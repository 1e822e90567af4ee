// Which type something is, asked without run-time type information, which those who embed the library may compile
// without.
#pragma once
#include <string_view>

namespace suffice {

// Differs from type to type, and is the same for one type everywhere in a program.
using TypeKey = const char*;

template <class T>
inline constexpr char key_of_type{};

template <class T>
constexpr TypeKey type_key() {
    return &key_of_type<T>;
}

// Spelled by the compiler: the same in every process of one build.
template <class T>
constexpr std::string_view type_spelling() {
    return __PRETTY_FUNCTION__;
}

}  // namespace suffice
