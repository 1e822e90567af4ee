// Rows of files put into groups that nobody has named: by a mixture, or by k-means.
#pragma once
#include "suffice/flow/predict.hpp"
#include "suffice/model/centre_clusters.hpp"
#include "suffice/model/gaussian_mixture.hpp"
#include "suffice/model/online_mixture.hpp"

namespace suffice {

struct ClusterOptions {
    FitOptions fit = {};  // columns and reading
    std::string model = "gaussian_mixture";
    std::size_t least = 2, most = 2;  // how many groups; more than one number: the choice is by BIC
    std::vector<ComponentShape> shapes = {ComponentShape::full};       // several: the choice is by BIC
    std::optional<ClusterDistance> distance = {};                      // of k_means; not given: squared Euclidean
    bool hard = false;                                                 // classification EM
    bool with_prior = false;                                           // gaussian_mixture by MAP
    std::optional<double> prior_mean_weight = {}, prior_degrees = {};  // of that prior, in place of its own
    std::size_t starts = 1;
    std::size_t step_limit = 0;            // 0: the model's own
    std::optional<double> tolerance = {};  // likewise
    bool posteriors = false;               // p(GROUP) of every group
    // Of mixtures: the rows are read once, in batches, and put into groups as they come: stepwise EM.
    std::optional<OnlineSteps> online = {};
    bool saved = false;  // of mixtures: the model will learn from more rows, which may have holes
};

// What was found, for people.
struct Clustered {
    std::size_t groups = 0;
    std::vector<double> weight = {};  // of each group
    double objective = 0;
    std::string objective_name = {};  // such as log-likelihood or inertia
    bool has_likelihood = false;
    double bic = 0, aic = 0, icl = 0;               // where there is a likelihood
    std::vector<MixtureCandidate> candidates = {};  // what BIC chose from
    std::size_t steps = 0;
    std::optional<Model> model = {};  // of mixtures: to be saved, predicted with and updated
    std::vector<std::string> notes = {};
};

// Names that `model` may have, canonical and alias.
Result<std::string> cluster_model(std::string_view name);

// CSV with the header cluster, a line per row in order. Groups are numbered from 0, the heaviest first.
Result<Clustered> cluster(const std::vector<std::string>& files, const ClusterOptions& options, const TextSink& sink,
                          const Context& context = {});

}  // namespace suffice
