// Sums tallies up.
#include "suffice/compare/tally.hpp"

#include <algorithm>
#include <cmath>

#include "suffice/family/sums.hpp"

namespace suffice {
namespace {

// The standard error of a mean over folds.
template <class Value>
double standard_error(std::span<const Tally> folds, Value value) {
    double sum = 0, squares = 0, count = 0;
    for (const auto& fold : folds)
        if (fold.weight > 0) {
            const double x = value(fold);
            sum += x;
            squares += x * x;
            ++count;
        }
    if (count < 2) return 0;
    return std::sqrt(std::max(squares - sum * sum / count, 0.0) / (count - 1) / count);
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

void best_first(std::vector<Compared>& compared) {
    std::ranges::stable_sort(compared, [](const Compared& a, const Compared& b) {
        if (a.failure.empty() != b.failure.empty()) return a.failure.empty();
        return a.log_loss < b.log_loss;
    });
}

}  // namespace suffice
