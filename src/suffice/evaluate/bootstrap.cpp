// A replicate is an evaluation of the kept rows with resampled weights.
#include "suffice/evaluate/bootstrap.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "suffice/math/sampling.hpp"

namespace suffice {

namespace {

// Linear between order statistics, as numpy.quantile.
double quantile(std::span<const double> sorted, double share) {
    const double position = share * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(position);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + (position - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

// What each row counts for in one replicate.
void draw_rows(const ScoreStore& store, Rng& rng, std::span<double> weights) {
    std::ranges::fill(weights, 0.0);
    for (std::size_t draw = 0; draw < weights.size(); ++draw) {
        const std::size_t row = rng.below(weights.size());
        weights[row] += store.weight(row);
    }
}

// The same where a row stands for as many as it weighs: a multinomial draw, one binomial of what is left after another.
void draw_counted_rows(const ScoreStore& store, Rng& rng, std::span<double> weights) {
    double left = 0;
    for (std::size_t row = 0; row < weights.size(); ++row) left += store.weight(row);
    const double draws = std::max(1.0, std::round(left)), each = left / draws;
    double draws_left = draws;
    for (std::size_t row = 0; row < weights.size(); ++row) {
        const double own = store.weight(row);
        const double drawn = own < left ? sample_binomial(draws_left, own / left, rng) : draws_left;
        weights[row] = drawn * each;
        draws_left -= drawn;
        left = std::max(left - own, 0.0);
    }
}

bool weighs_rows_alike(const ScoreStore& store) {
    for (std::size_t row = 1; row < store.row_count(); ++row)
        if (store.weight(row) != store.weight(0)) return false;
    return store.weight(0) == 1;
}

}  // namespace

Result<std::vector<std::optional<Interval>>> bootstrap_intervals(const Evaluation& evaluation,
                                                                 std::span<const Measure> measures, const Rng& rng,
                                                                 const BootstrapSettings& settings) {
    const ScoreStore& store = evaluation.store();
    if (!store.exact()) {
        return Error(
            "The bootstrap needs the evaluated rows, but there were too many to keep; with so many the Wilson interval "
            "of the error serves as well.");
    }
    const std::size_t rows = store.row_count(), classes = evaluation.class_count();
    if (rows == 0) return Error("The bootstrap needs at least one row whose label is known.");
    if (!(settings.level > 0 && settings.level < 1)) {
        return Error(ErrorKind::usage,
                     "The confidence level is " + std::to_string(settings.level) + "; it must lie between 0 and 1.");
    }
    if (settings.replicates < 2) return Error(ErrorKind::usage, "The bootstrap needs at least two replicates.");

    std::vector<double> posteriors, weights(rows);
    std::vector<std::int32_t> truths;
    for (std::size_t row = 0; row < rows; ++row) {
        posteriors.insert(posteriors.end(), store.posteriors(row).begin(), store.posteriors(row).end());
        truths.push_back(store.truth(row));
    }
    const bool counted = settings.weights_are_counts && !weighs_rows_alike(store);
    std::vector<std::vector<double>> drawn(measures.size());
    for (std::size_t replicate = 0; replicate < settings.replicates; ++replicate) {
        Rng own = rng.fork(replicate);
        if (counted)
            draw_counted_rows(store, own, weights);
        else
            draw_rows(store, own, weights);
        auto resampled = Evaluation::make(classes, rows * classes);
        if (!resampled) return resampled.error();
        if (auto seen = resampled->observe({posteriors, classes, truths, weights}); !seen) return seen.error();
        const Scores scores = resampled->scores(settings.curves);
        for (std::size_t each = 0; each < measures.size(); ++each) {
            if (const Defined value = measures[each](scores)) drawn[each].push_back(*value);
        }
    }
    std::vector<std::optional<Interval>> intervals(measures.size());
    for (std::size_t each = 0; each < measures.size(); ++each) {
        if (2 * drawn[each].size() <= settings.replicates) continue;
        std::sort(drawn[each].begin(), drawn[each].end());
        intervals[each] =
            Interval{quantile(drawn[each], (1 - settings.level) / 2), quantile(drawn[each], (1 + settings.level) / 2)};
    }
    return intervals;
}

}  // namespace suffice
