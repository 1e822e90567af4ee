// Variances of columns that are independent given the class: own, shared by classes, or one for all columns.
#include <algorithm>
#include <cmath>
#include <limits>

#include "suffice/estimate/covariance_structure.hpp"
#include "suffice/estimate/gaussians.hpp"
#include "suffice/estimate/singular_groups.hpp"
#include "suffice/estimate/variance_rule.hpp"

namespace suffice {
namespace {

constexpr double least_variance = 0x1p-900;

using Columns = std::span<const std::vector<Gaussian::Statistic>>;

std::vector<Gaussian::Statistic> whole_columns(Columns by_class) {
    std::vector<Gaussian::Statistic> whole(by_class[0].size());
    for (const auto& row : by_class)
        for (std::size_t k = 0; k < whole.size(); ++k) whole[k].merge(row[k]);
    return whole;
}

// Scatter and the divisor of its variance.
struct Pool {
    double scatter = 0, divisor = 0;
    double variance() const { return divisor > 0 ? scatter / divisor : 0; }
};

// Classes of each group, so that a group costs as much as it has classes: each class may be a group of its own.
using Members = std::vector<std::uint32_t>;

std::vector<Members> members_of(const std::vector<std::uint32_t>& group, std::size_t groups) {
    std::vector<Members> members(groups);
    for (std::size_t c = 0; c < group.size(); ++c) members[group[c]].push_back(static_cast<std::uint32_t>(c));
    return members;
}

std::vector<Pool> pool_group(Columns by_class, const Members& members, Estimate estimate) {
    std::vector<Pool> pooled(by_class[0].size());
    for (const std::uint32_t c : members)
        for (std::size_t k = 0; k < pooled.size(); ++k) {
            const auto& s = by_class[c][k];
            pooled[k].scatter += s.scatter;
            pooled[k].divisor += s.total_weight - (estimate == Estimate::unbiased && s.total_weight > 0 ? 1 : 0);
        }
    return pooled;
}

// The rows of the weak prior come to those of each group.
std::vector<Pool> with_rows(std::vector<Pool> pooled, const std::vector<VarianceRule>& rules) {
    for (std::size_t k = 0; k < pooled.size(); ++k) {
        pooled[k].scatter += rules[k].rows() * rules[k].centre();
        pooled[k].divisor += rules[k].rows();
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
std::vector<Pool> posterior_group(Columns by_class, const Members& members, const GaussianPrior& prior,
                                  std::vector<std::vector<double>>& mean) {
    const std::size_t d = by_class[0].size();
    std::vector<Pool> pooled(d);
    for (std::size_t k = 0; k < d; ++k) {
        pooled[k] = {prior.scatter[k * (d + 1)], prior.degrees - static_cast<double>(d) - 1};
        for (const std::uint32_t c : members) {
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
    std::vector<double> variance, scale;
    const bool standardized = settings.units == Units::standardized && settings.covariance != Covariance::spherical;
    double mean = 0;
    for (std::size_t k = 0; k < pooled.size(); ++k) {
        scale.push_back(standardized && all[k].variance() > 0 ? all[k].variance() : 1.0);
        variance.push_back(settings.alpha * pooled[k].variance() + (1 - settings.alpha) * all[k].variance());
        mean += variance.back() / scale.back() / static_cast<double>(pooled.size());
    }
    double toward_mean = settings.covariance == Covariance::spherical ? 1 : settings.gamma;
    if (settings.shrinkage.rule == ShrinkageRule::fixed)
        toward_mean = 1 - (1 - toward_mean) * (1 - settings.shrinkage.amount);
    for (std::size_t k = 0; k < variance.size(); ++k) variance[k] += (mean * scale[k] - variance[k]) * toward_mean;
    return variance;
}

// What groups share of their variances. Columns seen in different rows count for their mean number.
void take_structure(std::vector<std::vector<double>>& variance, const std::vector<std::vector<Pool>>& pooled,
                    Parsimonious structure) {
    std::vector<double> weight;
    for (std::size_t g = 0; g < variance.size(); ++g) {
        double sum = 0;
        for (const Pool& each : pooled[g]) sum += each.divisor / static_cast<double>(pooled[g].size());
        weight.push_back(sum);
        for (double& v : variance[g]) v = std::max(v, least_variance) * sum;
    }
    variance = parsimonious_variances(structure, weight, variance);
}

double log_likelihood_of(Columns by_class, const GaussianClasses& at) {
    double sum = 0;
    for (std::size_t c = 0; c < by_class.size(); ++c)
        for (std::size_t k = 0; k < by_class[c].size(); ++k)
            sum += Gaussian{}.log_likelihood({at.mean[c][k], at.shape[at.group[c]][k]}, by_class[c][k]);
    return sum;
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
    const auto members = members_of(*grouped, groups);
    const auto all =
        pool_group(by_class, members_of(std::vector<std::uint32_t>(by_class.size()), 1).front(), settings.estimate);
    std::vector<std::vector<Pool>> pooled;
    std::vector<std::vector<double>> by_group;
    const auto whole = whole_columns(by_class);
    std::vector<VarianceRule> rules;
    double largest = 0;  // scikit-learn's yardstick
    for (std::size_t k = 0; k < d; ++k) {
        rules.emplace_back(settings, all[k].variance(), whole[k]);
        largest = std::max(largest, Gaussian{}.spread(whole[k]));
    }
    for (std::size_t g = 0; g < groups; ++g) {
        pooled.push_back(has_prior(settings)
                             ? posterior_group(by_class, members[g], settings.gaussian_prior, done.parameters.mean)
                             : with_rows(pool_group(by_class, members[g], settings.estimate), rules));
        by_group.push_back(variances(pooled.back(), all, settings));
    }
    const auto structure = parsimonious_structure(settings);
    const bool structured = structure == Parsimonious::vei || structure == Parsimonious::evi;
    if (structured) take_structure(by_group, pooled, *structure);
    std::vector<SingularGroup> singular;
    for (std::size_t g = 0; g < groups; ++g) {
        auto& variance = by_group[g];
        std::vector<std::string> constant;
        for (std::size_t k = 0; k < d; ++k) {
            variance[k] += settings.added_variance;
            if (!(variance[k] > 0) || rules[k].lifts(variance[k])) constant.push_back(names.columns[k]);
            variance[k] = rules[k](variance[k] + settings.added_variance_share * largest);
        }
        done.rank.push_back(static_cast<std::uint32_t>(d - constant.size()));
        if (!constant.empty())
            singular.push_back({singular.empty() ? names.classes_of(*grouped, g) : "", done.rank.back(),
                                std::move(constant), "constant"});
        done.parameters.shape.push_back(std::move(variance));
    }
    if (auto told = tell_singular(std::move(singular), settings, done); !told) return told.error();
    done.log_likelihood = log_likelihood_of(by_class, done.parameters);
    const std::size_t each = settings.covariance == Covariance::spherical ? 1 : d;
    done.parameter_count =
        by_class.size() * d + (structured ? covariance_parameter_count(*structure, groups, d) : groups * each);
    return done;
}

}  // namespace suffice
