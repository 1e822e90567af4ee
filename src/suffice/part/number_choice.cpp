// Weighs families against each other.
#include "suffice/part/number_choice.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "suffice/math/special.hpp"
#include "suffice/part/number_statistics.hpp"

namespace suffice {
namespace {

constexpr double nothing = -std::numeric_limits<double>::infinity();

// What the values are like.
struct Shape {
    double rows = 0, low = 0, high = 0, step = 0, positive = 0, unit = 0;
    bool whole = false, narrow = false;  // narrow: in some class the values vary by less than the step

    explicit Shape(const NumberCounts& counts) : rows(counts.weight()) {
        if (counts.start.empty()) return;
        low = counts.start.front();
        high = counts.start.back() + counts.width;
        whole = counts.fraction_weight == 0;
        step = whole ? 1 : std::numeric_limits<double>::infinity();
        if (counts.is_binned()) {
            step = 0;  // densities, all of them
        } else if (!whole) {
            for (std::size_t at = 1; at < counts.start.size(); ++at)
                step = std::min(step, counts.start[at] - counts.start[at - 1]);
            if (std::isinf(step)) step = 1;
        }
        for (std::size_t c = 0; c < counts.class_count; ++c) {
            const NumberSums sums = counts.sums_of(c);
            positive += sums.logs.total_weight;
            unit += sums.unit_weight;
            narrow |= !counts.is_binned() && sums.plain.total_weight > 1 &&
                      sums.plain.scatter < sums.plain.total_weight * step * step;
        }
    }
};

// Log evidence of one family; `widened` adds what rounding to the grid does to the variance.
template <class F>
double evidence_of(const NumberCounts& counts, double widened = 0) {
    std::vector<typename F::Statistic> of_class;
    typename F::Statistic whole = F{}.empty();
    for (std::size_t c = 0; c < counts.class_count; ++c) {
        of_class.push_back(statistic_of<F>(counts, c));
        if constexpr (std::same_as<F, Gaussian>) of_class.back().scatter += of_class.back().total_weight * widened;
        whole.merge(of_class.back());
    }
    if (!(whole.weight() > 0)) return nothing;
    auto row = whole;
    row.scale(1 / whole.weight());
    double sum = 0;
    for (const auto& own : of_class) {
        if (!(own.weight() > 0)) continue;
        auto more = own;
        more.merge(row);
        const auto parameter = F{}.most_likely(more);
        if (!parameter || !F{}.valid(*parameter)) return nothing;
        sum += F{}.log_likelihood(*parameter, own) -
               0.5 * static_cast<double>(F{}.parameter_count()) * std::log1p(own.weight());
    }
    return std::isfinite(sum) ? sum : nothing;
}

// Of counts in cells under a Dirichlet of `a` each, class by class.
double table_evidence(const NumberCounts& counts, double a) {
    const double cells = static_cast<double>(counts.start.size());
    double sum = 0;
    for (std::size_t c = 0; c < counts.class_count; ++c) {
        double rows = 0;
        for (std::size_t at = 0; at < counts.start.size(); ++at) {
            const double w = counts.weight_at(at, c);
            rows += w;
            sum += log_gamma(w + a) - log_gamma(a);
        }
        sum += log_gamma(cells * a) - log_gamma(rows + cells * a);
    }
    return sum;
}

// Which points of the grid are levels had to be learned too: one of so many choices.
double log_ways(const Shape& shape, std::size_t levels) {
    const double taken = static_cast<double>(levels);
    const double all = std::max(std::round((shape.high - shape.low) / shape.step) + 1, taken);
    return log_gamma(all + 1) - log_gamma(taken + 1) - log_gamma(all - taken + 1);
}

double zero_evidence(const NumberCounts& counts) {
    double sum = evidence_of<LogNormal>(counts);
    for (std::size_t c = 0; c < counts.class_count; ++c) {
        const NumberSums sums = counts.sums_of(c);
        const double others = sums.logs.total_weight, zeros = sums.plain.total_weight - others;
        sum += log_gamma(zeros + 1) + log_gamma(others + 1) - log_gamma(zeros + others + 2);
    }
    return sum;
}

class FamilyContest {
public:
    explicit FamilyContest(double prior) : prior_(prior) {}
    void enter(std::string_view family, double evidence, NumberCounts bins = {}) {
        entries_.push_back({std::string(family), std::isnan(evidence) ? nothing : evidence, std::move(bins)});
    }
    // Bins of halving number, the best of them.
    void enter_histogram(NumberCounts bins, const Shape& shape) {
        FamilyEvidence best{"histogram", nothing, {}};
        for (; bins.is_binned() && bins.start.size() >= 4 && std::isfinite(bins.width); bins = bins.coarser()) {
            const double evidence =
                table_evidence(bins, prior_) + shape.rows * std::log((shape.step > 0 ? shape.step : 1) / bins.width);
            if (evidence > best.evidence && bins.width >= shape.step) best = {best.family, evidence, bins};
        }
        if (best.evidence > nothing) entries_.push_back(std::move(best));
    }
    // The best first; but the Gaussian, where no other is clearly better, or none can have such numbers.
    std::vector<FamilyEvidence> ranking() {
        if (entries_.empty()) return {{"gaussian", nothing, {}}};
        std::ranges::stable_sort(entries_, std::greater{}, &FamilyEvidence::evidence);
        const auto plain = std::ranges::find(entries_, "gaussian", &FamilyEvidence::family);
        if (plain != entries_.end() && entries_.front().evidence - plain->evidence < very_strong)
            std::rotate(entries_.begin(), plain, plain + 1);
        return std::move(entries_);
    }

private:
    double prior_;
    std::vector<FamilyEvidence> entries_;
};

// Has no class a number that the family cannot have?
template <class F>
bool supports_all(const NumberCounts& counts, const Shape& shape) {
    double rows = 0;
    for (std::size_t c = 0; c < counts.class_count; ++c) rows += statistic_of<F>(counts, c).weight();
    return rows >= shape.rows * (1 - 1e-12);
}

}  // namespace

std::vector<FamilyEvidence> weigh_families(const NumberCounts& counts, double smoothing,
                                           const std::vector<std::string>& among) {
    const Shape shape(counts);
    if (counts.start.empty()) return {{"gaussian", 0, {}}};
    const bool exact = !counts.is_binned();
    if (exact && shape.low >= 0 && shape.high <= 1 && shape.whole) return {{"bernoulli", 0, {}}};
    const double prior = smoothing > 0 ? smoothing : 0.5, density = exact ? shape.rows * std::log(shape.step) : 0;
    FamilyContest contest(prior);
    for_each_shapeless_family([&]<class F>() {
        if (std::ranges::find(among, F::name) == among.end() || !supports_all<F>(counts, shape)) return;
        if constexpr (std::same_as<F, Gaussian>)
            contest.enter(F::name, evidence_of<F>(counts, exact ? shape.step * shape.step / 12 : 0) + density);
        else if constexpr (gives_probabilities<F>)
            contest.enter(F::name, evidence_of<F>(counts));
        else if (!shape.narrow && (shape.positive >= shape.rows || F{}.supports(-1)))  // no density has a heap at zero
            contest.enter(F::name, evidence_of<F>(counts) + density);
    });
    // Codes come again and again; heaped measurements have nearly as many values as rows.
    constexpr double least_rows_a_level = 5;
    if (exact && shape.rows >= least_rows_a_level * static_cast<double>(counts.start.size()))
        contest.enter("categorical", table_evidence(counts, prior) - log_ways(shape, counts.start.size()));
    if (!shape.narrow && shape.low >= 0 && shape.positive < shape.rows)
        contest.enter("zero_inflated", zero_evidence(counts) + (exact ? shape.positive * std::log(shape.step) : 0));
    contest.enter_histogram(counts.binned(counts.limit), shape);
    return contest.ranking();
}

NumberChoice choose_family(const NumberCounts& counts, double smoothing, const std::vector<std::string>& among) {
    auto ranking = weigh_families(counts, smoothing, among);
    NumberChoice chosen{.family = ranking.front().family, .bins = std::move(ranking.front().bins)};
    if (ranking.size() > 1 && ranking[1].evidence > nothing) {
        chosen.next = ranking[1].family;
        chosen.gain = ranking[0].evidence - ranking[1].evidence;
    }
    return chosen;
}

std::vector<std::string> families_to_choose() {
    std::vector<std::string> names;
    for_each_shapeless_family([&]<class F>() { names.emplace_back(F::name); });
    return names;
}

}  // namespace suffice
