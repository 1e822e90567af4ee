// Class statistics -> Gaussian parameters in any structure: pooled inside groups, shrunk, floored when singular.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "suffice/estimate/settings.hpp"
#include "suffice/family/gaussian.hpp"
#include "suffice/score/gaussian_classes.hpp"

namespace suffice {

// Moments of one class: weight, mean, and its scatter, d x d.
struct ClassMoments {
    double weight = 0;
    std::span<const double> mean;
    std::span<const double> scatter;
};

struct EstimatedGaussians {
    GaussianClasses parameters;
    double log_likelihood = 0;  // of the rows behind the moments
    std::size_t parameter_count = 0;
    std::vector<std::uint32_t> rank = {};  // of each group's covariance before it was floored
    std::vector<Note> notes = {};
    std::vector<std::uint32_t> drawn = {};  // groups whose covariance was singular and is mixed with the pooled one
};

struct GaussianNames {
    const std::vector<std::string>& classes;
    std::vector<std::string> columns;

    // "class setosa", for messages; empty: all of them.
    std::string classes_of(const std::vector<std::uint32_t>& group_of, std::size_t which) const;
};

// A stated Normal-Wishart prior must fit the columns.
Result<void> check_prior(const GaussianPrior& prior, std::size_t columns);

// A step of EM needs the parameters alone; ranks, notes and the likelihood cost as much again.
enum class Telling : std::uint8_t { all, parameters };

// Every structure. `shrinkage` is by class and read only where the settings ask for an intensity that the scatter does
// not tell (Ledoit-Wolf). Groups that are `drawn` already are mixed with the pooled covariance whatever their rank, so
// that the steps of EM do not change the rule back and forth.
Result<EstimatedGaussians> estimate_gaussians(std::span<const ClassMoments> by_class, const Settings& settings,
                                              const GaussianNames& names, std::span<const double> shrinkage = {},
                                              Telling telling = Telling::all,
                                              std::span<const std::uint32_t> drawn = {});

// Diagonal and spherical structures, from columns that may have been seen in different rows: by class, then by column.
Result<EstimatedGaussians> estimate_gaussian_columns(std::span<const std::vector<Gaussian::Statistic>> by_class,
                                                     const Settings& settings, const GaussianNames& names);

// Oracle approximating shrinkage (Chen, Wiesel, Eldar, Hero 2010) from the covariance alone, as scikit-learn's `oas`.
double oas_intensity(std::span<const double> covariance, std::size_t dimension, double weight);

// sum of w log p(x | m, S) over rows with these moments. `precision`: S^-1 of the class, where the caller has it
// already.
double gaussian_log_likelihood(const GaussianClasses& parameters, std::size_t of_class, const ClassMoments& moments,
                               std::span<const double> precision = {});

}  // namespace suffice
