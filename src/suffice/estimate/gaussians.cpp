// Pools, shrinks and factorises covariances.
#include "suffice/estimate/gaussians.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "suffice/math/cholesky.hpp"
#include "suffice/math/eigen.hpp"

namespace suffice {
namespace {

// A pivot below this share of its column's variance means that the other columns determine the column.
constexpr double collinear = 1e-11;

struct Group {
    double weight = 0;
    std::size_t class_count = 0;
    std::vector<double> covariance;  // d x d, or d when diagonal
};

class Estimation {
public:
    Estimation(std::span<const ClassMoments> by_class, const Settings& settings, const GaussianNames& names,
               std::span<const double> shrinkage)
        : by_class_(by_class), settings_(settings), names_(names), shrinkage_(shrinkage), d_(by_class[0].mean.size()) {
        kept_diagonal_ = d_ > 1 && by_class[0].scatter.size() == d_;
        diagonal_ = settings.covariance != Covariance::full || kept_diagonal_;
    }

    Result<EstimatedGaussians> run() {
        if (auto checked = check(); !checked) return checked.error();
        auto group = group_of_class(settings_, names_.classes);
        if (!group) return group.error();
        done_.parameters.dimension = d_;
        done_.parameters.diagonal = diagonal_;
        done_.parameters.group = *group;
        for (const auto& each : by_class_) done_.parameters.mean.emplace_back(each.mean.begin(), each.mean.end());
        if (settings_.estimate == Estimate::map || settings_.estimate == Estimate::predictive) return conjugate();

        const std::size_t groups = 1 + *std::ranges::max_element(*group);
        auto pooled = pool(groups);
        if (!pooled) return pooled.error();
        regularize(*pooled);
        for (std::size_t g = 0; g < groups; ++g)
            if (auto shaped = shape((*pooled)[g], g); !shaped) return shaped.error();
        for (std::size_t c = 0; c < by_class_.size(); ++c)
            done_.log_likelihood += gaussian_log_likelihood(done_.parameters, c, by_class_[c]);
        count_parameters(groups);
        return std::move(done_);
    }

private:
    Result<void> check() const {
        if (kept_diagonal_ && settings_.covariance == Covariance::full)
            return Error(ErrorKind::usage,
                         "only the variances of the columns were kept, so a full covariance cannot be derived; fit "
                         "again with --keep per_class");
        for (std::size_t c = 0; c < by_class_.size(); ++c)
            if (!(by_class_[c].weight > 0)) return Error("the class " + names_.classes[c] + " has no rows");
        return {};
    }
    double total_weight() const {
        return std::accumulate(by_class_.begin(), by_class_.end(), 0.0,
                               [](double sum, const auto& each) { return sum + each.weight; });
    }

    // The scatter of one class in the form kept here: full, or its diagonal.
    double scatter_at(std::size_t c, std::size_t i, std::size_t j) const {
        return kept_diagonal_ ? by_class_[c].scatter[i] : by_class_[c].scatter[i * d_ + j];
    }
    std::size_t cells() const { return diagonal_ ? d_ : d_ * d_; }
    double cell(std::size_t c, std::size_t at) const {
        return diagonal_ ? scatter_at(c, at, at) : by_class_[c].scatter[at];
    }

    Result<std::vector<Group>> pool(std::size_t groups) const {
        std::vector<Group> pooled(groups);
        for (auto& each : pooled) each.covariance.assign(cells(), 0.0);
        for (std::size_t c = 0; c < by_class_.size(); ++c) {
            Group& into = pooled[done_.parameters.group[c]];
            into.weight += by_class_[c].weight;
            ++into.class_count;
            const double keep = 1 - class_shrinkage(c), lift = class_shrinkage(c) * trace(c) / static_cast<double>(d_);
            for (std::size_t at = 0; at < cells(); ++at) into.covariance[at] += keep * cell(c, at);
            if (lift != 0)
                for (std::size_t i = 0; i < d_; ++i) into.covariance[diagonal_at(i)] += lift;
        }
        for (auto& each : pooled) {
            const double divisor = settings_.estimate == Estimate::unbiased
                                       ? each.weight - static_cast<double>(each.class_count)
                                       : each.weight;
            if (!(divisor > 0)) return Error("an unbiased covariance needs more rows than classes");
            for (double& s : each.covariance) s /= divisor;
        }
        return pooled;
    }
    // Shrinkage with an intensity per class acts before pooling; scikit-learn does the same.
    double class_shrinkage(std::size_t c) const {
        switch (settings_.shrinkage) {
            case Shrinkage::none:
                return 0;
            case Shrinkage::fixed:
                return settings_.shrinkage_amount;
            case Shrinkage::oas: {
                std::vector<double> covariance(d_ * d_);
                for (std::size_t i = 0; i < d_; ++i)
                    for (std::size_t j = 0; j < d_; ++j)
                        if (!kept_diagonal_ || i == j)
                            covariance[i * d_ + j] = scatter_at(c, i, j) / by_class_[c].weight;
                return oas_intensity(covariance, d_, by_class_[c].weight);
            }
            case Shrinkage::ledoit_wolf:
            case Shrinkage::automatic:
                return shrinkage_.empty() ? 0 : shrinkage_[c];
        }
        return 0;
    }
    std::size_t diagonal_at(std::size_t i) const { return diagonal_ ? i : i * (d_ + 1); }
    double trace(std::size_t c) const {
        double sum = 0;
        for (std::size_t i = 0; i < d_; ++i) sum += scatter_at(c, i, i);
        return sum;
    }

