// A threshold on one class's posterior, chosen on validation rows for a stated precision, recall or cost.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "suffice/base/result.hpp"
#include "suffice/evaluate/curves.hpp"

namespace suffice {

// "Decide for the class where its posterior is at least `threshold`", and what that reached on the validation rows.
struct ThresholdChoice {
    double threshold = 0;  // infinite: never decide for the class
    Defined precision;     // undefined where no row is decided so
    double recall = 0;
    double cost = 0;  // per row; by threshold_for_cost only
};

// "Decide for it as soon as that reaches a precision (or recall) of 0.9", or "missing it costs 50 times a false alarm".
struct ThresholdGoal {
    enum class Kind : std::uint8_t { precision, recall, cost };
    std::size_t of_class = 0;
    Kind kind = Kind::precision;
    double value = 0;
};
inline constexpr std::array<std::string_view, 3> threshold_goal_names{"precision", "recall", "cost"};  // by Kind
// Along the curve of the goal's class.
Result<ThresholdChoice> choose_threshold(const ThresholdCurve& curve, const ThresholdGoal& goal);

// The highest recall whose precision is at least the one stated.
Result<ThresholdChoice> threshold_for_precision(const ThresholdCurve& curve, double precision);
// The highest threshold whose recall is at least the one stated: of those, the fewest false positives.
Result<ThresholdChoice> threshold_for_recall(const ThresholdCurve& curve, double recall);
// The cheapest; of equal ones the highest.
Result<ThresholdChoice> threshold_for_cost(const ThresholdCurve& curve, double false_positive_cost,
                                           double false_negative_cost);

}  // namespace suffice
