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
};

// One interval per measure; empty where the measure is undefined in half of the replicates or more. Rows are drawn with
// their weights and judged by their most probable class. Replicate r draws from rng.fork(r). Refuses once rows are
// binned.
Result<std::vector<std::optional<Interval>>> bootstrap_intervals(const Evaluation& evaluation,
                                                                 std::span<const Measure> measures, const Rng& rng,
                                                                 const BootstrapSettings& settings = {});

}  // namespace suffice
