// What a user gave for a setting, before its type is known: every surface turns its own objects into this.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "suffice/base/result.hpp"

namespace suffice {

// A number or a word, whichever the setting takes: the command has text only.
struct Written {
    std::string text;
    bool operator==(const Written&) const = default;
};

struct SettingValue {
    struct Named;
    using List = std::vector<SettingValue>;
    using Map = std::vector<Named>;
    std::variant<std::monostate, bool, double, std::string, Written, List, Map> held;

    bool empty() const { return held.index() == 0; }
    std::optional<bool> flag() const;
    std::optional<double> number() const;
    std::optional<std::string> word() const;
    const List* list() const;
    const Map* map() const;
    bool operator==(const SettingValue& other) const;

    // As the command would take it: "0.1", "a,b;c", "x=beta(2,5)".
    std::string text() const;
};
struct SettingValue::Named {
    std::string first;
    SettingValue second;
    bool operator==(const Named&) const = default;
};
inline const SettingValue::List* SettingValue::list() const { return std::get_if<List>(&held); }
inline const SettingValue::Map* SettingValue::map() const { return std::get_if<Map>(&held); }
inline bool SettingValue::operator==(const SettingValue& other) const { return held == other.held; }

// How the text of a setting is cut: not at all; as a list; as lists with semicolons between them; as NAME=VALUE; or as
// whichever of one value, a list and NAME=VALUE it looks like.
enum class Cut : std::uint8_t { whole, list, lists, map, any };
Result<SettingValue> written_value(const std::string& text, Cut cut);

// "a number from 0 to 1", "a whole number, at least 1".
struct Range;
std::string range_text(std::string what, const Range& range);
// The shortest text that is read back as the same number.
std::string number_spelled(double value);

}  // namespace suffice
