// The EM loop over patterns of missing values.
#include "suffice/estimate/completion.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "suffice/estimate/completion_leaps.hpp"
#include "suffice/math/cholesky.hpp"

namespace suffice {
namespace {

constexpr double most_work = 1e8;  // of one estimate, in products: a fraction of a second
constexpr int fewest_completions = 30;

GaussianVector::Statistic of_class(const ClassScatterStatistic& all, std::size_t c) {
    return {all.class_weight[c],
            {all.mean_of(c).begin(), all.mean_of(c).end()},
            {all.scatter_of(c).begin(), all.scatter_of(c).end()}};
}

ClassScatterStatistic side_by_side(const Several<GaussianVector::Statistic>& by_class, std::size_t dimension) {
    ClassScatterStatistic all(by_class.size(), dimension, false);
    for (std::size_t c = 0; c < by_class.size(); ++c) {
        all.class_weight[c] = by_class[c].total_weight;
        std::ranges::copy(by_class[c].mean, all.mean.begin() + static_cast<std::ptrdiff_t>(c * dimension));
        std::ranges::copy(by_class[c].scatter,
                          all.scatter.begin() + static_cast<std::ptrdiff_t>(c * dimension * dimension));
    }
    return all;
}

// Where there are many patterns of many columns the steps are fewer, so that every fit ends soon: such likelihoods are
// often without a top, and the last digits do not matter to posteriors.
int steps_within(const Several<PatternStatistic>& incomplete, const ClassScatterStatistic& complete) {
    const double d = static_cast<double>(complete.dimension);
    double work = static_cast<double>(complete.class_count()) * d * d * d;
    for (const PatternStatistic& each : incomplete) work += static_cast<double>(each.by_pattern.size()) * d * d * d;
    return static_cast<int>(std::clamp(most_work / work, double{fewest_completions}, double{most_completions}));
}

// Whether every two columns are seen together, in each class or in any where all share one covariance. Of others
// nothing tells the covariance, and the likelihood is flat along it.
bool all_pairs_seen(const ClassScatterStatistic& complete, const Several<PatternStatistic>& incomplete, bool shared) {
    const std::size_t d = complete.dimension;
    std::vector<bool> seen(d * d);
    const auto all_seen = [&] {
        for (std::size_t i = 0; i < d; ++i)
            for (std::size_t j = 0; j <= i; ++j)
                if (!seen[i * d + j]) return false;
        return true;
    };
    for (std::size_t c = 0; c < incomplete.size(); ++c) {
        if (!shared) seen.assign(d * d, false);
        if (complete.class_weight[c] > 0) seen.assign(d * d, true);
        for (const auto& [present, rows] : incomplete[c].by_pattern)
            for (const std::uint32_t i : present)
                for (const std::uint32_t j : present) seen[i * d + j] = true;
        if (!shared && !incomplete[c].by_pattern.empty() && !all_seen()) return false;
    }
    return !shared || all_seen();
}

}  // namespace

// What is known of one pattern of presence, and room for its sums.
struct Completion::Scratch {
    Pattern absent;
    std::vector<double> slope;     // absent x present: of the regression of what is absent on what is there
    std::vector<double> residual;  // absent x absent: its covariance
    double log_determinant = 0;    // of the covariance of what is there
    std::vector<double> minor, way;
    GaussianVector::Statistic full;
};

Completion::Completion(GaussianClasses parameters, const std::vector<bool>& with_holes)
    : parameters_(std::move(parameters)), groups_(parameters_.group_count()) {
    const std::size_t d = parameters_.dimension;
    std::vector<bool> wanted(groups_.size(), with_holes.empty());
    for (std::size_t c = 0; c < with_holes.size(); ++c)
        if (with_holes[c]) wanted[parameters_.group[c]] = true;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
        if (!wanted[g]) continue;
        GroupForms& forms = groups_[g];
        forms = {parameters_.covariance(g), parameters_.shape[g], parameters_.precision(g),
                 parameters_.log_determinant(g)};
        if (!parameters_.diagonal) continue;
        forms.factor.assign(d * d, 0.0);
        for (std::size_t i = 0; i < d; ++i) forms.factor[i * (d + 1)] = std::sqrt(parameters_.shape[g][i]);
    }
}

CompletedRows Completion::none() const {
    CompletedRows rows;
    rows.by_class.assign(parameters_.class_count(), GaussianVector{parameters_.dimension}.empty());
    return rows;
}

void Completion::add(const Several<PatternStatistic>& rows, CompletedRows& into) const {
    Scratch scratch;
    for (std::size_t c = 0; c < rows.size(); ++c)
        for (const auto& [present, seen] : rows[c].by_pattern) add_pattern(c, present, seen, into, scratch);
}

ClassScatterStatistic Completion::all_rows(const ClassScatterStatistic& complete, CompletedRows others) const {
    for (std::size_t c = 0; c < complete.class_count(); ++c) {
        auto all = of_class(complete, c);
        all.merge(others.by_class[c]);
        others.by_class[c] = std::move(all);
    }
    return side_by_side(others.by_class, complete.dimension);
}

