// The pass over rows of two classes, by their score a = w . (x - centre) + bias, that gathers the sums of a probit
// regression.
#pragma once
#include "suffice/regress/logistic_pass.hpp"

namespace suffice {

// Curvature of a probit's loss: as the labels have it, or on average over labels, as R's glm reports standard errors.
enum class Information : std::uint8_t { observed, expected };

// loss = - sum w log Phi(+-a); the same sums as those of a softmax, pair_weight and its kin with the curvature in a.
struct ProbitPass {
    using Statistic = LogisticSums;
    const LogisticRows* rows = nullptr;
    std::vector<double> coefficient;  // w
    double bias = 0;
    Information information = Information::observed;

    LogisticSums empty() const;
    std::size_t footprint() const;
    Result<void> observe(LogisticSums& into, const LabeledBlock& unit, const Schema& names, Workspace& workspace) const;
};

static_assert(Pass<ProbitPass>);

}  // namespace suffice
