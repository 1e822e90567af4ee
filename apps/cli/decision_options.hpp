// Options that say how posteriors become decisions, for the verbs that decide.
#pragma once
#include <array>

#include "cli/options.hpp"

#include "suffice/decide/thresholds.hpp"

namespace suffice::cli {

inline constexpr std::array decision_options{
    OptionSpec{
        "--cost", "COSTS",
        "decide by smallest expected cost: a CSV file, truths in the first column and decisions in the header, or "
        "\"fraud:ok=50,ok:fraud=1\""},
    OptionSpec{"--reject", "T", "no answer where the largest posterior is below T"},
    OptionSpec{
        "--thresholds", "LIST",
        "a class is decided for from this posterior on, such as \"yes=0.3\"; none: also not those that calibrate "
        "has saved"},
    OptionSpec{"--novelty", "Q",
               "no answer where log p(x) is below that of the share Q of the usual rows, which calibrate --novelty has "
               "saved"},
    OptionSpec{"--novelty-from", "FILE", "of --novelty: these are the usual rows, such as the training data"},
    OptionSpec{"--prior", "P", "other class priors: empirical, uniform or CLASS=p,..."},
};

// What the options ask for; else what is saved behind the model.
Result<DecisionRule> decision_rule(const Arguments& arguments, const Model& model, const ApplyOptions& apply,
                                   const Context& context);

// "yes:precision=0.9", "yes:recall=0.8" or "yes:cost=50".
Result<ThresholdGoal> threshold_goal(const std::string& option, const std::string& text, const Model& model);

}  // namespace suffice::cli
