// What `cluster` looks for groups with, once its files are open: the fit, and how to put a block of rows into groups.
#pragma once
#include <functional>

#include "suffice/flow/cluster.hpp"

namespace suffice {

// The groups of a block: codes, and shares where they exist and are asked for.
struct BlockGroups {
    std::vector<std::int32_t> code;
    Matrix share = {};
};

struct FoundGroups {
    Clustered told;
    std::function<Result<BlockGroups>(const LabeledBlock&)> assign;
};

// The schema has columns of numbers only, except for ClusterOptions::model "mixture".
Result<FoundGroups> find_means(const ClusterOptions& options, const Schema& schema, Stream& stream,
                               const Context& context);
Result<FoundGroups> find_components(const ClusterOptions& options, const Schema& schema, Stream& stream,
                                    const Context& context);
// These hold the rows in memory.
Result<FoundGroups> find_centres(const ClusterOptions& options, const Schema& schema, Stream& stream,
                                 const Context& context);
Result<FoundGroups> find_variational(const ClusterOptions& options, const Schema& schema, Stream& stream,
                                     const Context& context);

}  // namespace suffice
