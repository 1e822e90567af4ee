// Settings by type: how each is read from what a user gave, spelled back, and described. One codec for each type.
#pragma once
#include <cmath>
#include <concepts>
#include <limits>
#include <string>
#include <vector>

#include "suffice/base/enum_names.hpp"
#include "suffice/base/fields.hpp"
#include "suffice/base/setting_value.hpp"

namespace suffice {

// A codec has:
//   cut            how the command's text falls into pieces
//   placeholder    of help: "N"
//   form(range)    what it takes, to follow "takes"
//   read(value, range), empty: refused
//   write(member)
//   examples(range): values a user might give, for tests of every surface
template <class T>
struct SettingCodec;

template <class T>
concept Settable = requires { SettingCodec<T>::cut; };

// Words in a row as a sentence lists them: "a, b or c".
template <class Names>
std::string one_of(const Names& names, std::string_view last = " or ") {
    std::string all;
    std::size_t at = 0;
    for (const auto& name : names) {
        all += std::string(at == 0 ? "" : at + 1 == names.size() ? last : ", ") + std::string(name);
        ++at;
    }
    return all;
}

template <>
struct SettingCodec<bool> {
    static constexpr Cut cut = Cut::whole;
    static constexpr std::string_view placeholder = "YES";
    static std::string form(const Range&) { return "yes or no"; }
    static std::optional<bool> read(const SettingValue& value, const Range&) { return value.flag(); }
    static SettingValue write(bool value) { return {value}; }
    static std::vector<SettingValue> examples(const Range&) { return {{true}, {false}}; }
};

template <std::floating_point T>
struct SettingCodec<T> {
    static constexpr Cut cut = Cut::whole;
    static constexpr std::string_view placeholder = "X";
    static std::string form(const Range& range) { return range_text("a number", range); }
    static std::optional<T> read(const SettingValue& value, const Range& range) {
        const auto number = value.number();
        if (!number || !std::isfinite(*number) || *number < range.least || *number > range.most) return std::nullopt;
        return static_cast<T>(*number);
    }
    static SettingValue write(T value) { return {static_cast<double>(value)}; }
    static std::vector<SettingValue> examples(const Range& range) {
        const double least = std::isfinite(range.least) ? range.least : 0;
        return {{std::isfinite(range.most) ? least + 0.4 * (range.most - least) : least + 0.4}, {least + 2}};
    }
};

template <std::unsigned_integral T>
struct SettingCodec<T> {
    static constexpr Cut cut = Cut::whole;
    static constexpr std::string_view placeholder = "N";
    static std::string form(const Range& range) { return range_text("a whole number", range); }
    static std::optional<T> read(const SettingValue& value, const Range& range) {
        const auto number = value.number();
        const double most = std::min(range.most, static_cast<double>(std::numeric_limits<std::uint32_t>::max()));
        if (!number || *number != std::floor(*number) || !(*number >= std::max(range.least, 0.0) && *number <= most))
            return std::nullopt;
        return static_cast<T>(*number);
    }
    static SettingValue write(T value) { return {static_cast<double>(value)}; }
    static std::vector<SettingValue> examples(const Range& range) {
        const double least = std::isfinite(range.least) ? range.least : 0;
        return {{least + 2}, {least + 1}, {least + 4}};
    }
};

template <NamedEnum T>
struct SettingCodec<T> {
    static constexpr Cut cut = Cut::whole;
    static constexpr std::string_view placeholder = "NAME";
    static std::string form(const Range&) { return one_of(enum_names<T>); }
    static std::optional<T> read(const SettingValue& value, const Range&) {
        const auto word = value.word();
        return word ? value_named<T>(*word) : std::nullopt;
    }
    static SettingValue write(T value) { return {std::string(name_of(value))}; }
    static std::vector<SettingValue> examples(const Range&) {
        std::vector<SettingValue> all;
        for (const auto name : enum_names<T>) all.push_back({std::string(name)});
        return all;
    }
};

template <>
struct SettingCodec<std::string> {
    static constexpr Cut cut = Cut::whole;
    static constexpr std::string_view placeholder = "NAME";
    static std::string form(const Range&) { return "a name"; }
    static std::optional<std::string> read(const SettingValue& value, const Range&) { return value.word(); }
    static SettingValue write(const std::string& value) { return {value}; }
    static std::vector<SettingValue> examples(const Range&) { return {}; }  // depend on the data
};

template <class Element>
struct ListCodec {
    static constexpr std::string_view placeholder = "LIST";
    static std::optional<std::vector<Element>> read(const SettingValue& value, const Range& range) {
        std::vector<Element> all;
        if (value.list() == nullptr) {  // one stands for a list of one
            auto one = SettingCodec<Element>::read(value, range);
            if (!one) return std::nullopt;
            all.push_back(std::move(*one));
            return all;
        }
        for (const SettingValue& each : *value.list()) {
            auto one = SettingCodec<Element>::read(each, range);
            if (!one) return std::nullopt;
            all.push_back(std::move(*one));
        }
        return all;
    }
    static SettingValue write(const std::vector<Element>& value) {
        SettingValue::List list;
        for (const auto& each : value) list.push_back(SettingCodec<Element>::write(each));
        return {std::move(list)};
    }
    static std::vector<SettingValue> examples(const Range&) { return {}; }
};

template <>
struct SettingCodec<std::vector<std::string>> : ListCodec<std::string> {
    static constexpr Cut cut = Cut::list;
    static std::string form(const Range&) { return "a list, such as a,b"; }
};
template <>
struct SettingCodec<std::vector<std::vector<std::string>>> : ListCodec<std::vector<std::string>> {
    static constexpr Cut cut = Cut::lists;
    static std::string form(const Range&) { return "lists, such as a,b;c"; }
    static std::optional<std::vector<std::vector<std::string>>> read(const SettingValue& value, const Range& range) {
        if (value.list() == nullptr) return std::nullopt;
        for (const SettingValue& each : *value.list())
            if (each.list() == nullptr) return std::nullopt;
        return ListCodec::read(value, range);
    }
};
template <>
struct SettingCodec<std::vector<double>> : ListCodec<double> {
    static constexpr Cut cut = Cut::list;
    static std::string form(const Range&) { return "numbers, such as 0.1,1"; }
};

// Name = value of any struct with two fields, such as a column and its prior.
template <class Pair>
struct MapCodec {
    static constexpr Cut cut = Cut::map;
    static constexpr std::string_view placeholder = "LIST";
    static std::optional<std::vector<Pair>> read(const SettingValue& value, const Range& range) {
        if (value.map() == nullptr) return std::nullopt;
        std::vector<Pair> all;
        for (const auto& [name, held] : *value.map()) {
            const auto& second = field_at<1>(Pair::fields);
            using Second = typename std::remove_cvref_t<decltype(second)>::Value;
            auto read = SettingCodec<Second>::read(held, range);
            if (!read) return std::nullopt;
            Pair pair;
            pair.*field_at<0>(Pair::fields).member = name;
            pair.*second.member = std::move(*read);
            all.push_back(std::move(pair));
        }
        return all;
    }
    static SettingValue write(const std::vector<Pair>& value) {
        SettingValue::Map map;
        for (const Pair& each : value) {
            const auto& second = each.*field_at<1>(Pair::fields).member;
            map.emplace_back(each.*field_at<0>(Pair::fields).member,
                             SettingCodec<std::remove_cvref_t<decltype(second)>>::write(second));
        }
        return {std::move(map)};
    }
    static std::vector<SettingValue> examples(const Range&) { return {}; }
};

// The same sentence on every surface.
template <Settable T>
Result<void> read_setting(std::string_view name, const SettingValue& value, const Range& range, T& into) {
    auto read = SettingCodec<T>::read(value, range);
    if (!read)
        return Error(ErrorKind::usage,
                     std::string(name) + " takes " + SettingCodec<T>::form(range) + ", not \"" + value.text() + "\"");
    into = std::move(*read);
    return {};
}

}  // namespace suffice