double Completion::log_likelihood(const ClassScatterStatistic& complete, const CompletedRows& others) const {
    double sum = others.log_likelihood;
    std::vector<double> other;  // of a group without holes
    for (std::size_t c = 0; c < complete.class_count(); ++c) {
        if (!(complete.class_weight[c] > 0)) continue;
        const std::uint32_t g = parameters_.group[c];
        if (groups_[g].precision.empty()) other = parameters_.precision(g);
        sum += gaussian_log_likelihood(parameters_, c,
                                       {complete.class_weight[c], complete.mean_of(c), complete.scatter_of(c)},
                                       groups_[g].precision.empty() ? other : groups_[g].precision);
    }
    return sum;
}

// absent = its mean + B (present - its mean) + residual. Of a covariance S with inverse Q: B = S_ap S_pp^-1 with
// residual covariance S_aa - B S_pa, or B = -Q_aa^-1 Q_ap with Q_aa^-1, which is less work where little is absent.
void Completion::regress(const GroupForms& group, const Pattern& present, Scratch& scratch) const {
    const std::size_t d = parameters_.dimension, m = present.size(), a = d - m;
    auto& [absent, slope, residual, log_determinant, minor, way, full] = scratch;
    absent.clear();
    for (std::uint32_t i = 0, at = 0; i < d; ++i) {
        if (at < m && present[at] == i) {
            ++at;
        } else {
            absent.push_back(i);
        }
    }
    slope.assign(a * m, 0.0);
    residual.resize(a * a);
    const auto take = [&](const std::vector<double>& from, const Pattern& which) {
        minor.clear();
        for (const auto i : which)
            for (const auto j : which) minor.push_back(from[i * d + j]);
        return factorize(minor, which.size());  // a principal minor of a positive definite matrix is one too
    };
    if (a <= m && take(group.precision, absent)) {
        log_determinant = group.log_determinant + suffice::log_determinant(minor, a);
        inverse(minor, a, residual);
        for (std::size_t i = 0; i < a; ++i)
            for (std::size_t j = 0; j < a; ++j)
                for (std::size_t k = 0; k < m; ++k)
                    slope[i * m + k] -= residual[i * a + j] * group.precision[absent[j] * d + present[k]];
        return;
    }
    take(group.covariance, present);
    log_determinant = suffice::log_determinant(minor, m);
    for (std::size_t i = 0; i < a; ++i) {
        const std::span<double> row(&slope[i * m], m);
        for (std::size_t k = 0; k < m; ++k) row[k] = group.covariance[absent[i] * d + present[k]];
        solve_factorized(minor, row);
        for (std::size_t j = 0; j <= i; ++j) {
            double left = group.covariance[absent[i] * d + absent[j]];
            for (std::size_t k = 0; k < m; ++k) left -= row[k] * group.covariance[present[k] * d + absent[j]];
            residual[i * a + j] = residual[j * a + i] = left;
        }
    }
}

void Completion::add_pattern(std::size_t c, const Pattern& present, const GaussianVector::Statistic& seen,
                             CompletedRows& into, Scratch& scratch) const {
    const GroupForms& group = groups_[parameters_.group[c]];
    regress(group, present, scratch);
    auto& [absent, slope, residual, log_determinant, minor, way, full] = scratch;
    const std::size_t d = parameters_.dimension, m = present.size(), a = absent.size();
    const auto& mean = parameters_.mean[c];
    const double weight = full.total_weight = seen.total_weight;
    full.scatter.assign(d * d, 0.0);
    way.assign(d, 0.0);
    for (std::size_t k = 0; k < m; ++k) {
        way[present[k]] = seen.mean[k] - mean[present[k]];
        for (std::size_t i = 0; i < a; ++i) way[absent[i]] += slope[i * m + k] * way[present[k]];
    }
    // Of a row whose holes are filled by what is expected there, the squared distance is that of what is there.
    const double constant = static_cast<double>(m) * std::log(2 * std::numbers::pi) + log_determinant;
    into.log_likelihood -= 0.5 * weight * (constant + squared_distance(group.factor, way));
    if (!seen.scatter.empty()) {
        for (std::size_t k = 0; k < m; ++k)
            for (std::size_t l = 0; l < m; ++l) full.scatter[present[k] * d + present[l]] = seen.scatter[k * m + l];
        std::vector<double> bs(m);  // a row of B scatter
        for (std::size_t i = 0; i < a; ++i) {
            std::ranges::fill(bs, 0.0);
            for (std::size_t k = 0; k < m; ++k)
                for (std::size_t l = 0; l < m; ++l) bs[l] += slope[i * m + k] * seen.scatter[k * m + l];
            for (std::size_t l = 0; l < m; ++l)
                full.scatter[absent[i] * d + present[l]] = full.scatter[present[l] * d + absent[i]] = bs[l];
            for (std::size_t j = 0; j < a; ++j)
                for (std::size_t l = 0; l < m; ++l) full.scatter[absent[i] * d + absent[j]] += bs[l] * slope[j * m + l];
        }
        double trace = 0;
        for (std::size_t at = 0; at < d * d; ++at) trace += group.precision[at] * full.scatter[at];
        into.log_likelihood -= 0.5 * trace;
    }
    for (std::size_t i = 0; i < a; ++i)
        for (std::size_t j = 0; j < a; ++j) full.scatter[absent[i] * d + absent[j]] += weight * residual[i * a + j];
    full.mean = mean;
    for (std::size_t k = 0; k < m; ++k) full.mean[present[k]] = seen.mean[k];
    for (const auto i : absent) full.mean[i] += way[i];
    into.by_class[c].merge(full);
}

