// Searches along the threshold curve.
#include "suffice/decide/thresholds.hpp"

#include <cmath>
#include <limits>
#include <string>

namespace suffice {

namespace {

Result<void> check(const ThresholdCurve& curve, std::string_view what, double share) {
    if (!(share > 0 && share <= 1)) {
        return Error(ErrorKind::usage, "The " + std::string(what) + " asked for is " + std::to_string(share) +
                                           "; it must lie in (0, 1].");
    }
    if (!(curve.positive_weight > 0)) {
        return Error("A threshold cannot be chosen: the class does not occur in the validation rows.");
    }
    return {};
}

double precision_at(const ThresholdPoint& point) {
    return point.true_positive / (point.true_positive + point.false_positive);
}

ThresholdChoice choice_at(const ThresholdCurve& curve, const ThresholdPoint& point) {
    return {point.threshold, precision_at(point), point.true_positive / curve.positive_weight, 0};
}

}  // namespace

Result<ThresholdChoice> threshold_for_precision(const ThresholdCurve& curve, double precision) {
    if (auto good = check(curve, "precision", precision); !good) return good.error();
    double best = 0;
    const ThresholdPoint* chosen = nullptr;
    for (const ThresholdPoint& point : curve.points) {
        best = std::max(best, precision_at(point));
        if (precision_at(point) >= precision && (!chosen || point.true_positive > chosen->true_positive))
            chosen = &point;
    }
    if (!chosen) {
        return Error("No threshold reaches a precision of " + std::to_string(precision) + "; the best is " +
                     std::to_string(best) + ".");
    }
    return choice_at(curve, *chosen);
}

Result<ThresholdChoice> threshold_for_recall(const ThresholdCurve& curve, double recall) {
    if (auto good = check(curve, "recall", recall); !good) return good.error();
    for (const ThresholdPoint& point : curve.points) {
        if (point.true_positive / curve.positive_weight >= recall) return choice_at(curve, point);
    }
    return choice_at(curve, curve.points.back());
}

Result<ThresholdChoice> threshold_for_cost(const ThresholdCurve& curve, double false_positive_cost,
                                           double false_negative_cost) {
    if (!(std::isfinite(false_positive_cost) && std::isfinite(false_negative_cost))) {
        return Error(ErrorKind::usage, "The costs of a false positive and of a false negative must be finite numbers.");
    }
    if (curve.points.empty()) return Error("A threshold cannot be chosen without validation rows.");
    const double all = curve.positive_weight + curve.negative_weight;
    ThresholdChoice best{std::numeric_limits<double>::infinity(), std::nullopt, 0,
                         false_negative_cost * curve.positive_weight / all};
    for (const ThresholdPoint& point : curve.points) {
        const double missed = curve.positive_weight - point.true_positive;
        const double cost = (false_positive_cost * point.false_positive + false_negative_cost * missed) / all;
        if (cost >= best.cost) continue;
        const double recall = curve.positive_weight > 0 ? point.true_positive / curve.positive_weight : 0;
        best = {point.threshold, precision_at(point), recall, cost};
    }
    return best;
}

Result<ThresholdChoice> choose_threshold(const ThresholdCurve& curve, const ThresholdGoal& goal) {
    if (goal.kind == ThresholdGoal::Kind::precision) return threshold_for_precision(curve, goal.value);
    if (goal.kind == ThresholdGoal::Kind::recall) return threshold_for_recall(curve, goal.value);
    if (goal.value < 0) return Error(ErrorKind::usage, "The cost of missing a class must not be negative.");
    return threshold_for_cost(curve, 1, goal.value);
}

}  // namespace suffice
