// Class statistics -> Gaussian parameters in any structure: pooled inside groups, shrunk, floored when singular.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "suffice/estimate/settings.hpp"
#include "suffice/family/gaussian_vector.hpp"
#include "suffice/score/gaussian_classes.hpp"

namespace suffice {

// Moments of one class: weight, mean, and its scatter, either d x d or (diagonal) d numbers. A Statistic of
// GaussianVector is the first; columns kept apart are the second.
struct ClassMoments {
    double weight = 0;
    std::span<const double> mean;
    std::span<const double> scatter;
};

struct EstimatedGaussians {
    GaussianClasses parameters;
    double log_likelihood = 0;  // of the rows behind the moments; log evidence under predictive with a proper prior
    std::size_t parameter_count = 0;
    std::vector<std::uint32_t> rank;  // of each group's covariance before it was floored
    std::vector<std::string> notes;
};

// `names` are the columns', for messages. `shrinkage` is by class and read only where the settings ask for an
// intensity that the scatter does not tell (Ledoit-Wolf).
struct GaussianNames {
    const std::vector<std::string>& classes;
    std::vector<std::string> columns;
};
Result<EstimatedGaussians> estimate_gaussians(std::span<const ClassMoments> by_class, const Settings& settings,
                                              const GaussianNames& names, std::span<const double> shrinkage = {});

// Oracle approximating shrinkage (Chen, Wiesel, Eldar, Hero 2010) from the covariance alone, as scikit-learn's `oas`.
double oas_intensity(std::span<const double> covariance, std::size_t dimension, double weight);

// sum of w log p(x | m, S) over rows with these moments.
double gaussian_log_likelihood(const GaussianClasses& parameters, std::size_t of_class, const ClassMoments& moments);

}  // namespace suffice
