// What judging a model further brought to light, in words and for programs.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "suffice/decide/thresholds.hpp"
#include "suffice/evaluate/evaluation.hpp"
#include "suffice/evaluate/paired.hpp"
#include "suffice/report/json_text.hpp"

namespace suffice {

struct Judgement {
    // Under the decision rule; the same as without where there is none.
    bool decided_by_rule = false;
    Scores decided;
    Defined expected_cost, majority_cost;  // per row; of the model and of the best constant answer

    std::optional<std::size_t> positive;  // class code
    std::vector<GainPoint> lift;          // of the positive class
    Defined f2, f_half;                   // of the positive class

    std::optional<ThresholdChoice> threshold;
    std::string threshold_goal;  // in words

    struct NamedInterval {
        std::string name;
        std::optional<Interval> interval;  // empty: the measure is undefined too often
    };
    std::vector<NamedInterval> intervals;  // 95 %, by the bootstrap

    std::optional<PairedScores> paired;
    std::string versus;  // the other model's name

    std::vector<RejectPoint> reject_curve;  // thinned to about twenty points
};

std::string judgement_text(const Judgement& judgement, const std::vector<std::string>& classes);
// Members of an open record.
void write_judgement(JsonText& json, const Judgement& judgement, const std::vector<std::string>& classes);

}  // namespace suffice
