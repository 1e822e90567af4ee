// The EM loop over patterns of missing values.
#include "suffice/estimate/completion.hpp"

#include <cmath>

#include "suffice/math/cholesky.hpp"

namespace suffice {
namespace {

constexpr int most_steps = 2000;
constexpr double settled = 1e-12;  // change of the log-likelihood, relative

// x = mean + T (present - its mean) + residual, with T the identity on present columns and the regression on absent
// ones.
GaussianVector::Statistic completed(const GaussianClasses& p, std::size_t c, const Pattern& present,
                                    const GaussianVector::Statistic& seen) {
    const std::size_t d = p.dimension, m = present.size();
    const auto covariance = p.covariance(p.group[c]);
    std::vector<double> part(m * m);
    for (std::size_t i = 0; i < m; ++i)
        for (std::size_t j = 0; j < m; ++j) part[i * m + j] = covariance[present[i] * d + present[j]];
    factorize(part, m);
    std::vector<double> t(d * m);
    for (std::size_t i = 0, at = 0; i < d; ++i) {
        const std::span<double> row(&t[i * m], m);
        if (at < m && present[at] == i) {
            row[at++] = 1;
        } else {
            for (std::size_t k = 0; k < m; ++k) row[k] = covariance[i * d + present[k]];
            solve_factorized(part, row);
        }
    }
    std::vector<double> ts(d * m);  // T scatter
    for (std::size_t i = 0; i < d; ++i)
        for (std::size_t k = 0; k < m; ++k)
            for (std::size_t l = 0; l < m; ++l) ts[i * m + l] += t[i * m + k] * seen.scatter[k * m + l];
    auto full = GaussianVector{d}.empty();
    full.total_weight = seen.total_weight;
    for (std::size_t i = 0; i < d; ++i) {
        full.mean[i] = p.mean[c][i];
        for (std::size_t k = 0; k < m; ++k) full.mean[i] += t[i * m + k] * (seen.mean[k] - p.mean[c][present[k]]);
        for (std::size_t j = 0; j < d; ++j) {
            double residual = covariance[i * d + j];
            for (std::size_t k = 0; k < m; ++k) residual -= t[i * m + k] * covariance[present[k] * d + j];
            double& cell = full.scatter[i * d + j] = seen.total_weight * residual;
            for (std::size_t l = 0; l < m; ++l) cell += ts[i * m + l] * t[j * m + l];
        }
    }
    return full;
}

double incomplete_log_likelihood(const GaussianClasses& p, const Several<PatternStatistic>& incomplete) {
    double sum = 0;
    for (std::size_t c = 0; c < incomplete.size(); ++c)
        for (const auto& [present, seen] : incomplete[c].by_pattern) {
            sum += gaussian_log_likelihood(p.marginal(present), c, {seen.total_weight, seen.mean, seen.scatter});
        }
    return sum;
}

// Where EM starts: means and variances of what is there, column by column, no correlations.
GaussianClasses available_cases(const ClassScatterStatistic& complete, const Several<PatternStatistic>& incomplete) {
    const std::size_t d = complete.dimension, k = complete.class_count();
    GaussianClasses start;
    start.dimension = d;
    for (std::size_t c = 0; c < k; ++c) {
        std::vector<double> weight(d), mean(d), scatter(d);
        const auto take = [&](std::size_t i, double n, double m, double s) {
            const double sum = weight[i] + n, way = m - mean[i];
            if (sum == 0) return;
            scatter[i] += s + way * way * weight[i] * n / sum;
            mean[i] += way * n / sum;
            weight[i] = sum;
        };
        for (std::size_t i = 0; i < d; ++i)
            take(i, complete.class_weight[c], complete.mean_of(c)[i], complete.scatter_of(c)[i * (d + 1)]);
        for (const auto& [present, seen] : incomplete[c].by_pattern)
            for (std::size_t i = 0; i < present.size(); ++i)
                take(present[i], seen.total_weight, seen.mean[i], seen.scatter[i * (present.size() + 1)]);
        std::vector<double> factor(d * d);
        for (std::size_t i = 0; i < d; ++i)
            factor[i * (d + 1)] = scatter[i] > 0 ? std::sqrt(scatter[i] / weight[i]) : 1;
        start.group.push_back(static_cast<std::uint32_t>(c));
        start.mean.push_back(std::move(mean));
        start.shape.push_back(std::move(factor));
    }
    return start;
}

}  // namespace

Result<EstimatedGaussians> estimate_incomplete(const ClassScatterStatistic& complete,
                                               const Several<PatternStatistic>& incomplete, const Settings& settings,
                                               const GaussianNames& names) {
    const std::size_t d = complete.dimension, k = complete.class_count();
    GaussianClasses current = available_cases(complete, incomplete);
    double before = 0;
    for (int step = 0;; ++step) {
        std::vector<GaussianVector::Statistic> full(k, GaussianVector{d}.empty());
        std::vector<ClassMoments> moments;
        for (std::size_t c = 0; c < k; ++c) {
            full[c].total_weight = complete.class_weight[c];
            full[c].mean.assign(complete.mean_of(c).begin(), complete.mean_of(c).end());
            full[c].scatter.assign(complete.scatter_of(c).begin(), complete.scatter_of(c).end());
            for (const auto& [present, seen] : incomplete[c].by_pattern)
                full[c].merge(completed(current, c, present, seen));
            moments.push_back({full[c].total_weight, full[c].mean, full[c].scatter});
        }
        auto next = estimate_gaussians(moments, settings, names);
        if (!next) return next;
        current = next->parameters;
        double now = incomplete_log_likelihood(current, incomplete);
        for (std::size_t c = 0; c < k; ++c)
            if (complete.class_weight[c] > 0) {
                now += gaussian_log_likelihood(current, c,
                                               {complete.class_weight[c], complete.mean_of(c), complete.scatter_of(c)});
            }
        next->log_likelihood = now;
        if (step > 0 && std::abs(now - before) <= settled * std::abs(now)) return next;
        if (step == most_steps) {
            next->notes.push_back("EM for missing values stopped after " + std::to_string(most_steps) + " steps");
            return next;
        }
        before = now;
    }
}

}  // namespace suffice
