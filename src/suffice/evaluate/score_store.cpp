// Keeping, binning, merging and sorting of scores.
#include "suffice/evaluate/score_store.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>

#include "suffice/evaluate/posterior_rows.hpp"

namespace suffice {

namespace {

// The exponent fields of a double: 2^-64, 2^-53, and 0.5, which is the first not below one half.
constexpr std::size_t fine_field = 1023 - 64, smallest_high_field = 1023 - 53, half_field = 1022;

// Position of p in (0, 0.5] among bins with 2^bits to an octave from 2^-64 on.
std::size_t position(double p, unsigned bits) {
    const std::uint64_t word = std::bit_cast<std::uint64_t>(p);
    const std::size_t field = word >> 52;
    if (field < fine_field) return field;
    return fine_field + (word >> (52 - bits)) - (fine_field << bits);
}

// The middle of that bin: the edges are doubles with the low bits of the word zero.
double middle_of(std::size_t at, unsigned bits) {
    const auto edge = [bits](std::size_t index) {
        if (index <= fine_field) return std::bit_cast<double>(static_cast<std::uint64_t>(index) << 52);
        const std::uint64_t word = index - fine_field + (fine_field << bits);
        return std::bit_cast<double>(word << (52 - bits));
    };
    return edge(at) + (edge(at + 1) - edge(at)) / 2;
}

void sort_descending(std::vector<ScoredWeight>& scored) {
    std::sort(scored.begin(), scored.end(), [](const auto& a, const auto& b) { return a.score > b.score; });
}

void add_to_each(std::vector<double>& into, const std::vector<double>& from) {
    std::transform(into.begin(), into.end(), from.begin(), into.begin(), std::plus<>());
}

}  // namespace

PosteriorBins::PosteriorBins(std::size_t class_count)
    : fraction_bits_(class_count <= 8     ? 8
                     : class_count <= 256 ? 5
                                          : 2),
      low_(fine_field + ((half_field - fine_field) << fraction_bits_)),
      high_(((half_field - smallest_high_field) << fraction_bits_) + 1) {}

std::size_t PosteriorBins::bin_of(double posterior) const {
    if (posterior <= 0) return 0;
    if (posterior >= 1) return count() - 1;
    if (posterior < 0.5) return 1 + position(posterior, fraction_bits_);
    const std::size_t smallest = position(0x1p-53, fraction_bits_);
    return count() - 2 - (position(1 - posterior, fraction_bits_) - smallest);
}

double PosteriorBins::middle(std::size_t bin) const {
    if (bin == 0) return 0;
    if (bin == count() - 1) return 1;
    if (bin <= low_) return middle_of(bin - 1, fraction_bits_);
    const std::size_t from_one = count() - 2 - bin + position(0x1p-53, fraction_bits_);
    return from_one == low_ ? 0.5 : 1 - middle_of(from_one, fraction_bits_);
}

ScoreStore::ScoreStore(std::size_t class_count, std::size_t limit)
    : class_count_(class_count), limit_(limit), edges_(class_count) {}

void ScoreStore::observe(std::int32_t truth, std::span<const double> posteriors, double weight) {
    if (exact() && posteriors_.size() + class_count_ > limit_) turn_into_bins();
    if (!exact()) return bin(truth, posteriors, weight);
    truths_.push_back(truth);
    weights_.push_back(weight);
    posteriors_.insert(posteriors_.end(), posteriors.begin(), posteriors.end());
}

void ScoreStore::merge(const ScoreStore& from) {
    if (!from.exact()) {
        if (exact()) turn_into_bins();
        add_to_each(bins_, from.bins_);
        add_to_each(confidence_bins_, from.confidence_bins_);
        return;
    }
    if (&from == this) return merge(ScoreStore(from));
    if (!exact() || posteriors_.size() + from.posteriors_.size() > limit_) {
        if (exact()) turn_into_bins();
        for (std::size_t row = 0; row < from.row_count(); ++row) {
            bin(from.truths_[row], from.posteriors(row), from.weights_[row]);
        }
        return;
    }
    truths_.insert(truths_.end(), from.truths_.begin(), from.truths_.end());
    weights_.insert(weights_.end(), from.weights_.begin(), from.weights_.end());
    posteriors_.insert(posteriors_.end(), from.posteriors_.begin(), from.posteriors_.end());
}

void ScoreStore::turn_into_bins() {
    bins_.assign(class_count_ * side_count() * edges_.count(), 0.0);
    confidence_bins_.assign(2 * edges_.count(), 0.0);
    for (std::size_t row = 0; row < row_count(); ++row) bin(truths_[row], posteriors(row), weights_[row]);
    truths_ = {};
    weights_ = {};
    posteriors_ = {};
}

void ScoreStore::bin(std::int32_t truth, std::span<const double> posteriors, double weight) {
    for (std::size_t code = 0; code < class_count_; ++code) {
        const bool positive = static_cast<std::size_t>(truth) == code;
        const std::size_t side = by_truth() ? static_cast<std::size_t>(truth) : (positive ? 1 : 0);
        bins_[(code * side_count() + side) * edges_.count() + edges_.bin_of(posteriors[code])] += weight;
    }
    const std::size_t best = most_probable(posteriors);
    const std::size_t right = best == static_cast<std::size_t>(truth) ? 1 : 0;
    confidence_bins_[right * edges_.count() + edges_.bin_of(posteriors[best])] += weight;
}

std::vector<ScoredWeight> ScoreStore::by_class(std::size_t class_code) const {
    std::vector<ScoredWeight> scored;
    if (exact()) {
        scored.reserve(row_count());
        for (std::size_t row = 0; row < row_count(); ++row) {
            scored.push_back({posteriors(row)[class_code], weights_[row], truths_[row]});
        }
        sort_descending(scored);
        return scored;
    }
    for (std::size_t bin = edges_.count(); bin-- > 0;) {
        for (std::size_t side = 0; side < side_count(); ++side) {
            const double weight = bins_[(class_code * side_count() + side) * edges_.count() + bin];
            if (weight == 0) continue;
            const std::size_t truth = by_truth() ? side : class_code;
            scored.push_back(
                {edges_.middle(bin), weight, by_truth() || side == 1 ? static_cast<std::int32_t>(truth) : -1});
        }
    }
    return scored;
}

std::vector<ScoredWeight> ScoreStore::by_confidence() const {
    std::vector<ScoredWeight> scored;
    if (exact()) {
        scored.reserve(row_count());
        for (std::size_t row = 0; row < row_count(); ++row) {
            const std::size_t best = most_probable(posteriors(row));
            scored.push_back({posteriors(row)[best], weights_[row], best == static_cast<std::size_t>(truths_[row])});
        }
        sort_descending(scored);
        return scored;
    }
    for (std::size_t bin = edges_.count(); bin-- > 0;) {
        for (const std::int32_t right : {1, 0}) {
            const double weight = confidence_bins_[static_cast<std::size_t>(right) * edges_.count() + bin];
            if (weight != 0) scored.push_back({edges_.middle(bin), weight, right});
        }
    }
    return scored;
}

void ScoreStore::write(FieldSink& sink, std::string_view name) const {
    sink.open_record(name);
    sink.whole("class_count", class_count_);
    sink.whole("limit", limit_);
    sink.numbers("truths", std::vector<double>(truths_.begin(), truths_.end()));
    sink.numbers("weights", weights_);
    sink.numbers("posteriors", posteriors_);
    sink.numbers("bins", bins_);
    sink.numbers("confidence_bins", confidence_bins_);
    sink.close();
}

void ScoreStore::read(FieldSource& source) {
    source.open_record();
    const auto classes = static_cast<std::size_t>(source.whole()), limit = static_cast<std::size_t>(source.whole());
    *this = ScoreStore(std::min<std::size_t>(classes, 1 << 16), limit);
    for (const double truth : source.numbers()) truths_.push_back(static_cast<std::int32_t>(truth));
    weights_ = source.numbers();
    posteriors_ = source.numbers();
    bins_ = source.numbers();
    confidence_bins_ = source.numbers();
    if (weights_.size() != truths_.size() || posteriors_.size() != truths_.size() * class_count_) source.fail();
    const std::size_t cells = class_count_ * side_count() * edges_.count();
    if (!bins_.empty() && (bins_.size() != cells || confidence_bins_.size() != 2 * edges_.count())) source.fail();
    source.close_record();
}

}  // namespace suffice
