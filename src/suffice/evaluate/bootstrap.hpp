// Percentile intervals of any measure by resampling the evaluated rows (Efron 1979).
#pragma once
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "suffice/base/random.hpp"
#include "suffice/base/result.hpp"
#include "suffice/evaluate/evaluation.hpp"

namespace suffice {

using Measure = std::function<Defined(const Scores&)>;

struct BootstrapSettings {
    std::size_t replicates = 1000;
    double level = 0.95;
    Evaluation::Curves curves = Evaluation::Curves::areas;  // without: quicker, for measures that need no sorting
    bool weights_are_counts = true;  // a row of weight two is drawn as two rows are; else as one that counts twice
};

// One interval per measure; empty where the measure is undefined in half of the replicates or more. A replicate has as
// many rows as there are (where weights are counts: as they add up to), judged by their most probable class. Replicate
// r draws from rng.fork(r). Refuses once rows are binned.
Result<std::vector<std::optional<Interval>>> bootstrap_intervals(const Evaluation& evaluation,
                                                                 std::span<const Measure> measures, const Rng& rng,
                                                                 const BootstrapSettings& settings = {});

}  // namespace suffice
