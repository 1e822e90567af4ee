// The sums of a paired comparison and the two tests.
#include "suffice/evaluate/paired.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "suffice/math/special.hpp"

namespace suffice {

namespace {

// Dietterich (1998): under equal error rates the rows that only one model gets right split as a fair coin does.
double exact_mcnemar(double only_first, double only_second) {
    const double differing = only_first + only_second, fewer = std::min(only_first, only_second);
    if (only_first == only_second) return 1;
    return std::min(1.0, 2 * incomplete_beta(differing - fewer, fewer + 1, 0.5));
}

}  // namespace

Result<void> PairedComparison::observe(const PosteriorRows& first, std::span<const double> second_posteriors) {
    if (auto good = check(first); !good) return good;
    if (second_posteriors.size() != first.posteriors.size()) {
        return Error("The first model gives " + std::to_string(first.posteriors.size()) +
                     " posteriors and the second " + std::to_string(second_posteriors.size()) +
                     "; both must answer for the same rows and classes.");
    }
    if (auto good = check_posteriors(second_posteriors, first.class_count); !good) return good;
    for (std::size_t row = 0; row < first.row_count(); ++row) {
        const double weight = first.weight(row);
        if (first.truths[row] < 0 || weight == 0) continue;
        const auto truth = static_cast<std::size_t>(first.truths[row]);
        const auto one = first.row(row), two = second_posteriors.subspan(row * first.class_count, first.class_count);
        const bool one_right = most_probable(one) == truth, two_right = most_probable(two) == truth;
        (one_right ? (two_right ? both_right_ : only_first_) : (two_right ? only_second_ : both_wrong_)) += weight;
        merge_differences(weight, log_loss_of(one[truth]) - log_loss_of(two[truth]), 0);
    }
    return {};
}

void PairedComparison::merge_differences(double weight, double mean, double scatter) {
    if (weight == 0) return;
    const double all = weight_ + weight, step = mean - mean_;
    mean_ += step * (weight / all);
    scatter_ += scatter + step * step * (weight_ * weight / all);
    weight_ = all;
}

void PairedComparison::merge(const PairedComparison& from) {
    both_right_ += from.both_right_;
    only_first_ += from.only_first_;
    only_second_ += from.only_second_;
    both_wrong_ += from.both_wrong_;
    merge_differences(from.weight_, from.mean_, from.scatter_);
}

PairedScores PairedComparison::scores() const {
    PairedScores scores{both_right_, only_first_, only_second_, both_wrong_, {}, {}, {}, {}, {}, {}, {}};
    if (!(weight_ > 0)) return scores;
    const double differing = only_first_ + only_second_;
    scores.accuracy_difference = (only_first_ - only_second_) / weight_;
    scores.mcnemar_p_value = exact_mcnemar(only_first_, only_second_);
    if (differing > 0) {
        scores.mcnemar_statistic = std::pow(std::max(0.0, std::abs(only_first_ - only_second_) - 1), 2) / differing;
    }
    scores.log_loss_difference = mean_;
    if (weight_ > 1 && scatter_ > 0) {
        scores.log_loss_standard_error = std::sqrt(scatter_ / (weight_ - 1) / weight_);
        scores.log_loss_z = mean_ / *scores.log_loss_standard_error;
        scores.log_loss_p_value = std::erfc(std::abs(*scores.log_loss_z) / std::numbers::sqrt2);
    }
    return scores;
}

}  // namespace suffice