Several<Several<Gaussian::Statistic>> columns_present(const ClassScatterStatistic& complete,
                                                      const Several<PatternStatistic>& incomplete) {
    const std::size_t d = complete.dimension;
    Several<Several<Gaussian::Statistic>> by_class(complete.class_count(), Several<Gaussian::Statistic>(d));
    for (std::size_t c = 0; c < by_class.size(); ++c) {
        for (std::size_t i = 0; i < d; ++i)
            by_class[c][i] = {complete.class_weight[c], complete.mean_of(c)[i], complete.scatter_of(c)[i * (d + 1)]};
        for (const auto& [present, seen] : incomplete[c].by_pattern)
            for (std::size_t i = 0; i < present.size(); ++i)
                by_class[c][present[i]].merge({seen.total_weight, seen.mean[i],
                                               seen.scatter.empty() ? 0 : seen.scatter[i * (present.size() + 1)]});
    }
    return by_class;
}

GaussianClasses available_cases(const Several<Several<Gaussian::Statistic>>& by_class) {
    GaussianClasses start;
    for (const auto& columns : by_class) {
        const std::size_t d = start.dimension = columns.size();
        auto& mean = start.mean.emplace_back(d);
        auto& factor = start.shape.emplace_back(d * d);
        for (std::size_t i = 0; i < d; ++i) {
            mean[i] = columns[i].mean;
            factor[i * (d + 1)] = columns[i].scatter > 0 ? std::sqrt(columns[i].scatter / columns[i].weight()) : 1;
        }
        start.group.push_back(static_cast<std::uint32_t>(start.group.size()));
    }
    return start;
}

Result<EstimatedGaussians> estimate_sums(const ClassScatterStatistic& sums, const Settings& settings,
                                         const GaussianNames& names, Telling telling,
                                         std::span<const std::uint32_t> drawn) {
    std::vector<ClassMoments> moments;
    for (std::size_t c = 0; c < sums.class_count(); ++c)
        moments.push_back({sums.class_weight[c], sums.mean_of(c), sums.scatter_of(c)});
    return estimate_gaussians(moments, settings, names, {}, telling, drawn);
}

Result<CompletedEstimate> estimate_completed(const ClassScatterStatistic& complete, GaussianClasses start,
                                             const Expectation& expect, const Settings& settings,
                                             const GaussianNames& names, int most_steps, bool leaps) {
    ClassScatterStatistic sums;
    double likelihood = 0;
    bool settled = false;
    std::vector<bool> with_holes;
    std::vector<std::uint32_t> drawn;
    CompletionLeaps ways(leaps);
    for (int step = 0;; ++step) {
        const Completion completion(start, with_holes);
        auto expected = expect(completion);
        if (!expected) return expected.error();
        settled = ways.near_limit();
        if (settled || step > most_steps) {
            likelihood = completion.log_likelihood(complete, *expected);
            break;
        }
        if (with_holes.empty())
            for (const auto& each : expected->by_class) with_holes.push_back(each.weight() > 0);
        sums = completion.all_rows(complete, std::move(*expected));
        auto next = estimate_sums(sums, settings, names, Telling::parameters, drawn);
        if (!next) return next.error();
        drawn = std::move(next->drawn);
        // The start may have other groups, and the last steps are to be plain, so that the sums belong to the end.
        start = step == 0 || step + 3 > most_steps ? std::move(next->parameters)
                                                   : ways.on_from(std::move(start), std::move(next->parameters));
    }
    auto told = estimate_sums(sums, settings, names, Telling::all, drawn);
    if (!told) return told.error();
    told->log_likelihood = likelihood;
    if (!settled) told->notes.push_back("EM for missing values stopped after " + std::to_string(most_steps) + " steps");
    return CompletedEstimate{std::move(*told), settled, std::move(sums)};
}

Result<EstimatedGaussians> estimate_incomplete(const ClassScatterStatistic& complete,
                                               const Several<PatternStatistic>& incomplete, const Settings& settings,
                                               const GaussianNames& names) {
    const auto columns = columns_present(complete, incomplete);
    const auto expect = [&](const Completion& completion) -> Result<CompletedRows> {
        auto rows = completion.none();
        completion.add(incomplete, rows);
        return rows;
    };
    auto done = estimate_completed(complete, available_cases(columns), expect, settings, names,
                                   steps_within(incomplete, complete),
                                   all_pairs_seen(complete, incomplete, settings.sharing == Sharing::all));
    if (!done) return done.error();
    return std::move(done->gaussians);
}

}  // namespace suffice
