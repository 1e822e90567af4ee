// Variances of columns that are independent given the class: own, shared by classes, or one for all columns.
#include <algorithm>
#include <cmath>
#include <limits>

#include "suffice/estimate/gaussians.hpp"

namespace suffice {
namespace {

using Columns = std::span<const std::vector<Gaussian::Statistic>>;

// The least variance that leaves room for its inverse and its square.
constexpr double least_variance = 0x1p-900;

// The largest variance of a column over all rows, classes together: GaussianNB's yardstick.
double largest_variance(Columns by_class) {
    double largest = 0;
    for (std::size_t k = 0; k < by_class[0].size(); ++k) {
        Gaussian::Statistic all;
        for (const auto& row : by_class) all.merge(row[k]);
        if (all.total_weight > 0) largest = std::max(largest, all.scatter / all.total_weight);
    }
    return largest;
}

// Scatter and the divisor of its variance.
struct Pool {
    double scatter = 0, divisor = 0;
    double variance() const { return divisor > 0 ? scatter / divisor : 0; }
};

std::vector<Pool> pool_group(Columns by_class, const std::vector<std::uint32_t>& group, std::size_t g,
                             Estimate estimate) {
    std::vector<Pool> pooled(by_class[0].size());
    for (std::size_t c = 0; c < by_class.size(); ++c)
        for (std::size_t k = 0; group[c] == g && k < pooled.size(); ++k) {
            const auto& s = by_class[c][k];
            pooled[k].scatter += s.scatter;
            pooled[k].divisor += s.total_weight - (estimate == Estimate::unbiased && s.total_weight > 0 ? 1 : 0);
        }
    return pooled;
}

// Whether the settings have a Normal-Wishart prior to maximise the posterior under.
bool has_prior(const Settings& settings) {
    return settings.estimate == Estimate::map && !settings.gaussian_prior.vague;
}

// A Normal-Wishart prior on precisions without anything off their diagonal: by column the posterior is that of the full
// precision, mode_j = (S_0jj + sum of S_jj + k0 n/(k0 + n) (m_j - m_0j)^2) / (degrees_0 + n - d + means - 1), and the
// means move toward the prior's.
std::vector<Pool> posterior_group(Columns by_class, const std::vector<std::uint32_t>& group, std::size_t g,
                                  const GaussianPrior& prior, std::vector<std::vector<double>>& mean) {
    const std::size_t d = by_class[0].size();
    std::vector<Pool> pooled(d);
    for (std::size_t k = 0; k < d; ++k) {
        pooled[k] = {prior.scatter[k * (d + 1)], prior.degrees - static_cast<double>(d) - 1};
        for (std::size_t c = 0; c < by_class.size(); ++c) {
            if (group[c] != g) continue;
            const auto& s = by_class[c][k];
            const double n = s.total_weight, way = s.mean - prior.mean[k];
            const double share = n / (prior.mean_weight + n);
            pooled[k].scatter += s.scatter + prior.mean_weight * share * way * way;
            pooled[k].divisor += n + 1;
            mean[c][k] = prior.mean[k] + way * share;
        }
    }
    return pooled;
}

std::vector<double> variances(const std::vector<Pool>& pooled, const std::vector<Pool>& all, const Settings& settings) {
    std::vector<double> variance;
    double mean = 0;
    for (std::size_t k = 0; k < pooled.size(); ++k) {
        variance.push_back(settings.own_share * pooled[k].variance() + (1 - settings.own_share) * all[k].variance());
        mean += variance.back() / static_cast<double>(pooled.size());
    }
    double toward_mean = settings.covariance == Covariance::spherical ? 1 : settings.identity_share;
    if (settings.shrinkage == Shrinkage::fixed) toward_mean = 1 - (1 - toward_mean) * (1 - settings.shrinkage_amount);
    for (double& v : variance) v += (mean - v) * toward_mean;
    return variance;
}

}  // namespace

Result<EstimatedGaussians> estimate_gaussian_columns(Columns by_class, const Settings& settings,
                                                     const GaussianNames& names) {
    const auto grouped = group_of_class(settings, names.classes);
    if (!grouped) return grouped.error();
    if (has_prior(settings))
        if (auto checked = check_prior(settings.gaussian_prior, by_class[0].size()); !checked) return checked.error();
    const std::size_t d = by_class[0].size(), groups = 1 + *std::ranges::max_element(*grouped);
    EstimatedGaussians done;
    done.parameters.dimension = d;
    done.parameters.diagonal = true;
    done.parameters.group = *grouped;
    for (const auto& row : by_class) {
        auto& mean = done.parameters.mean.emplace_back();
        for (const auto& s : row) mean.push_back(s.mean);
    }
    const double floor = settings.variance_floor * largest_variance(by_class);
    const auto all = pool_group(by_class, std::vector<std::uint32_t>(by_class.size()), 0, settings.estimate);
    for (std::size_t g = 0; g < groups; ++g) {
        const auto own = has_prior(settings)
                             ? posterior_group(by_class, *grouped, g, settings.gaussian_prior, done.parameters.mean)
                             : pool_group(by_class, *grouped, g, settings.estimate);
        auto variance = variances(own, all, settings);
        std::vector<std::string> constant;
        for (std::size_t k = 0; k < d; ++k) {
            variance[k] += settings.added_variance;
            if (!(variance[k] > 0)) constant.push_back(names.columns[k]);
            variance[k] = std::max(variance[k] + floor, least_variance);
        }
        done.rank.push_back(static_cast<std::uint32_t>(d - constant.size()));
        if (!constant.empty())
            if (auto said = note_singular(done, settings.strict, names.group(*grouped, g), done.rank.back(), constant,
                                          "constant");
                !said)
                return said.error();
        done.parameters.shape.push_back(std::move(variance));
    }
    for (std::size_t c = 0; c < by_class.size(); ++c)
        for (std::size_t k = 0; k < d; ++k)
            done.log_likelihood += Gaussian{}.log_likelihood(
                {done.parameters.mean[c][k], done.parameters.shape[(*grouped)[c]][k]}, by_class[c][k]);
    done.parameter_count = by_class.size() * d + groups * (settings.covariance == Covariance::spherical ? 1 : d);
    return done;
}

}  // namespace suffice
