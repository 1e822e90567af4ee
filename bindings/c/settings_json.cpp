// Reads settings.
#include "settings_json.hpp"

#include <nlohmann/json.hpp>

#include "suffice/flow/settings_table.hpp"

namespace suffice {
namespace {

using Json = nlohmann::ordered_json;

constexpr int deepest = 8;

Error wrong(const std::string& what) { return {ErrorKind::usage, what}; }

Result<SettingValue> value_of(const Json& json, int depth = 0) {
    if (depth > deepest) return wrong("the settings are nested too deeply");
    if (json.is_null()) return SettingValue{};
    if (json.is_boolean()) return SettingValue{json.get<bool>()};
    if (json.is_number()) return SettingValue{json.get<double>()};
    if (json.is_string()) return SettingValue{Written{json.get<std::string>()}};
    SettingValue::List list;
    SettingValue::Map map;
    for (const auto& [name, each] : json.items()) {
        auto value = value_of(each, depth + 1);
        if (!value) return value.error();
        if (json.is_array())
            list.push_back(std::move(*value));
        else
            map.emplace_back(name, std::move(*value));
    }
    if (json.is_array()) return SettingValue{std::move(list)};
    return SettingValue{std::move(map)};
}

Result<DeclaredColumn> column_of(const Json& json) {
    if (json.is_string()) return DeclaredColumn(json.get<std::string>());
    if (!json.is_object() || !json.contains("name") || !json["name"].is_string())
        return wrong("a column is a name, or an object with a name and levels");
    DeclaredColumn column(json["name"].get<std::string>());
    if (!json.contains("levels")) return column;
    column.kind = ColumnKind::category;
    if (!json["levels"].is_array()) return wrong("the levels of column " + column.name + " must be a list of words");
    for (const Json& level : json["levels"]) {
        if (!level.is_string()) return wrong("the levels of column " + column.name + " must be a list of words");
        column.levels.push_back(level.get<std::string>());
    }
    return column;
}

Result<void> set_one(FitOptions& options, const std::string& name, const Json& json) {
    if (name == "model") {
        if (!json.is_string()) return wrong("model must be a name");
        options.model = json.get<std::string>();
        return {};
    }
    if (name == "columns") {
        if (!json.is_array()) return wrong("columns must be a list");
        for (const Json& each : json) {
            auto column = column_of(each);
            if (!column) return column.error();
            options.columns.push_back(std::move(*column));
        }
        return {};
    }
    if (name == "families") {
        if (!json.is_object()) return wrong("families must name a family by column");
        for (const auto& [column, family] : json.items()) {
            if (!family.is_string()) return wrong("families must name a family by column");
            options.families.push_back({column, family.get<std::string>()});
        }
        return {};
    }
    const auto value = value_of(json);
    if (!value) return value.error();
    return set_setting(options, name, *value);
}

}  // namespace

Result<FitOptions> options_from_json(const char* text) {
    FitOptions options;
    if (text == nullptr || *text == '\0') return options;
    const std::string_view all(text);
    // Text that is nested deeply is refused before objects are made of it.
    const auto callback = [](int depth, Json::parse_event_t, Json&) {
        if (depth > deepest + 2) throw Exception(wrong("the settings are nested too deeply"));
        return true;
    };
    const Json json = Json::parse(all, callback, false);
    if (json.is_discarded()) return wrong("the settings are not JSON");
    if (!json.is_object()) return wrong("the settings must be an object of names and values");
    for (const auto& [name, each] : json.items())
        if (auto set = set_one(options, name, each); !set) return set.error();
    return options;
}

}  // namespace suffice
