// Enumerators by the words that users write and read for them: one table beside each enumeration.
#pragma once
#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <type_traits>

namespace suffice {

// Specialised as std::array<std::string_view, count>, in the order of the enumerators, which count from zero.
template <class Enumeration>
inline constexpr std::array<std::string_view, 0> enum_names{};

template <class T>
concept NamedEnum = std::is_enum_v<T> && !enum_names<T>.empty();

template <NamedEnum T>
constexpr std::string_view name_of(T value) {
    return enum_names<T>[static_cast<std::size_t>(value)];
}

template <NamedEnum T>
constexpr std::optional<T> value_named(std::string_view name) {
    for (std::size_t k = 0; k < enum_names<T>.size(); ++k)
        if (enum_names<T>[k] == name) return static_cast<T>(k);
    return std::nullopt;
}

// A file may hold any number where an enumerator is meant.
template <NamedEnum T>
constexpr bool is_named(T value) {
    return static_cast<std::size_t>(value) < enum_names<T>.size();
}

}  // namespace suffice
