// Every setting of a fit by its name: one table, made from the declarations beside the members, for all surfaces.
#pragma once
#include <functional>

#include "suffice/flow/fit_options.hpp"

namespace suffice {

struct Setting {
    std::string_view name;
    std::string option;     // of the command: "--column-prior"
    std::string_view part;  // of FitOptions
    std::string_view help;  // one line
    std::string_view placeholder;
    std::string form;        // what it takes: "a number from 0 to 1"
    std::string usual;       // its default, as the command would take it; empty: none
    std::string told;        // all of this in a line
    bool is_switch = false;  // the command takes it without a value
    Cut cut = Cut::whole;
    std::vector<SettingValue> examples = {};  // values that are not the default, where the type knows some

    std::function<SettingValue(const FitOptions&)> get = {};
    std::function<Result<void>(FitOptions&, const SettingValue&)> set = {};  // null: its default
    std::function<bool(const FitOptions&)> is_usual = {};

    Result<void> set_text(FitOptions& options, const std::string& text) const;  // as the command has it
    bool is_estimate() const { return part == "settings"; }  // of what is made of sums, so that derive takes it too
};

const std::vector<Setting>& settings_table();
const Setting* find_setting(std::string_view name);  // nullptr: none
Result<void> set_setting(FitOptions& options, std::string_view name, const SettingValue& value);

// Whatever is not at its default must be a setting of the model, and the settings must go together.
Result<void> check_settings(const FitOptions& options);
// The same of one among several models: a setting that none of them takes is refused.
Result<void> check_settings(const FitOptions& options, const std::vector<std::string>& models);
// What the model takes of these; the rest at its default.
FitOptions settings_for(const FitOptions& options, const ModelEntry& model);

}  // namespace suffice
