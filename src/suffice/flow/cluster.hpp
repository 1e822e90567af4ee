// Rows of files put into groups that nobody has named: by a mixture, or by k-means.
#pragma once
#include "suffice/flow/predict.hpp"
#include "suffice/group/centre_clusters.hpp"
#include "suffice/group/gaussian_mixture.hpp"
#include "suffice/group/online_mixture.hpp"

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
    std::size_t starts = 0;                                            // 0: the model's own
    std::vector<std::int32_t> start = {};  // the group that each row begins in, instead of starts looked for
    std::size_t step_limit = 0;            // 0: the model's own
    std::optional<double> tolerance = {};  // likewise
    bool follow = false;                   // the groups at each step are told
    bool posteriors = false;               // p(GROUP) of every group
    // Of mixtures: the rows are read once, in batches, and put into groups as they come: stepwise EM.
    std::optional<OnlineSteps> online = {};
    bool saved = false;  // the model is wanted; that of a mixture will learn from more rows, which may have holes
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
    std::string covariance = {};                    // the structure of Gaussian components, by the name asked for
    std::size_t steps = 0;
    // The objective before each step and after the last, where it is told; numbered from first_step.
    std::vector<double> path = {};
    std::size_t first_step = 0;
    std::vector<GroupStep> followed = {};  // the groups then, where asked for
    Schema schema = {};                    // of the columns
    Matrix centres = {};                   // of k_means
    std::optional<Model> model = {};  // of mixtures, and of k-means where asked for: to be saved and predicted with
    std::vector<Note> notes = {};
};

// Names that `model` may have, canonical and alias.
Result<std::string> cluster_model(std::string_view name);

// The groups that rows begin in, as `cluster` writes them: a line per row behind the header cluster.
Result<std::vector<std::int32_t>> read_start(const std::string& path);

// The groups of rows in memory, or of files whose rows are few.
struct GroupedRows {
    Clustered found;
    std::vector<std::int32_t> group = {};  // of each row that is read
    Matrix posteriors = {};                // where the options ask for them
};
Result<GroupedRows> cluster(const Data& data, const ClusterOptions& options, const Context& context = {});

// CSV with the header cluster, a line per row in order. Groups are numbered from 0, the heaviest first.
Result<Clustered> cluster(const Data& data, const ClusterOptions& options, const TextSink& sink,
                          const Context& context = {});

}  // namespace suffice