    // Friedman (1989): alpha own + (1 - alpha) pooled, then gamma toward the identity; spherical is gamma = 1.
    void regularize(std::vector<Group>& groups) const {
        if (settings_.own_share < 1) {
            std::vector<double> all(cells());
            double weight = 0;
            for (const auto& each : groups) {
                weight += each.weight;
                for (std::size_t at = 0; at < all.size(); ++at) all[at] += each.weight * each.covariance[at];
            }
            for (auto& each : groups)
                for (std::size_t at = 0; at < all.size(); ++at)
                    each.covariance[at] =
                        settings_.own_share * each.covariance[at] + (1 - settings_.own_share) * all[at] / weight;
        }
        const double gamma = settings_.covariance == Covariance::spherical ? 1 : settings_.identity_share;
        if (gamma == 0) return;
        for (auto& each : groups) {
            double mean = 0;
            for (std::size_t i = 0; i < d_; ++i) mean += each.covariance[diagonal_at(i)] / static_cast<double>(d_);
            for (double& s : each.covariance) s *= 1 - gamma;
            for (std::size_t i = 0; i < d_; ++i) each.covariance[diagonal_at(i)] += gamma * mean;
        }
    }

    // The largest variance of a column over all rows, classes together: the yardstick of the floor.
    double largest_variance() const {
        const double total = total_weight();
        double largest = 0;
        for (std::size_t i = 0; i < d_; ++i) {
            double mean = 0, within = 0, between = 0;
            for (const auto& each : by_class_) mean += each.weight * each.mean[i] / total;
            for (std::size_t c = 0; c < by_class_.size(); ++c) {
                within += scatter_at(c, i, i);
                between += by_class_[c].weight * (by_class_[c].mean[i] - mean) * (by_class_[c].mean[i] - mean);
            }
            largest = std::max(largest, (within + between) / total);
        }
        return largest;
    }

    std::string group_name(std::size_t g) const {
        std::string name;
        std::size_t count = 0;
        for (std::size_t c = 0; c < by_class_.size(); ++c)
            if (done_.parameters.group[c] == g) name = ++count == 1 ? names_.classes[c] : name;
        if (count == by_class_.size() && count > 1) return "the shared covariance";
        return count == 1 ? "the covariance of class " + name : "the covariance shared with class " + name;
    }

