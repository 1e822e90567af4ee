// Passes over rows of two classes, by their score a = w . (x - centre) + bias: the sums of a probit regression, and
// Firth's correction of the gradient, which weighs rows by their leverage.
#pragma once
#include "suffice/estimate/logistic_pass.hpp"

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

struct LeverageSums {
    double total = 0;
    std::vector<double> gradient;  // sum h (1/2 - p) z: features first, bias last
    bool operator==(const LeverageSums&) const = default;

    double weight() const { return total; }
    void merge(const LeverageSums& from);
};

// h = w p (1 - p) |L^-1 z|^2 for z = (x - centre, 1), entries of fixed parameters zero.
struct LeveragePass {
    using Statistic = LeverageSums;
    const LogisticRows* rows = nullptr;
    std::vector<double> coefficient;
    double bias = 0;
    std::vector<bool> fixed;
    std::vector<double> factor;  // L of the information in w and bias

    LeverageSums empty() const { return {0, std::vector<double>(rows->centre.size() + 1)}; }
    std::size_t footprint() const { return sizeof(double) * (rows->centre.size() + 2); }
    Result<void> observe(LeverageSums& into, const LabeledBlock& unit, const Schema& names, Workspace& workspace) const;
};

static_assert(Pass<ProbitPass> && Pass<LeveragePass>);

}  // namespace suffice
