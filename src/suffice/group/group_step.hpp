// What the groups are at one step of a search, for those who follow it.
#pragma once
#include <span>
#include <vector>

#include "suffice/base/matrix.hpp"
#include "suffice/score/scorer.hpp"

namespace suffice {

class Classifier;

struct GroupStep {
    std::vector<double> share;  // of each group in the rows; they sum to one
    Description parameters;
};

GroupStep group_step(const Classifier& components);
// Gaussians by share, mean (groups x columns) and of each group the covariance (columns x columns) or the variances.
GroupStep group_step(std::vector<double> share, const Matrix& mean, std::span<const std::vector<double>> covariance);
// Centres, a row for each; the last column is the weight of their rows.
GroupStep group_step(const Matrix& centres_and_weight);

// Centres and the weight of their rows in one matrix, as above.
Matrix with_weight(const Matrix& centres, std::span<const double> weight);

std::vector<std::size_t> heaviest_first(std::span<const double> weight);  // places in `weight`
// The groups numbered anew: the k-th was number order[k].
void reorder(GroupStep& step, std::span<const std::size_t> order);

}  // namespace suffice
