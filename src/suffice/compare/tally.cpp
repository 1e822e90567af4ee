// Sums tallies up.
#include "suffice/compare/tally.hpp"

#include <algorithm>
#include <cmath>

#include "suffice/family/gaussian.hpp"
#include "suffice/family/sums.hpp"

namespace suffice {
namespace {

// The standard error of a mean over folds.
template <class Value>
double standard_error(std::span<const Tally> folds, Value value) {
    Gaussian::Statistic seen;
    for (const auto& fold : folds)
        if (fold.weight > 0) seen.merge({1, value(fold), 0});
    const double count = seen.total_weight;
    return count < 2 ? 0 : std::sqrt(seen.scatter / (count - 1) / count);
}

// Two names of one model differ by rounding only, and differently on each processor: they stay in the order they came
// in.
double without_last_digits(double loss) {
    if (!std::isfinite(loss) || loss == 0) return loss;
    const double step = std::exp2(std::ilogb(loss) - 32);
    return std::round(loss / step) * step;
}

}  // namespace

void summarize(std::span<const Tally> folds, Compared& into) {
    Tally all;
    for (const auto& fold : folds) add_sums(all, fold);
    into.accuracy = all.correct / all.weight;
    into.log_loss = all.loss / all.weight;
    into.accuracy_error = standard_error(folds, [](const Tally& t) { return t.correct / t.weight; });
    into.log_loss_error = standard_error(folds, [](const Tally& t) { return t.loss / t.weight; });
    into.seconds += all.seconds;
}

void differ_from_best(std::vector<Compared>& compared, const std::vector<std::vector<Tally>>& tallies) {
    std::size_t best = compared.size();
    for (std::size_t m = 0; m < compared.size(); ++m)
        if (!compared[m].failed() && (best == compared.size() || without_last_digits(compared[m].log_loss) <
                                                                     without_last_digits(compared[best].log_loss)))
            best = m;
    for (std::size_t m = 0; m < compared.size(); ++m) {
        if (compared[m].failed()) continue;
        for (const Tally& fold : tallies[m])
            if (fold.weight > 0) compared[m].fold_log_loss.push_back(fold.loss / fold.weight);
        compared[m].difference = compared[m].log_loss - compared[best].log_loss;
        std::vector<Tally> paired = tallies[m];
        for (std::size_t f = 0; f < paired.size(); ++f) paired[f].loss -= tallies[best][f].loss;
        compared[m].difference_error = standard_error(paired, [](const Tally& t) { return t.loss / t.weight; });
    }
}

void best_first(std::vector<Compared>& compared) {
    std::ranges::stable_sort(compared, [](const Compared& a, const Compared& b) {
        if (!a.failed() != !b.failed()) return !a.failed();
        return without_last_digits(a.log_loss) < without_last_digits(b.log_loss);
    });
}

}  // namespace suffice
