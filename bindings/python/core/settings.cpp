// Settings that Python gives by name.
#include "core/setting_values.hpp"
#include "core/state.hpp"
#include <nanobind/stl/string.h>

#include "suffice/encode/text_options.hpp"

namespace suffice::python {
namespace {

// By the members' names, those that no user sets too: estimators say what they are made of.
template <class Owner>
bool set_member(Owner& owner, const std::string& name, const SettingValue& value) {
    bool known = false;
    for_each_field(owner, [&](const auto& each, auto& member) {
        using Member = std::remove_cvref_t<decltype(member)>;
        if constexpr (Settable<Member>) {
            if (each.name != name) return;
            read_setting(each.name, value, each.about.range, member).value();
            known = true;
        } else if constexpr (Fielded<Member>) {
            known = known || set_member(member, name, value);
        }
    });
    return known;
}

template <class Owner>
Owner members_from(const nb::dict& given) {
    Owner made;
    for (const auto& [key, value] : given) {
        const auto name = nb::cast<std::string>(key);
        const SettingValue converted = setting_value(value);
        if (!converted.empty() && !set_member(made, name, converted))
            throw Exception(Error(ErrorKind::usage, "there is no setting " + name));
    }
    return made;
}

template <class Owner>
void write_members(const Owner& owner, nb::dict& into) {
    for_each_field(owner, [&](const auto& each, const auto& member) {
        using Member = std::remove_cvref_t<decltype(member)>;
        if constexpr (Settable<Member>)
            into[std::string(each.name).c_str()] = python_value(SettingCodec<Member>::write(member));
    });
}

}  // namespace

SettingValue setting_value(nb::handle given) {
    if (given.is_none()) return {};
    if (nb::isinstance<nb::bool_>(given)) return {nb::cast<bool>(given)};
    if (nb::isinstance<nb::str>(given)) return {nb::cast<std::string>(given)};
    if (nb::hasattr(given, "tolist")) return setting_value(given.attr("tolist")());  // NumPy's scalars and arrays
    if (nb::isinstance<nb::float_>(given) || nb::isinstance<nb::int_>(given)) return {nb::cast<double>(given)};
    if (nb::isinstance<nb::dict>(given)) {
        SettingValue::Map map;
        for (const auto& [key, value] : nb::cast<nb::dict>(given))
            map.emplace_back(nb::cast<std::string>(nb::str(key)), setting_value(value));
        return {std::move(map)};
    }
    if (nb::hasattr(given, "__iter__")) {
        SettingValue::List list;
        for (nb::handle each : nb::list(given)) list.push_back(setting_value(each));
        return {std::move(list)};
    }
    return {nb::cast<std::string>(nb::str(given))};
}

nb::object python_value(const SettingValue& value) {
    if (const auto* flag = std::get_if<bool>(&value.held)) return nb::bool_(*flag);
    if (const auto number = value.number()) return nb::float_(*number);
    if (const auto word = value.word()) return nb::cast(*word);
    if (const auto* list = value.list()) {
        nb::list all;
        for (const SettingValue& each : *list) all.append(python_value(each));
        return all;
    }
    if (const auto* map = value.map()) {
        nb::dict all;
        for (const auto& [name, each] : *map) all[name.c_str()] = python_value(each);
        return all;
    }
    return nb::none();
}

void apply_structure(const nb::dict& given, Settings& settings) {
    for (const char* name : {"covariance", "sharing"})
        if (given.contains(name)) set_member(settings, name, setting_value(given[name]));
}

nb::dict dict_of(const Settings& settings) {
    nb::dict all;
    write_members(settings, all);
    write_members(settings.points, all);
    return all;
}

nb::dict dict_of(const TextOptions& options) {
    nb::dict all;
    write_members(options, all);
    return all;
}

Settings settings_from(const nb::dict& given) { return members_from<Settings>(given); }

TextOptions text_options_from(const nb::dict& given) { return members_from<TextOptions>(given); }

}  // namespace suffice::python
