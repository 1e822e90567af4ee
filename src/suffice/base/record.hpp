// Named numbers and lists of numbers: the outside form of a shape, parameter or prior, made from its `fields` and back.
#pragma once
#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "suffice/base/fields.hpp"
#include "suffice/base/never_held.hpp"
#include "suffice/base/result.hpp"

namespace suffice {

struct Record {
    using Value = std::variant<double, std::vector<double>, NeverHeld>;
    std::vector<std::pair<std::string, Value>> entries;  // in the order of the fields

    const Value* find(std::string_view name) const;
    double number(std::string_view name) const;                       // NaN where there is none
    const std::vector<double>& numbers(std::string_view name) const;  // empty where there are none
    bool operator==(const Record&) const = default;
};

std::string record_text(const Record& record);  // "rate = 3.5, shape = [1, 2]"

namespace record {

Error unknown_name(std::string_view owner, std::string_view name, const std::vector<std::string_view>& known);
Error missing_name(std::string_view owner, std::string_view name);
Result<double> read_number(std::string_view owner, std::string_view name, const Record::Value& value);
Result<double> read_whole(std::string_view owner, std::string_view name, const Record::Value& value, double largest);

template <class Member>
Result<void> read_member(std::string_view owner, std::string_view name, const Record::Value& value, Member& member) {
    if constexpr (std::same_as<Member, std::vector<double>>) {
        if (const auto* numbers = std::get_if<std::vector<double>>(&value))
            member = *numbers;
        else
            member.assign(std::max<std::size_t>(member.size(), 1), std::get<double>(value));  // one for all
    } else if constexpr (std::unsigned_integral<Member>) {
        const auto whole = read_whole(owner, name, value, static_cast<double>(static_cast<Member>(-1) / 2));  // NOLINT
        if (!whole) return whole.error();
        member = static_cast<Member>(*whole);
    } else {
        const auto number = read_number(owner, name, value);
        if (!number) return number.error();
        member = *number;
    }
    return {};
}

}  // namespace record

template <Fielded T>
Record to_record(const T& value) {
    Record record;
    for_each_field(value, [&](const auto& each, const auto& member) {
        if constexpr (std::is_arithmetic_v<std::remove_cvref_t<decltype(member)>>)
            record.entries.emplace_back(std::string(each.name), static_cast<double>(member));
        else
            record.entries.emplace_back(std::string(each.name), member);
    });
    return record;
}

// What the record does not name keeps its value in `start`, or is an Error where everything is needed. A number given
// for a list stands for all of its entries. `owner` begins the sentence of an Error.
enum class Absent : std::uint8_t { keep, refuse };

template <Fielded T>
Result<T> from_record(std::string_view owner, const Record& record, T start, Absent absent) {
    std::vector<std::string_view> known;
    Result<void> outcome;
    for_each_field(start, [&](const auto& each, auto& member) {
        known.push_back(each.name);
        if (!outcome) return;
        if (const Record::Value* value = record.find(each.name))
            outcome = record::read_member(owner, each.name, *value, member);
        else if (absent == Absent::refuse)
            outcome = record::missing_name(owner, each.name);
    });
    for (const auto& [name, value] : record.entries)
        if (std::ranges::find(known, name) == known.end()) return record::unknown_name(owner, name, known);
    if (!outcome) return outcome.error();
    return start;
}

}  // namespace suffice
