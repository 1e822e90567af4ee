// Interpolated Witten-Bell and modified Kneser-Ney from n-gram counts.
#include "suffice/estimate/ngram_model.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

namespace suffice {
namespace {

struct Counted {
    NgramTable grams;
    std::vector<double> count;

    void add(std::span<const std::uint32_t> codes, double more) {
        const std::uint32_t number = grams.add(codes);
        if (number == count.size()) count.push_back(0);
        count[number] += more;
    }
};

// Counts of every order, by length. Below the highest, Witten-Bell sums the longer n-grams and Kneser-Ney counts them
// once each; n-grams that start a document have no longer ones and keep their own counts.
std::vector<Counted> count_by_length(const NgramCounts& counts, NgramSmoothing smoothing) {
    std::vector<Counted> by_length;
    for (std::size_t length = 1; length <= counts.order(); ++length) by_length.push_back({NgramTable(length), {}});
    counts.for_each(
        [&](std::span<const std::uint32_t> codes, double count) { by_length[codes.size() - 1].add(codes, count); });
    for (std::size_t length = counts.order() - 1; length > 0; --length) {
        const Counted& longer = by_length[length];
        for (std::size_t k = 0; k < longer.grams.size(); ++k)
            by_length[length - 1].add(longer.grams[k].subspan(1),
                                      smoothing == NgramSmoothing::kneser_ney ? 1 : longer.count[k]);
    }
    return by_length;
}

// D(1), D(2), D(3 and more) of one order; fixed ones where the counts of counts give none (tiny or artificial texts).
std::array<double, 4> discounts(std::span<const double> counts) {
    std::array<double, 5> with_count = {};
    for (const double count : counts)
        if (count >= 1 && count <= 4) with_count[static_cast<std::size_t>(count)] += 1;
    std::array<double, 4> discount = {};
    const double y = with_count[1] / (with_count[1] + 2 * with_count[2]);
    for (std::size_t k = 1; k <= 3; ++k) {
        const auto whole = static_cast<double>(k);
        discount[k] = whole - (whole + 1) * y * with_count[k + 1] / with_count[k];
        if (!(discount[k] >= 0 && discount[k] <= whole) || with_count[k + 1] == 0) return {0, 0.5, 1, 1.5};
    }
    return discount;
}

}  // namespace

Result<NgramModel> NgramModel::estimate(const NgramCounts& counts, std::size_t vocabulary_size,
                                        NgramSmoothing smoothing) {
    bool whole = true, positive = true;
    counts.for_each([&](std::span<const std::uint32_t>, double count) {
        whole = whole && count == std::floor(count);
        positive = positive && count > 0;
    });
    if (!positive) return Error("an n-gram count is negative: more was removed than had been observed.");
    if (smoothing == NgramSmoothing::kneser_ney && !whole)
        return Error(ErrorKind::usage,
                     "Kneser-Ney smoothing needs whole counts, and these are weighted or decayed; use witten_bell.");

    NgramModel model;
    model.vocabulary_size_ = vocabulary_size;
    for (Counted& counted : count_by_length(counts, smoothing)) {
        const std::size_t length = counted.grams.length();
        const std::array<double, 4> discount = discounts(counted.count);
        const auto taken = [&](double count) {  // from one count, for the order below
            return smoothing == NgramSmoothing::kneser_ney ? discount[static_cast<std::size_t>(std::min(count, 3.0))]
                                                           : 1;
        };
        Level level{NgramTable(length - 1), {}, std::move(counted.grams), std::move(counted.count)};
        std::vector<double> total;
        std::vector<std::uint32_t> history_of(level.grams.size());
        for (std::size_t k = 0; k < level.grams.size(); ++k) {
            const std::uint32_t history = history_of[k] = level.histories.add(level.grams[k].first(length - 1));
            if (history == total.size()) total.push_back(0), level.gamma.push_back(0);
            total[history] += level.alpha[k];
            level.gamma[history] += taken(level.alpha[k]);
        }
        for (std::size_t k = 0; k < level.grams.size(); ++k) {
            const double all = total[history_of[k]];
            if (smoothing == NgramSmoothing::kneser_ney)
                level.alpha[k] = (level.alpha[k] - taken(level.alpha[k])) / all;
            else
                level.alpha[k] /= all + level.gamma[history_of[k]];
        }
        for (std::size_t k = 0; k < total.size(); ++k)
            level.gamma[k] /= smoothing == NgramSmoothing::kneser_ney ? total[k] : total[k] + level.gamma[k];
        model.levels_.push_back(std::move(level));
    }
    return model;
}

double NgramModel::probability(std::span<const std::uint32_t> history, std::uint32_t word) const {
    double probability = 1 / static_cast<double>(outcome_count());
    std::array<std::uint32_t, NgramCounts::largest_order> gram;
    for (std::size_t length = 0; length < levels_.size() && length <= history.size(); ++length) {
        const Level& level = levels_[length];
        std::copy(history.end() - static_cast<std::ptrdiff_t>(length), history.end(), gram.begin());
        gram[length] = word;
        const std::uint32_t seen = level.histories.find(std::span(gram.data(), length));
        if (seen == NgramTable::none) break;  // then no longer history was seen either
        const std::uint32_t number = level.grams.find(std::span(gram.data(), length + 1));
        probability = level.gamma[seen] * probability + (number == NgramTable::none ? 0 : level.alpha[number]);
    }
    return probability;
}

std::vector<double> NgramModel::distribution(std::span<const std::uint32_t> history) const {
    std::vector<double> probabilities(outcome_count());
    for (std::size_t code = 0; code < vocabulary_size_; ++code)
        probabilities[code] = probability(history, static_cast<std::uint32_t>(code));
    probabilities[vocabulary_size_] = probability(history, NgramCounts::end);
    probabilities[vocabulary_size_ + 1] = probability(history, NgramCounts::unknown);
    return probabilities;
}

double NgramModel::log_probability(std::span<const std::uint32_t> codes) const {
    std::vector<std::uint32_t> text = {NgramCounts::begin};
    text.insert(text.end(), codes.begin(), codes.end());
    text.push_back(NgramCounts::end);
    double sum = 0;
    for (std::size_t k = 1; k < text.size(); ++k) {
        const std::size_t first = k > order() ? k - order() : 0;  // one more than is needed does no harm
        sum += std::log(probability(std::span(text).subspan(first, k - first), text[k]));
    }
    return sum;
}

}  // namespace suffice
