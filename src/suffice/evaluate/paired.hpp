// Are two models different on the same rows? McNemar's test on their mistakes, a paired z test on their log losses.
#pragma once
#include <cstdint>
#include <span>

#include "suffice/base/result.hpp"
#include "suffice/evaluate/confusion.hpp"
#include "suffice/evaluate/posterior_rows.hpp"

namespace suffice {

struct PairedScores {
    double both_right = 0, only_first_right = 0, only_second_right = 0, both_wrong = 0;  // weights of rows
    Defined accuracy_difference;                                                         // first minus second
    Defined mcnemar_statistic;    // (|b - c| - 1)^2 / (b + c), never below zero; undefined where they never differ
    Defined mcnemar_p_value;      // exact two-sided binomial; 1 where they never differ
    Defined log_loss_difference;  // first minus second: negative is better for the first
    Defined log_loss_standard_error, log_loss_z, log_loss_p_value;  // undefined below two rows or without spread
};

// A mergeable statistic. Rows of unknown label (-1) are left out.
class PairedComparison {
public:
    Result<void> observe(const PosteriorRows& first, std::span<const double> second_posteriors);
    void merge(const PairedComparison& from);
    double weight() const { return weight_; }
    bool operator==(const PairedComparison&) const = default;
    PairedScores scores() const;

private:
    void merge_differences(double weight, double mean, double scatter);

    double both_right_ = 0, only_first_ = 0, only_second_ = 0, both_wrong_ = 0;
    double weight_ = 0, mean_ = 0, scatter_ = 0;  // of the log loss differences, centred
};

}  // namespace suffice