    Result<void> shape(const Group& group, std::size_t g) {
        return diagonal_ ? shape_diagonal(group, g) : shape_full(group, g);
    }
    Result<void> shape_diagonal(const Group& group, std::size_t g) {
        const double floor = settings_.variance_floor * largest_variance();
        std::vector<double> variance = group.covariance;
        std::vector<std::string> constant;
        for (std::size_t i = 0; i < d_; ++i) {
            if (!(variance[i] > 0)) constant.push_back(names_.columns[i]);
            variance[i] += floor;
            if (!(variance[i] > 0)) variance[i] = std::numeric_limits<double>::min() * 0x1p60;  // all columns constant
        }
        if (!constant.empty()) {
            if (auto said = say_singular(g, constant, "constant"); !said) return said;
        }
        done_.rank.push_back(static_cast<std::uint32_t>(d_ - constant.size()));
        done_.parameters.shape.push_back(std::move(variance));
        return {};
    }
    Result<void> shape_full(const Group& group, std::size_t g) {
        std::vector<double> factor = group.covariance;
        if (factorize(factor, d_) && dependent_columns(factor, group.covariance).empty()) {
            done_.rank.push_back(static_cast<std::uint32_t>(d_));
            done_.parameters.shape.push_back(std::move(factor));
            return {};
        }
        done_.rank.push_back(numerical_rank(group.covariance));
        double floor =
            std::max(settings_.variance_floor * largest_variance(), std::numeric_limits<double>::min() * 0x1p60);
        for (int tries = 0; tries < 40; ++tries, floor *= 10) {
            factor = group.covariance;
            for (std::size_t i = 0; i < d_; ++i) factor[i * (d_ + 1)] += floor;
            if (!factorize(factor, d_)) continue;
            if (auto said =
                    say_singular(g, dependent_columns(factor, group.covariance, floor), "determined by the others");
                !said)
                return said;
            done_.parameters.shape.push_back(std::move(factor));
            return {};
        }
        return Error(ErrorKind::singular, group_name(g) + " is not finite");
    }
    std::vector<std::string> dependent_columns(const std::vector<double>& factor, const std::vector<double>& covariance,
                                               double lift = 0) const {
        std::vector<std::string> dependent;
        for (std::size_t i = 0; i < d_; ++i) {
            const double pivot = factor[i * (d_ + 1)] * factor[i * (d_ + 1)];
            const double own = covariance[i * (d_ + 1)];
            if (!(own > 0) || pivot <= collinear * own + 4 * lift) dependent.push_back(names_.columns[i]);
        }
        return dependent;
    }
    std::uint32_t numerical_rank(std::vector<double> covariance) const {
        std::vector<double> values(d_);
        for (std::size_t i = 0; i < d_; ++i)
            values[i] = covariance[i * (d_ + 1)] > 0 ? 1 / std::sqrt(covariance[i * (d_ + 1)]) : 0;
        for (std::size_t i = 0; i < d_; ++i)
            for (std::size_t j = 0; j < d_; ++j) covariance[i * d_ + j] *= values[i] * values[j];
        if (!symmetric_eigen(covariance, d_, values)) return 0;
        return static_cast<std::uint32_t>(
            std::ranges::count_if(values, [&](double v) { return v > collinear * static_cast<double>(d_); }));
    }
    Result<void> say_singular(std::size_t g, const std::vector<std::string>& columns, const char* why) {
        std::string list;
        for (std::size_t k = 0; k < columns.size() && k < 5; ++k) list += (k == 0 ? "" : ", ") + columns[k];
        if (columns.size() > 5) list += " and " + std::to_string(columns.size() - 5) + " more";
        const std::string what =
            group_name(g) + " is singular (rank " +
            std::to_string(done_.rank.size() > g ? done_.rank[g] : static_cast<std::uint32_t>(d_ - columns.size())) +
            " of " + std::to_string(d_) + "): " + (list.empty() ? "some columns" : list) +
            (columns.size() == 1 ? " is " : " are ") + why;
        if (settings_.strict) return Error(ErrorKind::singular, what + "; leave them out, or shrink");
        done_.notes.push_back(what + "; a floor was added");
        return {};
    }

    void count_parameters(std::size_t groups) {
        std::size_t each = settings_.covariance == Covariance::spherical ? 1 : d_;
        if (!diagonal_ && settings_.covariance == Covariance::full) each = d_ * (d_ + 1) / 2;
        done_.parameter_count = by_class_.size() * d_ + groups * each;
    }

    // Normal-Wishart posterior with the covariance shared inside groups and a mean of its own for each class.
    Result<EstimatedGaussians> conjugate();

