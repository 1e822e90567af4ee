// Turns options into a rule of decision.
#include "cli/decision_options.hpp"

#include <algorithm>
#include <charconv>

#include "suffice/flow/calibrate.hpp"

namespace suffice::cli {
namespace {

std::optional<double> number_in(const std::string& text) {
    double value = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (problem != std::errc{} || end != text.data() + text.size()) return {};
    return value;
}

Result<std::vector<ClassThreshold>> thresholds_in(const std::string& text) {
    const auto given = name_values("--thresholds", text);
    if (!given) return given.error();
    std::vector<ClassThreshold> thresholds;
    for (const auto& [name, digits] : *given) {
        const auto value = number_in(digits);
        if (!value || !(*value >= 0 && *value <= 1))
            return Error(ErrorKind::usage, "--thresholds takes CLASS=p,... with p from 0 to 1, not \"" + text + "\"");
        thresholds.push_back({name, *value});
    }
    return thresholds;
}

Result<double> evidence_needed(const Arguments& arguments, const Model& model, ApplyOptions apply,
                               const Context& context) {
    const auto share = arguments.number("--novelty", 0);
    if (!share) return share.error();
    if (!(*share >= 0 && *share < 1)) return Error(ErrorKind::usage, "--novelty takes a share from 0 to below 1");
    apply.keep.clear();
    if (const auto usual = arguments.given("--novelty-from"))
        return novelty_below(model, {*usual}, *share, apply, context);
    if (model.decision().usual_evidence.empty())
        return Error(ErrorKind::usage,
                     "the model does not know which rows are usual; name some by --novelty-from, or save them with the "
                     "model by calibrate --novelty");
    return novelty_threshold(model.decision().usual_evidence, *share);
}

}  // namespace

Result<DecisionRule> decision_rule(const Arguments& arguments, const Model& model, const ApplyOptions& apply,
                                   const Context& context) {
    DecisionRule rule;
    const auto reject = arguments.number("--reject", 0);
    if (!reject) return reject.error();
    if (*reject < 0 || *reject > 1) return Error(ErrorKind::usage, "--reject takes a probability from 0 to 1");
    rule.reject_below = *reject;
    const auto costs = arguments.given("--cost"), given = arguments.given("--thresholds");
    if (costs) {
        if (given) return Error(ErrorKind::usage, "decide by --cost or by --thresholds, not by both");
        auto cost = cost_matrix(*costs, model.classes());
        if (!cost) return cost.error();
        rule.cost = std::move(*cost);
    } else if (given != "none") {
        const auto thresholds = given ? thresholds_in(*given) : model.decision().thresholds;
        if (!thresholds) return thresholds.error();
        auto by_class = thresholds_by_class(*thresholds, model.classes());
        if (!by_class) return by_class.error();
        rule.thresholds = std::move(*by_class);
    }
    if (arguments.has("--novelty")) {
        const auto below = evidence_needed(arguments, model, apply, context);
        if (!below) return below.error();
        rule.novelty_below = *below;
    } else if (arguments.has("--novelty-from")) {
        return Error(ErrorKind::usage, "--novelty-from says which rows are usual; --novelty Q says which are not");
    }
    return rule;
}

Result<ThresholdGoal> threshold_goal(const std::string& option, const std::string& text, const Model& model) {
    const Error refused(ErrorKind::usage,
                        option + " takes CLASS:precision=P, CLASS:recall=R or CLASS:cost=C, not \"" + text + "\"");
    const auto colon = text.rfind(':'), equals = text.rfind('=');
    if (colon == std::string::npos || equals == std::string::npos || equals < colon) return refused;
    const auto code = class_named(model, text.substr(0, colon));
    if (!code) return code.error();
    const auto kind = std::ranges::find(threshold_goal_names, text.substr(colon + 1, equals - colon - 1));
    const auto value = number_in(text.substr(equals + 1));
    if (kind == threshold_goal_names.end() || !value) return refused;
    const auto place = static_cast<ThresholdGoal::Kind>(kind - threshold_goal_names.begin());
    if (!(*value >= 0) || (place != ThresholdGoal::Kind::cost && *value > 1)) return refused;
    return ThresholdGoal{*code, place, *value};
}

}  // namespace suffice::cli
