// A Gaussian mixture whose weights, means and precisions have distributions of their own: mean-field variational Bayes
// with Dirichlet or Dirichlet-process weights and Normal-Wishart components, so that components which the rows do not
// need fade away. Bishop, "Pattern recognition and machine learning", 2006, sec. 10.2; Blei and Jordan (2006).
// Parameters and bound are those of scikit-learn's BayesianGaussianMixture.
#pragma once
#include <optional>
#include <string>

#include "suffice/group/gaussian_pass.hpp"
#include "suffice/group/group_step.hpp"

namespace suffice {

enum class WeightPrior : std::uint8_t { dirichlet_process, dirichlet };

struct VariationalSettings {
    std::size_t components = 1;
    ComponentShape shape = ComponentShape::full;
    WeightPrior weights = WeightPrior::dirichlet_process;
    std::optional<double> concentration = {};            // 1 / components
    double mean_precision = 1;                           // rows that the prior mean is worth
    std::optional<std::vector<double>> mean = {};        // of the rows
    std::optional<double> degrees = {};                  // the number of columns; more than it less one
    std::optional<std::vector<double>> covariance = {};  // of the rows: d x d, diagonal d, spherical 1
    double added_variance = 1e-6;
    double tolerance = 1e-3;  // of the bound
    std::size_t step_limit = 100;
    bool follow = false;  // the expected parameters after each step are kept

    Result<void> check(std::size_t column_count) const;
};

struct VariationalMixture {
    ComponentShape shape = ComponentShape::full;
    std::vector<double> weight;                    // expected
    std::vector<double> concentration, remainder;  // of the weights; remainder: second parameters of the sticks
    std::vector<double> mean_precision;
    Matrix mean;
    std::vector<double> degrees;      // of each component; tied: one
    std::vector<double> covariance;   // expected, laid out as in ComponentMoments
    std::vector<double> path;         // the bound after each step; it never falls
    std::vector<GroupStep> followed;  // where asked for
    bool settled = false;             // else the limit of steps was reached
    double total_weight = 0;          // of the rows
    std::vector<Note> notes;

    // To assign rows with: scores are expectations of log p(x, component).
    Result<ScoredComponents> scored() const;
};

// Rows are finite numbers. Starts from k-means, or from labels that say where each row begins.
Result<VariationalMixture> fit_variational_mixture(const LabeledBlock& rows, const VariationalSettings& settings,
                                                   const Context& context = {});
Result<VariationalMixture> fit_variational_mixture(const LabeledBlock& rows, std::span<const std::int32_t> labels,
                                                   const VariationalSettings& settings, const Context& context = {});
// In constant memory: the stream is run through for each step, those of k-means before included.
Result<VariationalMixture> fit_variational_mixture(Stream& stream, const Schema& schema,
                                                   const VariationalSettings& settings, const Context& context = {});

}  // namespace suffice
