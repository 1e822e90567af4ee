// One walk down the sorted scores gives each curve; equal scores are one step.
#include "suffice/evaluate/curves.hpp"

#include <algorithm>
#include <cmath>

#include "suffice/base/limits.hpp"
#include "suffice/family/gaussian.hpp"

namespace suffice {

namespace {

// As scikit-learn: an undefined value leaves the mean undefined, unless its weight is zero.
Defined mean(std::span<const Defined> values, std::span<const double> weights) {
    double sum = 0, weight = 0;
    for (std::size_t each = 0; each < values.size(); ++each) {
        if (weights[each] == 0) continue;
        if (!values[each]) return std::nullopt;
        sum += weights[each] * *values[each];
        weight += weights[each];
    }
    return weight > 0 ? Defined(sum / weight) : std::nullopt;
}

// Mann-Whitney sums of one class: by other truth, the weight of pairs in which the class's row scores higher, ties
// half.
struct PairSums {
    std::vector<double> won, weight;  // by truth; the last entry is "some other class" of binned scores
    double tied = 0;
};

PairSums pair_sums(std::span<const ScoredWeight> descending, std::size_t class_code, std::size_t class_count) {
    PairSums sums{std::vector<double>(class_count + 1), std::vector<double>(class_count + 1)};
    const auto place = [&](const ScoredWeight& row) {
        return row.truth < 0 ? class_count : static_cast<std::size_t>(row.truth);
    };
    double above = 0;
    for (std::size_t first = 0, next = 0; first < descending.size(); first = next) {
        double here = 0, others = 0;
        for (; next < descending.size() && descending[next].score == descending[first].score; ++next) {
            (place(descending[next]) == class_code ? here : others) += descending[next].weight;
        }
        for (std::size_t row = first; row < next; ++row) {
            const std::size_t truth = place(descending[row]);
            sums.weight[truth] += descending[row].weight;
            if (truth != class_code) sums.won[truth] += descending[row].weight * (above + here / 2);
        }
        sums.tied += here * others;
        above += here;
    }
    return sums;
}

}  // namespace

ThresholdCurve threshold_curve(std::span<const ScoredWeight> descending, std::int32_t positive) {
    ThresholdCurve curve;
    for (const ScoredWeight& row : descending) {
        (row.truth == positive ? curve.positive_weight : curve.negative_weight) += row.weight;
        if (curve.points.empty() || curve.points.back().threshold != row.score)
            curve.points.push_back({row.score, 0, 0});
        curve.points.back().true_positive = curve.positive_weight;
        curve.points.back().false_positive = curve.negative_weight;
    }
    return curve;
}

std::vector<RocPoint> roc_curve(const ThresholdCurve& curve) {
    std::vector<RocPoint> result;
    if (!(curve.positive_weight > 0 && curve.negative_weight > 0)) return result;
    const auto& points = curve.points;
    result.push_back({infinity, 0, 0});
    for (std::size_t at = 0; at < points.size(); ++at) {
        if (at > 0 && at + 1 < points.size()) {
            const auto &before = points[at - 1], &here = points[at], &after = points[at + 1];
            const bool straight =
                here.true_positive - before.true_positive == after.true_positive - here.true_positive &&
                here.false_positive - before.false_positive == after.false_positive - here.false_positive;
            if (straight) continue;
        }
        result.push_back({points[at].threshold, points[at].false_positive / curve.negative_weight,
                          points[at].true_positive / curve.positive_weight});
    }
    return result;
}

std::vector<PrecisionRecallPoint> precision_recall_curve(const ThresholdCurve& curve) {
    std::vector<PrecisionRecallPoint> result;
    if (!(curve.positive_weight > 0)) return result;
    result.push_back({infinity, 1, 0});
    for (const ThresholdPoint& point : curve.points) {
        result.push_back({point.threshold, point.true_positive / (point.true_positive + point.false_positive),
                          point.true_positive / curve.positive_weight});
    }
    return result;
}

Defined average_precision(const ThresholdCurve& curve) {
    if (!(curve.positive_weight > 0)) return std::nullopt;
    double sum = 0, before = 0;
    for (const ThresholdPoint& point : curve.points) {
        sum += (point.true_positive - before) * point.true_positive / (point.true_positive + point.false_positive);
        before = point.true_positive;
    }
    return sum / curve.positive_weight;
}

std::vector<GainPoint> gain_curve(const ThresholdCurve& curve, std::size_t steps) {
    std::vector<GainPoint> result;
    if (!(curve.positive_weight > 0)) return result;
    const double all = curve.positive_weight + curve.negative_weight;
    std::size_t at = 0;
    for (std::size_t step = 1; step <= steps; ++step) {
        const double depth = static_cast<double>(step) / static_cast<double>(steps), rows = depth * all;
        const auto rows_at = [&](std::size_t index) {
            return curve.points[index].true_positive + curve.points[index].false_positive;
        };
        while (at + 1 < curve.points.size() && rows_at(at) < rows) ++at;
        const double before = at > 0 ? rows_at(at - 1) : 0,
                     hits_before = at > 0 ? curve.points[at - 1].true_positive : 0;
        const double share = std::min(1.0, (rows - before) / (rows_at(at) - before));
        const double hits = hits_before + share * (curve.points[at].true_positive - hits_before);
        result.push_back({depth, hits / curve.positive_weight, hits / curve.positive_weight / depth});
    }
    return result;
}

std::vector<CostPoint> cost_curve(const ThresholdCurve& curve, std::size_t steps) {
    std::vector<CostPoint> points;
    const auto roc = roc_curve(curve);
    for (std::size_t k = 0; !roc.empty() && k <= steps; ++k) {
        const double w = static_cast<double>(k) / static_cast<double>(steps);
        CostPoint point{w, std::min(w, 1 - w)};
        for (const auto& each : roc)
            point.cost = std::min(point.cost, w * (1 - each.true_positive_rate) + (1 - w) * each.false_positive_rate);
        points.push_back(point);
    }
    return points;
}

std::vector<RejectPoint> reject_curve(std::span<const ScoredWeight> by_confidence) {
    const ThresholdCurve curve = threshold_curve(by_confidence, 1);
    const double all = curve.positive_weight + curve.negative_weight;
    std::vector<RejectPoint> result;
    for (const ThresholdPoint& point : curve.points) {
        const double answered = point.true_positive + point.false_positive;
        result.push_back({point.threshold, answered / all, point.false_positive / answered});
    }
    return result;
}

std::optional<Interval> delong_interval(const ThresholdCurve& curve) {
    const double positives = curve.positive_weight, negatives = curve.negative_weight;
    if (!(positives > 1 && negatives > 1)) return std::nullopt;
    Gaussian::Statistic beaten, beating;  // shares of negatives below each positive, of positives above each negative
    double above = 0, passed = 0;
    for (const ThresholdPoint& point : curve.points) {
        const double here = point.true_positive - above, others = point.false_positive - passed;
        if (here > 0) beaten.merge({here, (negatives - passed - others / 2) / negatives, 0});
        if (others > 0) beating.merge({others, (above + here / 2) / positives, 0});
        above = point.true_positive;
        passed = point.false_positive;
    }
    const double variance =
        beaten.scatter / (positives - 1) / positives + beating.scatter / (negatives - 1) / negatives;
    const double reach = 1.959963984540054 * std::sqrt(variance);
    return Interval{std::max(beaten.mean - reach, 0.0), std::min(beaten.mean + reach, 1.0)};
}

CurveAreas curve_areas(const ScoreStore& scores, std::size_t class_count) {
    CurveAreas result;
    RocAreas& areas = result.roc;
    std::vector<double> support(class_count), pairs(scores.knows_pairs() ? class_count * class_count : 0);
    for (std::size_t code = 0; code < class_count; ++code) {
        const std::vector<ScoredWeight> descending = scores.by_class(code);
        const auto positive = static_cast<std::int32_t>(code);
        const ThresholdCurve curve = threshold_curve(descending, positive);
        result.average_precision.per_class.push_back(average_precision(curve));
        areas.interval.push_back(delong_interval(curve));
        const PairSums sums = pair_sums(descending, code, class_count);
        support[code] = sums.weight[code];
        double won = 0, others = 0;
        for (std::size_t truth = 0; truth <= class_count; ++truth) {
            if (truth == code) continue;
            won += sums.won[truth];
            others += sums.weight[truth];
            if (truth < class_count && scores.knows_pairs()) pairs[code * class_count + truth] = sums.won[truth];
        }
        const double all_pairs = support[code] * others;
        areas.per_class.push_back(all_pairs > 0 ? Defined(won / all_pairs) : std::nullopt);
        if (!scores.exact() && all_pairs > 0) {
            areas.error_bound = std::max(areas.error_bound, sums.tied / 2 / all_pairs);
        }
    }
    const std::vector<double> ones(class_count, 1.0);
    areas.macro = mean(areas.per_class, ones);
    areas.weighted = mean(areas.per_class, support);
    result.average_precision.macro = mean(result.average_precision.per_class, ones);
    result.average_precision.weighted = mean(result.average_precision.per_class, support);

    double sum = 0, count = 0;
    for (std::size_t a = 0; scores.knows_pairs() && a < class_count; ++a) {
        for (std::size_t b = a + 1; b < class_count; ++b) {
            if (!(support[a] > 0 && support[b] > 0)) continue;
            sum += (pairs[a * class_count + b] + pairs[b * class_count + a]) / (2 * support[a] * support[b]);
            count += 1;
        }
    }
    if (count > 0) areas.pairwise = sum / count;
    return result;
}

}  // namespace suffice
