// Makes the table by walking the parts of FitOptions.
#include "suffice/flow/settings_table.hpp"

#include <algorithm>

#include "suffice/encode/names.hpp"
#include "suffice/encode/text_options.hpp"

namespace suffice {
namespace {

std::string option_of(std::string_view name, const About& about) {
    std::string option = "--" + std::string(about.option.empty() ? name : about.option);
    std::ranges::replace(option, '_', '-');
    return option;
}

std::string takers(std::string_view setting) {
    std::vector<std::string_view> names;
    for (const ModelEntry& model : models())
        if (model.takes(setting)) names.push_back(model.name);
    return names.size() > 4 ? "" : one_of(names, " and ");
}

std::string told(const Setting& setting) {
    const std::string whose = takers(setting.name), help(setting.help);
    std::string text = (whose.empty() ? "" : whose + ": ") + help;
    if (!setting.is_switch)
        text += " (" + setting.form + (setting.usual.empty() ? "" : "; default " + setting.usual) + ")";
    return text;
}

// Of several values the one that is wrong is told, else all of them.
template <class Member>
Result<void> read_each(std::string_view name, const SettingValue& value, const Range& range, Member& into) {
    auto read = read_setting(name, value, range, into);
    if (read || value.list() == nullptr) return read;
    for (const SettingValue& each : *value.list()) {
        Member alone = into;
        if (auto one = read_setting(name, {SettingValue::List{each}}, range, alone); !one) return one;
    }
    return read;
}

// `access` goes from options to the member.
template <class Member, class Access>
Setting setting_of(std::string_view name, std::string_view part, const About& about, Access access) {
    using Codec = SettingCodec<Member>;
    const FitOptions blank;
    const Member usual = access(blank);
    Setting made{name,
                 option_of(name, about),
                 part,
                 about.help,
                 Codec::placeholder,
                 Codec::form(about.range),
                 Codec::write(usual).text(),
                 {},
                 std::is_same_v<Member, bool> && Codec::write(usual) == SettingValue{false},
                 Codec::cut};
    made.told = told(made);
    for (SettingValue& example : Codec::examples(about.range))
        if (const auto value = Codec::read(example, about.range); value && !(*value == usual))
            made.examples.push_back(std::move(example));
    made.get = [access](const FitOptions& options) { return Codec::write(access(options)); };
    made.set = [access, name, usual, range = about.range](FitOptions& options,
                                                          const SettingValue& value) -> Result<void> {
        if (!value.empty()) return read_each(name, value, range, access(options));
        access(options) = usual;
        return {};
    };
    made.is_usual = [access, usual](const FitOptions& options) { return access(options) == usual; };
    return made;
}

template <class Owner, class Access>
void add_settings(std::vector<Setting>& table, std::string_view part, Access access) {
    Owner::fields.apply([&](const auto&... each) {
        const auto add = [&](const auto& field) {
            using Member = typename std::remove_cvref_t<decltype(field)>::Value;
            const auto inner = [access, member = field.member](auto& options) -> auto& {
                return access(options).*member;
            };
            const std::string_view within = part.empty() ? field.name : part;
            if constexpr (Settable<Member>) {
                if (!field.about.help.empty())
                    table.push_back(setting_of<Member>(field.name, within, field.about, inner));
            } else if constexpr (Fielded<Member>) {
                add_settings<Member>(table, within, inner);
            }
        };
        (add(each), ...);
    });
}

Error not_taken(std::string_view setting, const std::vector<std::string>& models) {
    const std::string whose = takers(setting), name(setting);
    const ModelEntry* model = models.size() == 1 ? find_model(models.front()) : nullptr;
    const std::string whom = model == nullptr ? "the models compared" : models.front();
    if (!whose.empty()) return {ErrorKind::usage, name + " is a setting of " + whose + ", not of " + whom};
    std::vector<std::string_view> own;
    for (const Setting& each : settings_table())
        if (model != nullptr && model->takes(each.name)) own.push_back(each.name);
    return {ErrorKind::usage,
            name + " is no setting of " + whom + (own.empty() ? "" : ", which takes " + one_of(own, " and "))};
}

Result<void> check_parts(const FitOptions& options) {
    if (auto checked = options.passes.check(); !checked) return checked;
    return options.regression.check();
}

}  // namespace

const std::vector<Setting>& settings_table() {
    static const std::vector<Setting> table = [] {
        std::vector<Setting> made;
        add_settings<FitOptions>(made, {}, [](auto& options) -> auto& { return options; });
        return made;
    }();
    return table;
}

const Setting* find_setting(std::string_view name) {
    const auto& table = settings_table();
    const auto found = std::ranges::find(table, name, &Setting::name);
    return found == table.end() ? nullptr : &*found;
}

Result<void> Setting::set_text(FitOptions& options, const std::string& text) const {
    if (is_switch) return set(options, {true});
    const auto value = written_value(text, cut);
    if (!value) return Error(value.error().kind, std::string(name) + " " + value.error().message);
    return set(options, *value);
}

Result<void> set_setting(FitOptions& options, std::string_view name, const SettingValue& value) {
    if (const Setting* known = find_setting(name)) return known->set(options, value);
    std::vector<std::string> names;
    for (const Setting& each : settings_table()) names.emplace_back(each.name);
    const auto near = nearest_name(std::string(name), names);
    return Error(ErrorKind::usage,
                 "there is no setting " + std::string(name) + (near.empty() ? "" : "; did you mean " + near + "?"));
}

Result<void> check_settings(const FitOptions& options) {
    const auto model = model_entry(options.model);
    if (!model) return model.error();
    return check_settings(options, {std::string((*model)->name)});
}

Result<void> check_settings(const FitOptions& options, const std::vector<std::string>& models) {
    for (const Setting& each : settings_table()) {
        if (each.is_usual(options)) continue;
        const bool taken = std::ranges::any_of(models, [&](const std::string& name) {
            const ModelEntry* model = find_model(name);
            return model != nullptr && model->takes(each.name);
        });
        if (!taken) return not_taken(each.name, models);
    }
    return check_parts(options);
}

FitOptions settings_for(const FitOptions& options, const ModelEntry& model) {
    FitOptions own = options;
    for (const Setting& each : settings_table())
        if (!model.takes(each.name)) each.set(own, {}).value();
    own.model = model.name;
    return own;
}

}  // namespace suffice
