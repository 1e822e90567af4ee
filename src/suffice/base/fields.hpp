// A value names its members once; bytes, JSON, recoding and printing are each written once over that.
#pragma once
#include <concepts>
#include <limits>
#include <string_view>
#include <tuple>
#include <type_traits>

namespace suffice {

// What a member's positions stand for. Members along `level` follow when levels are recoded.
enum class Axis { none, level };

// What a number may be.
struct Range {
    double least = -std::numeric_limits<double>::infinity(), most = std::numeric_limits<double>::infinity();
};
constexpr Range at_least(double least) { return {.least = least}; }
constexpr Range between(double least, double most) { return {least, most}; }

// Of a member that users set: what it means in one line, what is allowed, and the command's option where that is not
// the name with dashes.
struct About {
    std::string_view help = {};  // empty: not for users
    Range range = {};
    std::string_view option = {};
};

template <class Owner, class Member>
struct Field {
    using Value = Member;
    std::string_view name;
    Member Owner::* member;
    Axis axis;
    About about;
};

template <class Owner, class Member>
constexpr Field<Owner, Member> field(std::string_view name, Member Owner::* member, Axis axis = Axis::none) {
    return {name, member, axis, {}};
}
template <class Owner, class Member>
constexpr Field<Owner, Member> setting(std::string_view name, Member Owner::* member, std::string_view help,
                                       Range range = {}, std::string_view option = {}) {
    return {name, member, Axis::none, {help, range, option}};
}

template <class T>
concept Fielded = requires { std::tuple_size<std::remove_cvref_t<decltype(std::remove_cvref_t<T>::fields)>>::value; };

// Calls visit(field, member) for each, in the order written.
template <Fielded T, class Visit>
constexpr void for_each_field(T& value, Visit&& visit) {
    std::apply([&](const auto&... each) { (visit(each, value.*each.member), ...); }, std::remove_cvref_t<T>::fields);
}

}  // namespace suffice
