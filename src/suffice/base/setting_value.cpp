// Values of settings from text and back.
#include "suffice/base/setting_value.hpp"

#include <charconv>
#include <cmath>

#include "suffice/base/fields.hpp"
#include "suffice/base/split_list.hpp"

namespace suffice {
namespace {

std::string quoted(const std::string& word) {
    if (word.find_first_of(",;\"") == std::string::npos || word.find('(') != std::string::npos) return word;
    std::string safe = "\"";
    for (const char letter : word) safe += letter == '"' ? "\"\"" : std::string(1, letter);
    return safe + "\"";
}

Result<SettingValue> written_map(const std::string& text) {
    SettingValue::Map map;
    for (const std::string& piece : split_list(text)) {
        const auto equals = piece.rfind('=');  // a name may hold one, a value may not
        if (equals == std::string::npos || equals == 0)
            return Error(ErrorKind::usage, "takes NAME=VALUE, not \"" + piece + "\"");
        map.emplace_back(piece.substr(0, equals), SettingValue{Written{piece.substr(equals + 1)}});
    }
    return SettingValue{std::move(map)};
}

SettingValue written_list(const std::vector<std::string>& pieces) {
    SettingValue::List list;
    for (const std::string& piece : pieces) list.push_back({Written{piece}});
    return {std::move(list)};
}

}  // namespace

std::optional<bool> SettingValue::flag() const {
    if (const auto* given = std::get_if<bool>(&held)) return *given;
    if (const auto* text = std::get_if<Written>(&held)) {
        if (text->text == "yes" || text->text == "true") return true;
        if (text->text == "no" || text->text == "false") return false;
    }
    return std::nullopt;
}

std::optional<double> SettingValue::number() const {
    if (const auto* given = std::get_if<double>(&held)) return *given;
    const auto* text = std::get_if<Written>(&held);
    if (text == nullptr) return std::nullopt;
    const char* const last = text->text.data() + text->text.size();
    double value = 0;
    const auto [end, problem] = std::from_chars(text->text.data(), last, value);
    if (problem != std::errc{} || end != last) return std::nullopt;
    return value;
}

std::optional<std::string> SettingValue::word() const {
    if (const auto* given = std::get_if<std::string>(&held)) return *given;
    if (const auto* text = std::get_if<Written>(&held)) return text->text;
    return std::nullopt;
}

std::string number_spelled(double value) {
    char text[32];
    return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

std::string SettingValue::text() const {
    if (const auto* given = std::get_if<bool>(&held)) return *given ? "yes" : "no";
    if (const auto* given = std::get_if<double>(&held)) return number_spelled(*given);
    if (const auto given = word()) return quoted(*given);
    std::string all;
    if (const List* given = list()) {
        for (const SettingValue& each : *given)
            all += (&each == given->data() ? "" : given->front().list() ? ";" : ",") + each.text();
    } else if (const Map* given = map()) {
        for (const auto& [name, value] : *given) all += (all.empty() ? "" : ",") + quoted(name) + "=" + value.text();
    }
    return all;
}

Result<SettingValue> written_value(const std::string& text, Cut cut) {
    switch (cut) {
        case Cut::whole:
            return SettingValue{Written{text}};
        case Cut::list:
            return written_list(split_list(text));
        case Cut::lists: {
            SettingValue::List lists;
            for (const auto& each : split_lists(text)) lists.push_back(written_list(each));
            return SettingValue{std::move(lists)};
        }
        case Cut::map:
            return written_map(text);
        case Cut::any:
            break;
    }
    if (text.find('=') != std::string::npos) return written_map(text);
    const auto pieces = split_list(text);
    return pieces.size() > 1 ? written_list(pieces) : SettingValue{Written{text}};
}

std::string range_text(std::string what, const Range& range) {
    const bool below = std::isfinite(range.least), above = std::isfinite(range.most);
    if (below && above) return what + " from " + number_spelled(range.least) + " to " + number_spelled(range.most);
    if (below && range.least == 0) return what + ", zero or above";
    if (below) return what + ", at least " + number_spelled(range.least);
    return what;
}

}  // namespace suffice
