// Curves over a threshold on the score of one class, and the areas under them.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "suffice/base/interval.hpp"
#include "suffice/evaluate/confusion.hpp"
#include "suffice/evaluate/score_store.hpp"

namespace suffice {

// What is reached when every row scored at `threshold` or above is called positive. From high thresholds to low.
struct ThresholdPoint {
    double threshold = 0;
    double true_positive = 0, false_positive = 0;  // weights
};

struct ThresholdCurve {
    std::vector<ThresholdPoint> points;  // one per distinct score
    double positive_weight = 0, negative_weight = 0;
};
ThresholdCurve threshold_curve(std::span<const ScoredWeight> descending, std::int32_t positive);

struct RocPoint {
    double threshold = 0, false_positive_rate = 0, true_positive_rate = 0;
};
// Starts at (0, 0) with an infinite threshold; points on a straight line are left out, as in scikit-learn. Empty where
// a side is.
std::vector<RocPoint> roc_curve(const ThresholdCurve& curve);

struct PrecisionRecallPoint {
    double threshold = 0, precision = 0, recall = 0;
};
// Starts at precision 1 and recall 0 with an infinite threshold. Empty without positives.
std::vector<PrecisionRecallPoint> precision_recall_curve(const ThresholdCurve& curve);

// sum over thresholds of (recall gained) * precision, without interpolation.
Defined average_precision(const ThresholdCurve& curve);

struct GainPoint {
    double depth = 0;  // share of all rows, best scores first
    double gain = 0;   // share of the positives among them
    double lift = 0;   // gain / depth
};
// At the depths 1/steps, 2/steps, ..., 1; a threshold that falls inside tied scores takes the same share of each side.
std::vector<GainPoint> gain_curve(const ThresholdCurve& curve, std::size_t steps = 20);

struct CostPoint {
    double miss_weight = 0;  // prior of the class times the cost of missing it, as a share of both kinds of mistake
    double cost = 0;         // expected, at the best threshold for this weight; 1 is the most any classifier can cost
};
// The lower envelope over thresholds of w * (missed share) + (1 - w) * (false alarm share), w = 0, 1/steps, ..., 1.
// Drummond and Holte, "Cost curves", Machine Learning 65, 2006. Empty where a side is.
std::vector<CostPoint> cost_curve(const ThresholdCurve& curve, std::size_t steps = 100);

struct RejectPoint {
    double threshold = 0;  // answer where the largest posterior is at least this
    double coverage = 0;   // share of rows answered
    double error = 0;      // among them
};
std::vector<RejectPoint> reject_curve(std::span<const ScoredWeight> by_confidence);

// A +- 1.96 standard errors, kept within [0, 1]: the variance of the area is that of the shares of negatives that each
// positive beats, and of positives that beat each negative (DeLong, DeLong, Clarke-Pearson, "Comparing the areas under
// two or more correlated receiver operating characteristic curves", 1988). None where a side has fewer than two rows.
std::optional<Interval> delong_interval(const ThresholdCurve& curve);

struct RocAreas {
    std::vector<Defined> per_class;                 // one against the rest
    std::vector<std::optional<Interval>> interval;  // 95 %, of each of them, by DeLong's variance
    Defined macro, weighted;                        // as scikit-learn's: macro is undefined where a class is
    Defined pairwise;                               // Hand and Till (2001), over the classes that occur
    double error_bound = 0;                         // of each area; zero while scores are kept exactly
};
struct CurveAreas {
    RocAreas roc;
    Averaged average_precision;  // micro stays empty
};
CurveAreas curve_areas(const ScoreStore& scores, std::size_t class_count);

}  // namespace suffice
