// What a verb is: its name, its options as a table, its help and the function that runs it.
#pragma once
#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/arguments.hpp"

#include "suffice/base/context.hpp"
#include "suffice/base/result.hpp"
#include "suffice/flow/settings_table.hpp"

namespace suffice::cli {

struct OptionSpec {
    std::string_view name;   // "--target"
    std::string_view value;  // "COLUMN"; empty: a switch
    std::string_view help;
    char letter = 0;  // 'o' for -o
};

struct Verb {
    std::string_view name;
    std::string_view usage;  // what follows the name
    std::string_view summary;
    std::string_view examples;
    std::array<std::span<const OptionSpec>, 4> options;  // in the order of the help
    Result<void> (*run)(const Arguments& arguments, const Context& context);
    bool (*takes)(const Setting& setting) = nullptr;  // which settings of fits it has options for; nullptr: none
};
// Those of its own in two groups, those of settings unless its own have the name, and the other groups.
std::vector<OptionSpec> all_options(const Verb& verb);

std::span<const Verb* const> verbs();
extern const Verb fit_verb, predict_verb, evaluate_verb, inspect_verb, explain_verb, derive_verb, merge_verb,
    update_verb, forget_verb, sample_verb, compare_verb, calibrate_verb, cluster_verb, density_verb, plot_verb,
    report_verb, drift_verb, export_verb, learn_curve_verb, math_verb, completion_verb, help_verb;

Result<const Verb*> find_verb(const std::string& name);  // an Error suggests the nearest one

std::string verb_help(const Verb& verb);
std::string_view first_sentence(const Verb& verb);  // of its summary, without the full stop where more follows
std::string general_help();
std::string families_table();
std::string models_table();
std::string settings_text();

}  // namespace suffice::cli
