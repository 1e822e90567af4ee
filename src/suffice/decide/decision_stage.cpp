// Thresholds by name to thresholds by code, and quantiles worth keeping.
#include "suffice/decide/decision_stage.hpp"

#include <algorithm>

namespace suffice {

Result<std::vector<std::optional<double>>> thresholds_by_class(const std::vector<ClassThreshold>& thresholds,
                                                               const std::vector<std::string>& classes) {
    std::vector<std::optional<double>> by_class(thresholds.empty() ? 0 : classes.size());
    for (const ClassThreshold& each : thresholds) {
        const auto found = std::ranges::find(classes, each.class_name);
        if (found == classes.end())
            return Error(ErrorKind::usage,
                         "the thresholds name the class " + each.class_name + ", which the model does not have");
        auto& own = by_class[static_cast<std::size_t>(found - classes.begin())];
        if (own) return Error(ErrorKind::usage, "the class " + each.class_name + " has two thresholds");
        own = each.threshold;
    }
    return by_class;
}

std::vector<double> usual_evidence(std::vector<double> log_evidence) {
    constexpr std::size_t most = 1001;
    std::ranges::sort(log_evidence);
    if (log_evidence.size() <= most) return log_evidence;
    std::vector<double> kept;
    for (std::size_t at = 0; at < most; ++at) kept.push_back(log_evidence[at * (log_evidence.size() - 1) / (most - 1)]);
    return kept;
}

}  // namespace suffice
