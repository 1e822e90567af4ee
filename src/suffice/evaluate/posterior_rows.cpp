// The checks that every function over posteriors makes once, before it changes anything.
#include "suffice/evaluate/posterior_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace suffice {

namespace {

constexpr double sum_tolerance = 1e-4;

Error at(std::size_t row, const std::string& sentence) { return Error(sentence).at_row(row + 1); }

}  // namespace

Result<void> check_posteriors(std::span<const double> posteriors, std::size_t class_count) {
    if (class_count < 2) {
        return Error("Posteriors need at least two classes, but there " +
                     std::string(class_count == 1 ? "is one." : "are none."));
    }
    if (posteriors.size() % class_count != 0) {
        return Error("The posteriors hold " + std::to_string(posteriors.size()) +
                     " numbers, which is no whole number of rows of " + std::to_string(class_count) + " classes.");
    }
    for (std::size_t row = 0; row * class_count < posteriors.size(); ++row) {
        double sum = 0;
        for (const double value : posteriors.subspan(row * class_count, class_count)) {
            if (!(value >= 0 && value <= 1 + sum_tolerance)) {
                return at(row, "A posterior is " + std::to_string(value) + "; it must be a probability in [0, 1].");
            }
            sum += value;
        }
        if (!(std::abs(sum - 1) <= sum_tolerance)) {
            return at(row, "The posteriors add up to " + std::to_string(sum) + "; they must add up to one.");
        }
    }
    return {};
}

Result<void> check(const PosteriorRows& rows) {
    if (rows.posteriors.size() != rows.row_count() * rows.class_count) {
        return Error("There are " + std::to_string(rows.row_count()) + " labels, but the posteriors hold " +
                     std::to_string(rows.posteriors.size()) + " numbers for " + std::to_string(rows.class_count) +
                     " classes.");
    }
    if (!rows.weights.empty() && rows.weights.size() != rows.row_count()) {
        return Error("There are " + std::to_string(rows.weights.size()) + " weights for " +
                     std::to_string(rows.row_count()) + " rows; give one per row.");
    }
    for (std::size_t row = 0; row < rows.row_count(); ++row) {
        if (rows.truths[row] < -1 || rows.truths[row] >= static_cast<std::int64_t>(rows.class_count)) {
            return at(row, "The class code " + std::to_string(rows.truths[row]) +
                               " names no class; codes run from 0 to " + std::to_string(rows.class_count - 1) +
                               ", and -1 stands for an unknown label.");
        }
        if (!(rows.weight(row) >= 0 && std::isfinite(rows.weight(row)))) {
            return at(row, "The weight is " + std::to_string(rows.weight(row)) +
                               "; weights must be finite and not negative.");
        }
    }
    return check_posteriors(rows.posteriors, rows.class_count);
}

double log_loss_of(double posterior) {
    constexpr double smallest = std::numeric_limits<double>::epsilon();
    return -std::log(std::clamp(posterior, smallest, 1 - smallest));
}

std::size_t most_probable(std::span<const double> posteriors) {
    return static_cast<std::size_t>(std::max_element(posteriors.begin(), posteriors.end()) - posteriors.begin());
}

}  // namespace suffice
