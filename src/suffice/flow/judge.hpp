// Further questions about a model on labelled files: what its decisions cost, how sure its scores are, whether another
// model differs from it, and which threshold reaches a goal.
#pragma once
#include "suffice/decide/thresholds.hpp"
#include "suffice/evaluate/bootstrap.hpp"
#include "suffice/evaluate/paired.hpp"
#include "suffice/flow/predict.hpp"
#include "suffice/report/judgement.hpp"

namespace suffice {

struct JudgeOptions {
    ApplyOptions apply = {};
    DecisionRule rule = {};  // costs, reject, thresholds: what the decisions are made by
    std::optional<ClassPriors> priors = {};
    std::optional<std::size_t> positive = {};
    std::optional<ThresholdGoal> goal = {};
    std::size_t replicates = 0;  // of the bootstrap; 0: none
    const Model* versus = nullptr;
    std::string versus_name = {};
};

Result<Judgement> judge(const Model& model, const std::vector<std::string>& files, const JudgeOptions& options,
                        const Context& context = {});

}  // namespace suffice
