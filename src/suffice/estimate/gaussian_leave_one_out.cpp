// Rank-one changes of estimated covariances, one per row that is left out.
#include "suffice/estimate/gaussian_leave_one_out.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "suffice/estimate/covariance_structure.hpp"
#include "suffice/math/cholesky.hpp"
#include "suffice/math/eigen.hpp"

namespace suffice {
namespace {

// Below these shares digits are lost, or the estimate would call the covariance singular: then it is estimated anew.
constexpr double least_left = 1e-5;        // of the determinant
constexpr double least_pivot = 1e-10;      // of a column's variance, under Cholesky
constexpr double least_eigenvalue = 1e-6;  // of the largest variance, in the eigenbasis

double product(std::span<const double> a, std::span<const double> b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

}  // namespace

bool GaussianLeaveOneOut::applies(const Settings& settings) {
    const bool conjugate = settings.estimate == Estimate::map || settings.estimate == Estimate::predictive;
    // Without a row the scale of standardised columns is another, and so is the way to the target.
    const bool lifted = !conjugate && (settings.gamma > 0 || settings.shrinkage.rule == ShrinkageRule::fixed);
    const bool fixed_target =
        settings.units != Units::standardized && settings.shrinkage_target == ShrinkageTarget::sphere;
    return settings.covariance == Covariance::full && settings.rank == 0 && !parsimonious_structure(settings) &&
           settings.shrinkage.is_known() && (!lifted || fixed_target) && (!conjugate || settings.gaussian_prior.vague);
}

GaussianLeaveOneOut::GaussianLeaveOneOut(const ClassScatterStatistic& seen, std::vector<std::uint32_t> group_of_class,
                                         const Settings& settings)
    : seen_(seen),
      settings_(settings),
      d_(seen.dimension),
      conjugate_(settings.estimate == Estimate::map || settings.estimate == Estimate::predictive) {
    shape_.dimension = d_;
    shape_.group = std::move(group_of_class);
    const std::size_t groups = 1 + *std::ranges::max_element(shape_.group);
    if (!conjugate_) {
        const double shrunk = settings.shrinkage.rule == ShrinkageRule::fixed ? settings.shrinkage.amount : 0;
        kept_ = (1 - settings.gamma) * (1 - shrunk);
        lifted_ = (1 - settings.gamma) * shrunk + settings.gamma;
        added_ = settings.added_variance;
    }
    scatter_.assign(groups, std::vector<double>(d_ * d_));
    group_size_.assign(groups, 0.0);
    for (std::size_t c = 0; c < seen.class_count(); ++c) {
        ++group_size_[shape_.group[c]];
        if (seen.pooled && c > 0) continue;
        auto& into = scatter_[shape_.group[c]];
        std::ranges::transform(into, seen.scatter_of(c), into.begin(), std::plus{});
    }
    basis_.resize(groups);
    share_.resize(groups);
}

// As estimate_gaussians has it: n, n less the classes, or what the vague prior leaves.
double GaussianLeaveOneOut::divisor(std::size_t group) const {
    const double n = group_weight_[group], d = static_cast<double>(d_);
    switch (settings_.estimate) {
        case Estimate::likelihood:
        case Estimate::automatic:
            return n;
        case Estimate::unbiased:
            return n - group_size_[group];
        case Estimate::map:
            return n - d - 1;
        case Estimate::predictive:
            return n - group_size_[group] - d + 1;
    }
    return n;
}

std::vector<double> GaussianLeaveOneOut::covariance(std::size_t group) const {
    std::vector<double> mixed = scatter_[group];
    const double own = conjugate_ ? 1 : settings_.alpha;
    for (double& s : mixed) s *= own / divisor(group);
    if (own == 1) return mixed;
    const double total = std::accumulate(group_weight_.begin(), group_weight_.end(), 0.0);
    for (std::size_t g = 0; g < scatter_.size(); ++g) {
        const double share = (1 - own) * group_weight_[g] / divisor(g) / total;
        for (std::size_t at = 0; at < mixed.size(); ++at) mixed[at] += share * scatter_[g][at];
    }
    return mixed;
}

GaussianLeaveOneOut::Basis GaussianLeaveOneOut::make_basis(std::vector<double> covariance) const {
    Basis made;
    std::vector<double> own(d_);
    for (std::size_t i = 0; i < d_; ++i) {
        made.trace += covariance[i * (d_ + 1)];
        own[i] = kept_ * covariance[i * (d_ + 1)];
    }
    for (double& s : covariance) s *= kept_;
    made.directions = std::move(covariance);
    if (is_lifted()) {
        made.eigenvalues.resize(d_);
        if (!symmetric_eigen(made.directions, d_, made.eigenvalues)) return made;
        made.lowest = std::max(made.eigenvalues[0], 0.0);
        made.largest = *std::ranges::max_element(own);
        return made;
    }
    if (!factorize(made.directions, d_)) return made;
    made.log_determinant = log_determinant(made.directions, d_);
    made.lowest = 1;
    for (std::size_t i = 0; i < d_; ++i) {
        const double pivot = made.directions[i * (d_ + 1)];
        made.lowest = std::min(made.lowest, pivot * pivot / own[i]);
    }
    return made;
}

void GaussianLeaveOneOut::prepare(std::size_t of_class, double weight) {
    const std::size_t of_group = shape_.group[of_class];
    const std::size_t before = class_ < shape_.group.size() ? shape_.group[class_] : scatter_.size();
    const bool first = before == scatter_.size();
    class_ = of_class;
    weight_ = weight;
    class_weight_ = seen_.class_weight;
    class_weight_[of_class] -= weight;
    group_weight_.assign(scatter_.size(), 0.0);
    for (std::size_t c = 0; c < class_weight_.size(); ++c) group_weight_[shape_.group[c]] += class_weight_[c];

    const bool mixed = !conjugate_ && settings_.alpha < 1;
    const double total = std::accumulate(group_weight_.begin(), group_weight_.end(), 0.0);
    for (std::size_t g = 0; g < scatter_.size(); ++g) {
        share_[g] = mixed ? (1 - settings_.alpha) * group_weight_[of_group] / divisor(of_group) / total : 0;
        if (g == of_group) share_[g] += (mixed ? settings_.alpha : 1) / divisor(g);
        if (!first && !mixed && g != of_group && g != before) continue;
        basis_[g] = divisor(g) > 0 ? make_basis(covariance(g)) : Basis{};
    }
    if (settings_.estimate != Estimate::predictive) return;
    shape_.degrees.assign(class_weight_.size(), 0.0);
    shape_.stretch.assign(class_weight_.size(), 1.0);
    for (std::size_t c = 0; c < class_weight_.size(); ++c) {
        shape_.degrees[c] = divisor(shape_.group[c]);
        shape_.stretch[c] = 1 + 1 / class_weight_[c];
    }
}

GaussianLeaveOneOut::Distances GaussianLeaveOneOut::distances(const Basis& basis, double lift,
                                                              std::vector<double> to_mean,
                                                              std::vector<double> removed) const {
    if (basis.eigenvalues.empty()) {
        solve_lower(basis.directions, to_mean);
        solve_lower(basis.directions, removed);
        return {product(to_mean, to_mean), product(to_mean, removed), product(removed, removed), basis.log_determinant};
    }
    Distances sum;
    for (std::size_t i = 0; i < d_; ++i) {
        const auto direction = std::span(basis.directions).subspan(i * d_, d_);
        const double variance = basis.eigenvalues[i] + lift;
        const double along = product(direction, to_mean), gone = product(direction, removed);
        sum.to_mean += along * along / variance;
        sum.cross += along * gone / variance;
        sum.removed += gone * gone / variance;
        sum.log_determinant += std::log(variance);
    }
    return sum;
}

bool GaussianLeaveOneOut::add(std::span<const double> x, std::size_t of_class, double weight,
                              std::span<long double> joint) {
    if (of_class != class_ || weight != weight_) prepare(of_class, weight);
    const double n = seen_.class_weight[of_class], rest = class_weight_[of_class];
    std::vector<double> removed(d_), to_mean(d_);
    for (std::size_t i = 0; i < d_; ++i) removed[i] = x[i] - seen_.mean_of(of_class)[i];
    const double rank_one = n * weight / rest, length = product(removed, removed);

    std::vector<long double> density(joint.size());
    for (std::size_t c = 0; c < joint.size(); ++c) {
        const std::size_t g = shape_.group[c];
        const Basis& basis = basis_[g];
        const double change = share_[g] * rank_one;
        const double lift = lifted_ * (basis.trace - change * length) / static_cast<double>(d_) + added_;
        const double pivot = (basis.lowest + lift) / (basis.largest + lift);
        if (!(pivot > (is_lifted() ? least_eigenvalue : least_pivot))) return false;
        for (std::size_t i = 0; i < d_; ++i)
            to_mean[i] = c == of_class ? removed[i] * (n / rest) : x[i] - seen_.mean_of(c)[i];
        const Distances all = distances(basis, lift, to_mean, removed);
        const double left = 1 - kept_ * change * all.removed;
        if (!(left > least_left) || !(left * pivot > least_pivot)) return false;
        const double squared = all.to_mean + kept_ * change * all.cross * all.cross / left;
        density[c] = shape_.log_density_at(c, squared, all.log_determinant + std::log(left));
    }
    for (std::size_t c = 0; c < joint.size(); ++c) joint[c] += density[c];
    return true;
}

}  // namespace suffice
