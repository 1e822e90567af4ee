// What is saved behind a model so that it decides as it was told: thresholds by class, and which log evidences are
// usual.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "suffice/base/fields.hpp"
#include "suffice/base/result.hpp"

namespace suffice {

struct ClassThreshold {
    std::string class_name;
    double threshold = 0;  // infinite: never decide for the class
    static constexpr auto fields =
        FieldTuple{field("class", &ClassThreshold::class_name), field("threshold", &ClassThreshold::threshold)};
    bool operator==(const ClassThreshold&) const = default;
};

struct DecisionStage {
    std::vector<ClassThreshold> thresholds = {};
    std::vector<double> usual_evidence = {};  // log p(x) of rows as they should be, ascending; empty: not known
    static constexpr auto fields = FieldTuple{field("thresholds", &DecisionStage::thresholds),
                                              field("usual_evidence", &DecisionStage::usual_evidence)};
    bool operator==(const DecisionStage&) const = default;
    bool empty() const { return thresholds.empty() && usual_evidence.empty(); }
};

// In the order of the classes, as DecisionRule takes them; empty where there are none. An Error names a class that is
// not there, or is there twice.
Result<std::vector<std::optional<double>>> thresholds_by_class(const std::vector<ClassThreshold>& thresholds,
                                                               const std::vector<std::string>& classes);

// The log evidences in ascending order; of more than 1001 the order statistics at 0, 0.1, 0.2, ..., 100 %, so that
// novelty_threshold answers to a tenth of a percent.
std::vector<double> usual_evidence(std::vector<double> log_evidence);

}  // namespace suffice
