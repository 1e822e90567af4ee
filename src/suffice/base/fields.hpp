// A value names its members once; bytes, JSON, recoding and printing are each written once over that.
#pragma once
#include <concepts>
#include <cstddef>
#include <limits>
#include <string_view>
#include <type_traits>
#include <utility>

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

// What a value's fields are listed in. A tuple of the standard library asks of every list how it could be converted and
// compared, which took the compiler a third of its time on most files (bench/results/build-times.md).
template <std::size_t At, class Each>
struct FieldAt {
    Each each;
};
template <class Places, class... Each>
struct FieldsAt;
template <std::size_t... At, class... Each>
struct FieldsAt<std::index_sequence<At...>, Each...> : FieldAt<At, Each>... {
    static constexpr std::size_t field_count = sizeof...(Each);
    template <class Act>
    constexpr auto apply(Act&& act) const {
        return act(FieldAt<At, Each>::each...);
    }
};
template <class... Each>
struct FieldTuple : FieldsAt<std::index_sequence_for<Each...>, Each...> {
    constexpr explicit FieldTuple(Each... each) : FieldsAt<std::index_sequence_for<Each...>, Each...>{{each}...} {}
};

template <std::size_t At, class Each>
constexpr const Each& field_at(const FieldAt<At, Each>& found) {
    return found.each;
}

template <class T>
concept Fielded = requires { std::remove_cvref_t<T>::fields.field_count; };

// Calls visit(field, member) for each, in the order written.
template <Fielded T, class Visit>
constexpr void for_each_field(T& value, Visit&& visit) {
    std::remove_cvref_t<T>::fields.apply([&](const auto&... each) { (visit(each, value.*each.member), ...); });
}

}  // namespace suffice
