// Measures of the confusion matrix, each with the denominator that can make it undefined in sight.
#include "suffice/evaluate/confusion.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

namespace suffice {

namespace {

Defined ratio(double numerator, double denominator) {
    return denominator > 0 ? Defined(numerator / denominator) : std::nullopt;
}

Defined average(std::span<const Defined> values, std::span<const double> weights) {
    double sum = 0, weight = 0;
    for (std::size_t each = 0; each < values.size(); ++each) {
        if (!values[each]) continue;
        sum += weights[each] * *values[each];
        weight += weights[each];
    }
    return ratio(sum, weight);
}

// One class: right answers, rows of the class, decisions for the class; the measure is numerator / denominator of them.
template <class Numerator, class Denominator>
Averaged averaged(const Confusion& confusion, Numerator numerator, Denominator denominator) {
    const std::size_t classes = confusion.class_count();
    std::vector<double> truths(classes);
    Averaged result;
    double numerators = 0, denominators = 0;
    for (std::size_t code = 0; code < classes; ++code) {
        truths[code] = confusion.truth_weight(code);
        const double decided = confusion.decision_weight(code);
        const double above = numerator(confusion.at(code, code));
        const double below = denominator(truths[code], decided);
        result.per_class.push_back(ratio(above, below));
        numerators += above;
        denominators += below;
    }
    result.macro = average(result.per_class, std::vector<double>(classes, 1.0));
    result.micro = ratio(numerators, denominators);
    result.weighted = average(result.per_class, truths);
    return result;
}

Averaged f_measure(const Confusion& confusion, double beta) {
    const double square = beta * beta;
    return averaged(
        confusion, [=](double right) { return (1 + square) * right; },
        [=](double truth, double decided) { return square * truth + decided; });
}

// Gorodkin's K-class correlation, (c s - sum t p) / sqrt((s^2 - sum p^2)(s^2 - sum t^2)): undefined when all rows have
// one truth or one decision.
Defined matthews(const Confusion& confusion) {
    const double all = confusion.decided_weight();
    double products = 0, truth_squares = 0, decision_squares = 0;
    for (std::size_t code = 0; code < confusion.class_count(); ++code) {
        const double truth = confusion.truth_weight(code), decision = confusion.decision_weight(code);
        if ((truth == all || decision == all) && all > 0) return std::nullopt;
        products += truth * decision;
        truth_squares += truth * truth;
        decision_squares += decision * decision;
    }
    return ratio(confusion.right_weight() * all - products,
                 std::sqrt((all * all - decision_squares) * (all * all - truth_squares)));
}

Defined cohen_kappa(const Confusion& confusion) {
    const double all = confusion.decided_weight();
    double by_chance = 0;
    for (std::size_t code = 0; code < confusion.class_count(); ++code) {
        const double truth = confusion.truth_weight(code), decision = confusion.decision_weight(code);
        if (truth == all && decision == all) return std::nullopt;
        by_chance += truth * decision;
    }
    return ratio(confusion.right_weight() * all - by_chance, all * all - by_chance);
}

std::optional<Majority> majority(const Confusion& confusion) {
    if (!(confusion.weight() > 0)) return std::nullopt;
    Majority result;
    double most = -1;
    for (std::size_t code = 0; code < confusion.class_count(); ++code) {
        const double rows = confusion.truth_weight(code) + confusion.rejected_weight(code);
        if (rows > most) {
            most = rows;
            result = {code, rows / confusion.weight()};
        }
    }
    return result;
}

}  // namespace

Confusion::Confusion(std::size_t class_count)
    : class_count_(class_count), cells_(class_count * class_count), rejected_(class_count) {}

void Confusion::observe(std::size_t truth, std::int32_t decision, double weight) {
    if (decision < 0) {
        rejected_[truth] += weight;
    } else {
        cells_[truth * class_count_ + static_cast<std::size_t>(decision)] += weight;
    }
}

void Confusion::merge(const Confusion& from) {
    std::transform(cells_.begin(), cells_.end(), from.cells_.begin(), cells_.begin(), std::plus<>());
    std::transform(rejected_.begin(), rejected_.end(), from.rejected_.begin(), rejected_.begin(), std::plus<>());
}

double Confusion::weight() const { return std::accumulate(rejected_.begin(), rejected_.end(), decided_weight()); }

double Confusion::decided_weight() const { return std::accumulate(cells_.begin(), cells_.end(), 0.0); }

double Confusion::truth_weight(std::size_t truth) const {
    const auto first = cells_.begin() + static_cast<std::ptrdiff_t>(truth * class_count_);
    return std::accumulate(first, first + static_cast<std::ptrdiff_t>(class_count_), 0.0);
}

double Confusion::decision_weight(std::size_t decision) const {
    double sum = 0;
    for (std::size_t truth = 0; truth < class_count_; ++truth) sum += at(truth, decision);
    return sum;
}

double Confusion::right_weight() const {
    double sum = 0;
    for (std::size_t code = 0; code < class_count_; ++code) sum += at(code, code);
    return sum;
}

LabelScores label_scores(const Confusion& confusion) {
    const auto right = [](double value) { return value; };
    const double decided = confusion.decided_weight(), all_right = confusion.right_weight();
    LabelScores scores;
    scores.coverage = ratio(decided, confusion.weight());
    scores.accuracy = ratio(all_right, decided);
    if (scores.accuracy) {
        scores.error = 1 - *scores.accuracy;
        scores.error_interval = wilson_interval(decided - all_right, decided, 0.95);
    }
    scores.precision = averaged(confusion, right, [](double, double decisions) { return decisions; });
    scores.recall = averaged(confusion, right, [](double truth, double) { return truth; });
    scores.f1 = f_measure(confusion, 1);
    scores.balanced_accuracy = scores.recall.macro;
    scores.matthews = matthews(confusion);
    scores.cohen_kappa = cohen_kappa(confusion);
    scores.majority = majority(confusion);
    return scores;
}

Result<Averaged> f_beta(const Confusion& confusion, double beta) {
    if (!(beta >= 0 && std::isfinite(beta))) {
        return Error(ErrorKind::usage,
                     "The beta of F-beta is " + std::to_string(beta) + "; it must be finite and not negative.");
    }
    return f_measure(confusion, beta);
}

Result<Defined> expected_cost(const Confusion& confusion, std::span<const double> cost) {
    const std::size_t classes = confusion.class_count();
    const bool with_reject = cost.size() == classes * (classes + 1);
    if (!with_reject && cost.size() != classes * classes) {
        return Error(ErrorKind::usage, "The cost matrix holds " + std::to_string(cost.size()) + " numbers; " +
                                           std::to_string(classes) + " classes need " +
                                           std::to_string(classes * classes) + ", or one more column for rejecting.");
    }
    const std::size_t width = with_reject ? classes + 1 : classes;
    double sum = 0;
    for (std::size_t truth = 0; truth < classes; ++truth) {
        for (std::size_t decision = 0; decision < classes; ++decision) {
            sum += confusion.at(truth, decision) * cost[truth * width + decision];
        }
        if (confusion.rejected_weight(truth) > 0) {
            if (!with_reject) {
                return Error(ErrorKind::usage,
                             "Some rows were rejected, but the cost matrix has no cost of rejecting.");
            }
            sum += confusion.rejected_weight(truth) * cost[truth * width + classes];
        }
    }
    return Result<Defined>(ratio(sum, confusion.weight()));
}

}  // namespace suffice
