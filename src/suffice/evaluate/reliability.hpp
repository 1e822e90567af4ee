// How well stated probabilities agree with observed frequencies: reliability bins, calibration error, parts of the
// Brier score.
#pragma once
#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "suffice/base/archive.hpp"
#include "suffice/evaluate/confusion.hpp"
#include "suffice/evaluate/score_store.hpp"

namespace suffice {

// Guo, Pleiss, Sun, Weinberger (2017) use 15, and so do most tools since.
inline constexpr std::size_t reliability_bin_count = 15;

struct ReliabilityBin {
    double weight = 0;
    double score_sum = 0;        // weighted sum of the stated probabilities
    double positive_weight = 0;  // weight of the rows where the event happened

    double mean_score() const { return score_sum / weight; }
    double frequency() const { return positive_weight / weight; }
    static constexpr auto fields =
        FieldTuple{field("weight", &ReliabilityBin::weight), field("score_sum", &ReliabilityBin::score_sum),
                   field("positive_weight", &ReliabilityBin::positive_weight)};
    bool operator==(const ReliabilityBin&) const = default;
};

// Bins of equal width on [0, 1]; one at or above 14/15 falls into the last. A mergeable statistic.
class ReliabilityBins {
public:
    void observe(double score, bool positive, double weight);
    void merge(const ReliabilityBins& from);
    std::span<const ReliabilityBin> bins() const { return bins_; }
    bool operator==(const ReliabilityBins&) const = default;
    void write(FieldSink& sink, std::string_view name) const;
    void read(FieldSource& source);

private:
    std::array<ReliabilityBin, reliability_bin_count> bins_{};
};

// Bins of equal weight: a group of equal scores goes whole into the bin that holds its middle. `scored` from high to
// low.
std::vector<ReliabilityBin> equal_mass_bins(std::span<const ScoredWeight> scored, std::int32_t positive);

// sum over bins of (share of rows) * |frequency - mean score|.
Defined calibration_error(std::span<const ReliabilityBin> bins);

// Murphy (1973) over bins: Brier = reliability - resolution + uncertainty + within_bins, the last being what binning
// hides.
struct BrierParts {
    double reliability = 0, resolution = 0, uncertainty = 0, within_bins = 0;
};
BrierParts brier_parts(std::span<const ReliabilityBins> per_class, double brier, double scale);

}  // namespace suffice