    std::span<const ClassMoments> by_class_;
    const Settings& settings_;
    const GaussianNames& names_;
    std::span<const double> shrinkage_;
    std::size_t d_;
    bool kept_diagonal_ = false;
    bool diagonal_ = false;
    EstimatedGaussians done_;
};

// mean_n = (k0 m0 + n m)/(k0 + n); S_n = S_0 + sum over classes of S + k0 n/(k0 + n) (m - m0)(m - m0)';
// degrees_n = degrees_0 + n. Vague: k0 = 0, S_0 = 0 and one degree lost per mean, as R's MASS has it.
Result<EstimatedGaussians> Estimation::conjugate() {
    const GaussianPrior& prior = settings_.gaussian_prior;
    const double d = static_cast<double>(d_);
    if (!prior.vague) {
        if (prior.mean.size() != d_ || prior.scatter.size() != d_ * d_)
            return Error(ErrorKind::usage, "the Gaussian prior needs " + std::to_string(d_) +
                                               " means and a scatter of as many rows and columns");
        if (!(prior.mean_weight > 0) || !(prior.degrees > d - 1))
            return Error(ErrorKind::usage,
                         "the Gaussian prior needs a positive mean_weight and more degrees than columns less one");
    }
    const std::size_t groups = 1 + *std::ranges::max_element(done_.parameters.group);
    std::vector<Group> posterior(groups);
    for (auto& each : posterior) {
        each.weight = prior.vague ? 0 : prior.degrees;
        each.covariance.assign(cells(), 0.0);
        if (!prior.vague)
            for (std::size_t at = 0; at < cells(); ++at)
                each.covariance[at] = prior.scatter[diagonal_ ? at * (d_ + 1) : at];
    }
    std::vector<double> mean_weight(by_class_.size());
    for (std::size_t c = 0; c < by_class_.size(); ++c) {
        Group& into = posterior[done_.parameters.group[c]];
        const double n = by_class_[c].weight, k0 = prior.vague ? 0 : prior.mean_weight;
        into.weight += prior.vague ? n - 1 : n;
        ++into.class_count;
        mean_weight[c] = k0 + n;
        for (std::size_t at = 0; at < cells(); ++at) into.covariance[at] += cell(c, at);
        if (prior.vague) continue;
        auto& m = done_.parameters.mean[c];
        std::vector<double> way(d_);
        for (std::size_t i = 0; i < d_; ++i) way[i] = m[i] - prior.mean[i];
        const double spread = k0 * n / (k0 + n);
        for (std::size_t at = 0; at < cells(); ++at)
            into.covariance[at] += spread * (diagonal_ ? way[at] * way[at] : way[at / d_] * way[at % d_]);
        for (std::size_t i = 0; i < d_; ++i) m[i] = prior.mean[i] + way[i] * n / (k0 + n);
    }
    const bool predictive = settings_.estimate == Estimate::predictive;
    for (std::size_t g = 0; g < groups; ++g) {
        // Predictive: scatter / degrees of t. Mode of the joint density of mean and precision: degrees_n - d, and one
        // more for each mean that shares the covariance.
        const double classes = static_cast<double>(posterior[g].class_count);
        const double divisor = predictive ? posterior[g].weight - d + 1 : posterior[g].weight - d - 1 + classes;
        if (!(divisor > 0))
            return Error(group_name(g) + " has too few rows for its " + std::to_string(d_) +
                         " columns under this prior");
        for (double& s : posterior[g].covariance) s /= divisor;
        if (settings_.covariance == Covariance::spherical) {
            const double average =
                std::accumulate(posterior[g].covariance.begin(), posterior[g].covariance.end(), 0.0) / d;
            std::ranges::fill(posterior[g].covariance, average);
        }
        if (auto shaped = shape(posterior[g], g); !shaped) return shaped.error();
    }
    if (predictive && !diagonal_)
        for (std::size_t c = 0; c < by_class_.size(); ++c) {
            done_.parameters.degrees.push_back(posterior[done_.parameters.group[c]].weight - d + 1);
            done_.parameters.stretch.push_back(1 + 1 / mean_weight[c]);
        }
    for (std::size_t c = 0; c < by_class_.size(); ++c) {
        GaussianClasses plain = done_.parameters;
        plain.degrees.clear();
        done_.log_likelihood += gaussian_log_likelihood(plain, c, by_class_[c]);
    }
    count_parameters(groups);
    return std::move(done_);
}

}  // namespace

Result<EstimatedGaussians> estimate_gaussians(std::span<const ClassMoments> by_class, const Settings& settings,
                                              const GaussianNames& names, std::span<const double> shrinkage) {
    return Estimation(by_class, settings, names, shrinkage).run();
}

double oas_intensity(std::span<const double> covariance, std::size_t dimension, double weight) {
    if (dimension <= 1) return 0;
    const double d = static_cast<double>(dimension);
    double squares = 0, trace = 0;
    for (double s : covariance) squares += s * s;
    for (std::size_t i = 0; i < dimension; ++i) trace += covariance[i * (dimension + 1)];
    const double mean_square = squares / (d * d), mu = trace / d;
    const double top = mean_square + mu * mu, bottom = (weight + 1) * (mean_square - mu * mu / d);
    return bottom == 0 ? 1 : std::min(top / bottom, 1.0);
}

// The quadratic terms add up to trace(S^-1 scatter) + weight * (distance of the means).
double gaussian_log_likelihood(const GaussianClasses& p, std::size_t c, const ClassMoments& moments) {
    const std::size_t d = p.dimension, g = p.group[c];
    double trace = 0;
    if (p.diagonal) {
        const bool vector = moments.scatter.size() == d;
        for (std::size_t i = 0; i < d; ++i) trace += moments.scatter[vector ? i : i * (d + 1)] / p.shape[g][i];
    } else {
        const auto precision = p.precision(g);
        for (std::size_t at = 0; at < d * d; ++at) trace += precision[at] * moments.scatter[at];
    }
    const auto distance = static_cast<double>(p.squared_distance(c, moments.mean));
    return -0.5 * (moments.weight *
                       (static_cast<double>(d) * std::log(2 * std::numbers::pi) + p.log_determinant(g) + distance) +
                   trace);
}

}  // namespace suffice
