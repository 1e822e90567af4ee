// From posteriors to decisions: the most probable class, or the cheapest; a row may be rejected (-1) instead.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "suffice/base/result.hpp"
#include "suffice/decide/cost_matrix.hpp"

namespace suffice {

// What is set applies, in this order: novelty, reject_below, then cost or thresholds or else the largest posterior. Of
// equal candidates the first class wins.
struct DecisionRule {
    std::optional<CostMatrix> cost = {};  // smallest expected cost; rejected where that is cheaper still (Chow 1970)
    double reject_below = 0;              // reject where the largest posterior is below it
    std::optional<double> novelty_below = {};  // reject where log p(x) is below it
    // By class, empty where it has none. A class whose posterior reaches its threshold wins, the one furthest above it
    // in proportion where several do; else the most probable class without a threshold; else the row is rejected. An
    // infinite threshold is never reached.
    std::vector<std::optional<double>> thresholds = {};
};

// Codes, -1 for rejected. log_evidence (one per row) is needed for novelty only.
Result<std::vector<std::int32_t>> decide(std::span<const double> posteriors, std::size_t class_count,
                                         const DecisionRule& rule, std::span<const double> log_evidence = {});

// sum over truths of posterior * cost, per decision.
std::vector<double> expected_costs(std::span<const double> posteriors, const CostMatrix& cost);

// The k most probable classes of each row, most probable first: rows x k codes.
Result<std::vector<std::int32_t>> top_classes(std::span<const double> posteriors, std::size_t class_count,
                                              std::size_t k);

// The log evidence below which a share of the training rows lies: a row below it is called novel.
Result<double> novelty_threshold(std::vector<double> log_evidence, double share);

}  // namespace suffice
