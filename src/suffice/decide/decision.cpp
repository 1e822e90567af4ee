// One decision per row by the rule.
#include "suffice/decide/decision.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "suffice/evaluate/posterior_rows.hpp"

namespace suffice {

namespace {

constexpr std::int32_t rejected = -1;

Error usage(std::string sentence) { return Error(ErrorKind::usage, std::move(sentence)); }

Result<void> check_rule(const DecisionRule& rule, std::size_t class_count, std::size_t rows, std::size_t evidences) {
    if (!(rule.reject_below >= 0 && rule.reject_below <= 1)) {
        return usage("The reject threshold is " + std::to_string(rule.reject_below) + "; it must lie in [0, 1].");
    }
    if (rule.cost && rule.cost->class_count() != class_count) {
        return usage("The cost matrix has " + std::to_string(rule.cost->class_count()) +
                     " classes, but the posteriors have " + std::to_string(class_count) + ".");
    }
    if (rule.cost && !rule.thresholds.empty()) return usage("Decide by costs or by thresholds, not by both.");
    if (!rule.thresholds.empty() && rule.thresholds.size() != class_count) {
        return usage("There are " + std::to_string(rule.thresholds.size()) + " thresholds for " +
                     std::to_string(class_count) + " classes.");
    }
    for (const auto& threshold : rule.thresholds) {
        if (threshold && !(*threshold >= 0 && (*threshold <= 1 || std::isinf(*threshold)))) {
            return usage("A class threshold is " + std::to_string(*threshold) + "; it must lie in [0, 1].");
        }
    }
    if (rule.novelty_below && std::isnan(*rule.novelty_below)) return usage("The novelty threshold is not a number.");
    if (rule.novelty_below && evidences != rows) {
        return usage("Abstaining on novelty needs the log evidence of each row, but there are " +
                     std::to_string(evidences) + " for " + std::to_string(rows) + " rows.");
    }
    return {};
}

std::int32_t cheapest(std::span<const double> posteriors, const CostMatrix& cost) {
    const std::vector<double> costs = expected_costs(posteriors, cost);
    const auto best = std::min_element(costs.begin(), costs.end()) - costs.begin();
    return best == static_cast<std::ptrdiff_t>(cost.class_count()) ? rejected : static_cast<std::int32_t>(best);
}

std::int32_t by_thresholds(std::span<const double> posteriors, std::span<const std::optional<double>> thresholds) {
    std::int32_t reached = rejected, fallback = rejected;
    double furthest = 0, largest = -1;
    for (std::size_t code = 0; code < posteriors.size(); ++code) {
        if (!thresholds[code]) {
            if (posteriors[code] > largest) {
                largest = posteriors[code];
                fallback = static_cast<std::int32_t>(code);
            }
        } else if (posteriors[code] >= *thresholds[code]) {
            const double proportion = posteriors[code] / std::max(*thresholds[code], 1e-300);
            if (reached == rejected || proportion > furthest) {
                furthest = proportion;
                reached = static_cast<std::int32_t>(code);
            }
        }
    }
    return reached != rejected ? reached : fallback;
}

}  // namespace

std::vector<double> expected_costs(std::span<const double> posteriors, const CostMatrix& cost) {
    std::vector<double> sums(cost.decision_count());
    for (std::size_t truth = 0; truth < posteriors.size(); ++truth) {
        for (std::size_t decision = 0; decision < sums.size(); ++decision) {
            sums[decision] += posteriors[truth] * cost.at(truth, decision);
        }
    }
    return sums;
}

Result<std::vector<std::int32_t>> decide(std::span<const double> posteriors, std::size_t class_count,
                                         const DecisionRule& rule, std::span<const double> log_evidence) {
    if (auto good = check_posteriors(posteriors, class_count); !good) return good.error();
    const std::size_t rows = posteriors.size() / class_count;
    if (auto good = check_rule(rule, class_count, rows, log_evidence.size()); !good) return good.error();
    std::vector<std::int32_t> decisions(rows);
    for (std::size_t row = 0; row < rows; ++row) {
        const auto own = posteriors.subspan(row * class_count, class_count);
        const std::size_t best = most_probable(own);
        const bool novel = rule.novelty_below && !(log_evidence[row] >= *rule.novelty_below);
        if (novel || own[best] < rule.reject_below) {
            decisions[row] = rejected;
        } else if (rule.cost) {
            decisions[row] = cheapest(own, *rule.cost);
        } else if (!rule.thresholds.empty()) {
            decisions[row] = by_thresholds(own, rule.thresholds);
        } else {
            decisions[row] = static_cast<std::int32_t>(best);
        }
    }
    return decisions;
}

Result<std::vector<std::int32_t>> top_classes(std::span<const double> posteriors, std::size_t class_count,
                                              std::size_t k) {
    if (auto good = check_posteriors(posteriors, class_count); !good) return good.error();
    if (k < 1 || k > class_count) {
        return usage("The top " + std::to_string(k) + " classes were asked for; there are " +
                     std::to_string(class_count) + ".");
    }
    std::vector<std::int32_t> codes(class_count), result;
    for (std::size_t first = 0; first < posteriors.size(); first += class_count) {
        const auto own = posteriors.subspan(first, class_count);
        std::iota(codes.begin(), codes.end(), 0);
        const auto before = [&](std::int32_t a, std::int32_t b) {
            const double one = own[static_cast<std::size_t>(a)], other = own[static_cast<std::size_t>(b)];
            return one > other || (one == other && a < b);
        };
        const auto end = codes.begin() + static_cast<std::ptrdiff_t>(k);
        std::partial_sort(codes.begin(), end, codes.end(), before);
        result.insert(result.end(), codes.begin(), end);
    }
    return result;
}

Result<double> novelty_threshold(std::vector<double> log_evidence, double share) {
    if (log_evidence.empty()) return Error("A novelty threshold needs the log evidence of at least one row.");
    if (!(share >= 0 && share < 1)) {
        return usage("The share of rows to call novel is " + std::to_string(share) + "; it must lie in [0, 1).");
    }
    for (const double value : log_evidence) {
        if (std::isnan(value)) return Error("A log evidence is not a number.");
    }
    const auto place = static_cast<std::ptrdiff_t>(share * static_cast<double>(log_evidence.size()));
    std::nth_element(log_evidence.begin(), log_evidence.begin() + place, log_evidence.end());
    return log_evidence[static_cast<std::size_t>(place)];
}

}  // namespace suffice
