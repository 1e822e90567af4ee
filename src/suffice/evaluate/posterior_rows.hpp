// Rows of posteriors beside their true classes: what evaluation and calibration read.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

#include "suffice/base/result.hpp"

namespace suffice {

struct PosteriorRows {
    std::span<const double> posteriors;  // rows x class_count, row-major
    std::size_t class_count = 0;
    std::span<const std::int32_t> truths;  // class codes; -1: a label the model does not know
    std::span<const double> weights = {};  // empty: one each

    std::size_t row_count() const { return truths.size(); }
    std::span<const double> row(std::size_t index) const {
        return posteriors.subspan(index * class_count, class_count);
    }
    double weight(std::size_t index) const { return weights.empty() ? 1.0 : weights[index]; }
};

// Sizes agree, codes are -1 or name a class, weights are finite and not negative, and each row is a distribution:
// every posterior in [0, 1] and their sum within 1e-4 of one (float32 posteriors pass, raw scores do not).
Result<void> check(const PosteriorRows& rows);
Result<void> check_posteriors(std::span<const double> posteriors, std::size_t class_count);

// The class to predict; of equal posteriors the first.
std::size_t most_probable(std::span<const double> posteriors);

// -log of the true class's posterior, kept away from 0 and 1 by 2^-52 as scikit-learn does.
double log_loss_of(double posterior);

}  // namespace suffice
