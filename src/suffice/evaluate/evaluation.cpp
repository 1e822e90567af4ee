// Gathering the sums of an evaluation, and the measures from them.
#include "suffice/evaluate/evaluation.hpp"

#include <algorithm>
#include <cassert>
#include <functional>
#include <string>
#include <utility>

namespace suffice {

namespace {

constexpr std::size_t most_lines = 32;  // classes whose calibration lines are found

double squared_distance(std::span<const double> posteriors, std::size_t truth) {
    double sum = 0;
    for (std::size_t code = 0; code < posteriors.size(); ++code) {
        const double difference = posteriors[code] - (code == truth ? 1.0 : 0.0);
        sum += difference * difference;
    }
    return sum;
}

// How many classes are predicted before the truth.
std::size_t rank_of(std::span<const double> posteriors, std::size_t truth) {
    std::size_t rank = 0;
    for (std::size_t code = 0; code < posteriors.size(); ++code) {
        if (posteriors[code] > posteriors[truth] || (posteriors[code] == posteriors[truth] && code < truth)) ++rank;
    }
    return rank;
}

}  // namespace

Result<Evaluation> Evaluation::make(std::size_t class_count, std::size_t limit) {
    if (class_count < 2) return Error("An evaluation needs at least two classes; the model has fewer.");
    if (class_count > class_limit) {
        return Error("An evaluation takes at most " + std::to_string(class_limit) + " classes, but there are " +
                     std::to_string(class_count) + ".");
    }
    return Evaluation(class_count, limit);
}

Evaluation::Evaluation(std::size_t class_count, std::size_t limit)
    : class_count_(class_count),
      confusion_(class_count),
      rank_weight_(class_count),
      per_class_(class_count),
      store_(class_count, limit) {}

Result<void> Evaluation::observe(const PosteriorRows& rows, std::span<const std::int32_t> decisions) {
    if (rows.class_count != class_count_) {
        return Error("The posteriors have " + std::to_string(rows.class_count) + " classes, but the evaluation has " +
                     std::to_string(class_count_) + ".");
    }
    if (auto good = check(rows); !good) return good;
    if (!decisions.empty() && decisions.size() != rows.row_count()) {
        return Error("There are " + std::to_string(decisions.size()) + " decisions for " +
                     std::to_string(rows.row_count()) + " rows; give one per row.");
    }
    for (std::size_t row = 0; row < decisions.size(); ++row) {
        if (decisions[row] < -1 || decisions[row] >= static_cast<std::int64_t>(class_count_)) {
            return Error("The decision " + std::to_string(decisions[row]) + " names no class.").at_row(row + 1);
        }
    }
    double losses = 0, distances = 0;  // summed by block first: less rounding over many rows
    for (std::size_t row = 0; row < rows.row_count(); ++row) {
        const double weight = rows.weight(row);
        if (weight == 0) continue;
        if (rows.truths[row] < 0) {
            ++unknown_row_count_;
            unknown_weight_ += weight;
            continue;
        }
        const auto posteriors = rows.row(row);
        const auto truth = static_cast<std::size_t>(rows.truths[row]);
        const std::size_t best = most_probable(posteriors);
        ++row_count_;
        weight_ += weight;
        losses += weight * log_loss_of(posteriors[truth]);
        distances += weight * squared_distance(posteriors, truth);
        confusion_.observe(truth, decisions.empty() ? static_cast<std::int32_t>(best) : decisions[row], weight);
        rank_weight_[rank_of(posteriors, truth)] += weight;
        top_.observe(posteriors[best], best == truth, weight);
        for (std::size_t code = 0; code < class_count_; ++code) {
            per_class_[code].observe(posteriors[code], code == truth, weight);
        }
        store_.observe(rows.truths[row], posteriors, weight);
    }
    log_loss_ += losses;
    brier_ += distances;
    return {};
}

Result<void> Evaluation::observe(std::int32_t truth, std::span<const double> posteriors, double weight) {
    return observe({posteriors, class_count_, {&truth, 1}, {&weight, 1}});
}

void Evaluation::merge(const Evaluation& from) {
    if (from.class_count_ == 0) return;
    if (class_count_ == 0) {
        *this = from;
        return;
    }
    assert(class_count_ == from.class_count_);
    row_count_ += from.row_count_;
    unknown_row_count_ += from.unknown_row_count_;
    weight_ += from.weight_;
    unknown_weight_ += from.unknown_weight_;
    log_loss_ += from.log_loss_;
    brier_ += from.brier_;
    confusion_.merge(from.confusion_);
    std::transform(rank_weight_.begin(), rank_weight_.end(), from.rank_weight_.begin(), rank_weight_.begin(),
                   std::plus<>());
    top_.merge(from.top_);
    for (std::size_t code = 0; code < class_count_; ++code) per_class_[code].merge(from.per_class_[code]);
    store_.merge(from.store_);
}

ThresholdCurve Evaluation::threshold_curve(std::size_t class_code) const {
    return suffice::threshold_curve(store_.by_class(class_code), static_cast<std::int32_t>(class_code));
}

Scores Evaluation::scores(Curves curves) const {
    Scores scores;
    static_cast<LabelScores&>(scores) = label_scores(confusion_);
    scores.row_count = row_count_;
    scores.unknown_row_count = unknown_row_count_;
    scores.weight = weight_;
    scores.unknown_weight = unknown_weight_;
    scores.confusion = confusion_;
    scores.top_k.resize(class_count_);
    scores.exact_curves = store_.exact();
    if (weight_ > 0) {
        const double scale = class_count_ == 2 ? 0.5 : 1.0;
        scores.log_loss = log_loss_ / weight_;
        scores.brier = scale * brier_ / weight_;
        scores.brier_parts = brier_parts(per_class_, *scores.brier, scale);
        double ranked = 0;
        for (std::size_t k = 0; k < class_count_; ++k) {
            ranked += rank_weight_[k];
            scores.top_k[k] = ranked / weight_;
        }
    }
    scores.reliability.assign(top_.bins().begin(), top_.bins().end());
    scores.calibration_error = calibration_error(scores.reliability);
    if (curves == Curves::without) return scores;
    scores.reliability_equal_mass = equal_mass_bins(store_.by_confidence(), 1);
    scores.calibration_error_equal_mass = calibration_error(scores.reliability_equal_mass);
    for (std::size_t code = 0; curves == Curves::with && class_count_ <= most_lines && code < class_count_; ++code)
        scores.calibration.push_back(calibration_line(store_.by_class(code), static_cast<std::int32_t>(code)));
    CurveAreas areas = curve_areas(store_, class_count_);
    scores.roc_auc = std::move(areas.roc);
    scores.average_precision = std::move(areas.average_precision);
    return scores;
}

}  // namespace suffice
