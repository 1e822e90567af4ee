// A value names its members once; bytes, JSON, recoding and printing are each written once over that.
#pragma once
#include <concepts>
#include <string_view>
#include <tuple>
#include <type_traits>

namespace suffice {

// What a member's positions stand for. Members along `level` follow when levels are recoded.
enum class Axis { none, level };

template <class Owner, class Member>
struct Field {
    std::string_view name;
    Member Owner::* member;
    Axis axis;
};

template <class Owner, class Member>
constexpr Field<Owner, Member> field(std::string_view name, Member Owner::* member, Axis axis = Axis::none) {
    return {name, member, axis};
}

template <class T>
concept Fielded = requires { std::tuple_size<std::remove_cvref_t<decltype(std::remove_cvref_t<T>::fields)>>::value; };

// Calls visit(field, member) for each, in the order written.
template <Fielded T, class Visit>
constexpr void for_each_field(T& value, Visit&& visit) {
    std::apply([&](const auto&... each) { (visit(each, value.*each.member), ...); }, std::remove_cvref_t<T>::fields);
}

}  // namespace suffice
