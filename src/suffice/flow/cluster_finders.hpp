// What `cluster` looks for groups with, once its files are open: the fit, and how to put a block of rows into groups.
#pragma once
#include <functional>

#include "suffice/flow/cluster.hpp"
#include "suffice/group/group_step.hpp"

namespace suffice {

// The groups of a block: codes, and shares where they exist and are asked for.
struct BlockGroups {
    std::vector<std::int32_t> code;
    Matrix share = {};
};

struct FoundGroups {
    Clustered told;
    std::function<Result<BlockGroups>(const LabeledBlock&)> assign;
    std::optional<ModelState> state = {};  // of mixtures, and of k-means where it is saved
};

// A line for each row, the skipped ones left empty: `skipped` tells before which rows of the block ragged ones stood.
std::string group_header(std::size_t groups, bool posteriors);
std::string group_lines(const BlockGroups& groups, std::span<const std::uint32_t> skipped);

// The heaviest component first. Names stay "0", "1" and on.
Result<Classifier> heaviest_first(const Classifier& model);
// A mixture of either kind, its components numbered from the heaviest.
Result<MixtureChoice> fit_components(const ClusterOptions& options, const Schema& schema, Stream& stream,
                                     const Context& context);
Result<BlockGroups> component_groups(const Classifier& model, const LabeledBlock& block, bool posteriors,
                                     double* log_evidence = nullptr);
// The model that is saved: whoever reads it knows that it is no sum of its rows.
Result<Model> mixture_model(ModelState state, double rows, const std::vector<std::string>& files);

// The schema has columns of numbers only, except for ClusterOptions::model "mixture".
Result<FoundGroups> find_means(const ClusterOptions& options, const Schema& schema, Stream& stream,
                               const Context& context);
Result<FoundGroups> find_components(const ClusterOptions& options, const Schema& schema, Stream& stream,
                                    const Context& context);
Result<FoundGroups> find_variational(const ClusterOptions& options, const Schema& schema, Stream& stream,
                                     const Context& context);
// Holds the rows in memory.
Result<FoundGroups> find_centres(const ClusterOptions& options, const Schema& schema, Stream& stream,
                                 const Context& context);
// By the one of these that the options ask for; the heaviest group is the first.
Result<FoundGroups> find_groups(const ClusterOptions& options, const Schema& schema, Stream& stream,
                                const Context& context);
// Reads the rows once, and puts each into the group that the rows before its batch make most probable.
Result<Clustered> cluster_online(OpenedData& opened, const ClusterOptions& options, const TextSink& sink,
                                 const Context& context);

}  // namespace suffice
