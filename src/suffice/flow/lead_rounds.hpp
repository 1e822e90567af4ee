// Fits and comparisons by repeated passes over rows that lie in parts: whoever leads asks each part for one round after
// the other (data/rounds.hpp says how that works).
#pragma once
#include <optional>

#include "suffice/flow/cluster.hpp"
#include "suffice/flow/compare.hpp"
#include "suffice/flow/parts.hpp"

namespace suffice {

// All that the leader and every part must know alike.
struct RoundsJob {
    FitOptions options;                          // of a plan (plan_parts)
    ModelFile blank;                             // likewise
    std::optional<ClusterOptions> groups = {};   // gaussian_mixture, mixture or k_means instead of classes
    std::optional<CompareOptions> compare = {};  // models are compared, by their own options:
    FitOptions compared = {};
};

using RoundsLog = std::vector<std::string>;

// What a part adds to the round that follows the log. first_row: how many rows the parts before it have, so that draws
// by row numbers are those of all rows in one place.
Result<std::string> take_round(const RoundsJob& job, const RoundsLog& log, std::unique_ptr<TableReader> rows,
                               std::uint64_t first_row, const Context& context = {});

struct RoundDone {
    RoundsLog added;                          // goes behind the log
    std::optional<Model> model = {};          // the fit has ended
    std::optional<Clustered> clustered = {};  // likewise, of groups
    std::optional<ComparedFiles> compared = {};
};
// parts: what each part added, in their order; none: the fit begins.
Result<RoundDone> lead_round(const RoundsJob& job, const RoundsLog& log, const std::vector<std::string>& parts,
                             const Context& context = {});

}  // namespace suffice
