// Reliability bins and what is computed from them.
#include "suffice/evaluate/reliability.hpp"

#include <algorithm>
#include <cmath>

namespace suffice {

namespace {

std::size_t bin_of(double share) {
    const double position = share * static_cast<double>(reliability_bin_count);
    return std::min(reliability_bin_count - 1, static_cast<std::size_t>(std::max(position, 0.0)));
}

void add(ReliabilityBin& bin, double score, bool positive, double weight) {
    bin.weight += weight;
    bin.score_sum += weight * score;
    if (positive) bin.positive_weight += weight;
}

}  // namespace

void ReliabilityBins::observe(double score, bool positive, double weight) {
    add(bins_[bin_of(score)], score, positive, weight);
}

void ReliabilityBins::merge(const ReliabilityBins& from) {
    for (std::size_t each = 0; each < bins_.size(); ++each) {
        bins_[each].weight += from.bins_[each].weight;
        bins_[each].score_sum += from.bins_[each].score_sum;
        bins_[each].positive_weight += from.bins_[each].positive_weight;
    }
}

std::vector<ReliabilityBin> equal_mass_bins(std::span<const ScoredWeight> scored, std::int32_t positive) {
    std::vector<ReliabilityBin> bins(reliability_bin_count);
    double all = 0, above = 0;
    for (const ScoredWeight& row : scored) all += row.weight;
    for (std::size_t first = 0, next = 0; first < scored.size(); first = next) {
        double group = 0;
        for (; next < scored.size() && scored[next].score == scored[first].score; ++next) group += scored[next].weight;
        ReliabilityBin& bin = bins[bin_of(1 - (above + group / 2) / all)];
        for (std::size_t row = first; row < next; ++row) {
            add(bin, scored[row].score, scored[row].truth == positive, scored[row].weight);
        }
        above += group;
    }
    return bins;
}

Defined calibration_error(std::span<const ReliabilityBin> bins) {
    double sum = 0, weight = 0;
    for (const ReliabilityBin& bin : bins) {
        sum += std::abs(bin.score_sum - bin.positive_weight);
        weight += bin.weight;
    }
    return weight > 0 ? Defined(sum / weight) : std::nullopt;
}

BrierParts brier_parts(std::span<const ReliabilityBins> per_class, double brier, double scale) {
    BrierParts parts;
    for (const ReliabilityBins& statistic : per_class) {
        double weight = 0, positive = 0;
        for (const ReliabilityBin& bin : statistic.bins()) {
            weight += bin.weight;
            positive += bin.positive_weight;
        }
        const double rate = positive / weight;
        for (const ReliabilityBin& bin : statistic.bins()) {
            if (!(bin.weight > 0)) continue;
            const double share = scale * bin.weight / weight;
            parts.reliability += share * std::pow(bin.mean_score() - bin.frequency(), 2);
            parts.resolution += share * std::pow(bin.frequency() - rate, 2);
        }
        parts.uncertainty += scale * rate * (1 - rate);
    }
    parts.within_bins = brier - (parts.reliability - parts.resolution + parts.uncertainty);
    return parts;
}

void ReliabilityBins::write(FieldSink& sink, std::string_view name) const {
    write_value(sink, name, std::vector<ReliabilityBin>(bins_.begin(), bins_.end()));
}

void ReliabilityBins::read(FieldSource& source) {
    std::vector<ReliabilityBin> bins;
    read_value(source, bins);
    if (bins.size() != bins_.size()) return source.fail();
    std::ranges::copy(bins, bins_.begin());
}

}  // namespace suffice
