// Pools, shrinks and factorises full covariances.
#include "suffice/estimate/gaussians.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <optional>

#include "suffice/estimate/covariance_structure.hpp"
#include "suffice/estimate/ledoit_wolf.hpp"
#include "suffice/estimate/reduced_rank.hpp"
#include "suffice/estimate/singular_groups.hpp"
#include "suffice/estimate/variance_rule.hpp"
#include "suffice/math/cholesky.hpp"
#include "suffice/math/collinear.hpp"

namespace suffice {
namespace {

// A pivot below this share of its column's variance means that the other columns determine the column.
constexpr double collinear = 1e-11;

// Of the variance of all rows in a column: no class has less, unless it is constant.
constexpr double least_share = 1e-9;

constexpr std::size_t most_columns_named = 5;  // that determine others

struct Group {
    double weight = 0;
    std::size_t class_count = 0;
    double divisor = 0;              // of the scatter behind the covariance
    std::vector<double> covariance;  // d x d
};

class FullEstimation {
public:
    FullEstimation(std::span<const ClassMoments> by_class, const Settings& settings, const GaussianNames& names,
                   std::span<const double> shrinkage, Telling telling, std::span<const std::uint32_t> drawn)
        : by_class_(by_class),
          settings_(settings),
          names_(names),
          shrinkage_(shrinkage),
          telling_(telling),
          d_(by_class[0].mean.size()) {
        done_.drawn.assign(drawn.begin(), drawn.end());
    }

    Result<EstimatedGaussians> run() {
        auto group = group_of_class(settings_, names_.classes);
        if (!group) return group.error();
        auto& p = done_.parameters;
        p.dimension = d_;
        p.group = *group;
        for (const auto& each : by_class_) p.mean.emplace_back(each.mean.begin(), each.mean.end());
        groups_.resize(1 + *std::ranges::max_element(*group));
        for (auto& each : groups_) each.covariance.assign(d_ * d_, 0.0);

        const bool conjugate = settings_.estimate == Estimate::map || settings_.estimate == Estimate::predictive;
        if (auto pooled = conjugate ? take_posterior() : pool(); !pooled) return pooled.error();
        if (!conjugate) regularize();
        const auto structure = parsimonious_structure(settings_);
        if (structure)
            if (auto structured = take_structure(*structure); !structured) return structured.error();
        for (std::size_t g = 0; g < groups_.size(); ++g)
            if (auto shaped = shape(g); !shaped) return shaped.error();
        if (auto told = tell_singular(std::move(singular_), settings_, done_); !told) return told.error();
        done_.parameter_count =
            by_class_.size() * d_ + (structure ? covariance_parameter_count(*structure, groups_.size(), d_)
                                               : groups_.size() * d_ * (d_ + 1) / 2);
        if (auto restricted = restrict_rank(); !restricted) return restricted.error();
        if (telling_ == Telling::parameters) return std::move(done_);
        std::vector<std::vector<double>> precision;
        for (std::size_t g = 0; g < p.group_count(); ++g) precision.push_back(p.precision(g));
        for (std::size_t c = 0; c < by_class_.size(); ++c)
            done_.log_likelihood += gaussian_log_likelihood(p, c, by_class_[c], precision[p.group[c]]);
        return std::move(done_);
    }

private:
    // Covariance of a group = sum of its scatters / divisor: n, or n less its classes. Shrinkage with an intensity per
    // class acts before pooling, as in scikit-learn.
    Result<void> pool() {
        const auto share = class_shares();
        if (!share) return share.error();
        for (std::size_t c = 0; c < by_class_.size(); ++c) {
            Group& into = groups_[done_.parameters.group[c]];
            const double own = (*share)[c];
            into.weight += own * by_class_[c].weight;
            ++into.class_count;
            const auto& scatter = by_class_[c].scatter;
            const double shrunk = class_shrinkage(c);
            for (std::size_t at = 0; at < scatter.size(); ++at) into.covariance[at] += own * (1 - shrunk) * scatter[at];
            if (shrunk > 0) add_target(by_class_[c], own * shrunk, into.covariance);
        }
        for (auto& each : groups_) {
            const bool unbiased = settings_.estimate == Estimate::unbiased;
            each.divisor = unbiased ? each.weight - static_cast<double>(each.class_count) : each.weight;
            if (!(each.divisor > 0)) return Error("an unbiased covariance needs more rows than classes");
            for (double& s : each.covariance) s /= each.divisor;
        }
        return {};
    }
    // What a row of each class counts in the pool: one, or so much that the classes weigh as their priors say.
    Result<std::vector<double>> class_shares() const {
        std::vector<double> share(by_class_.size(), 1.0), weight;
        if (!settings_.pool_by_priors) return share;
        for (const auto& each : by_class_) weight.push_back(each.weight);
        const auto log_prior = log_class_priors(settings_, names_.classes, weight);
        if (!log_prior) return log_prior.error();
        const double total = std::accumulate(weight.begin(), weight.end(), 0.0);
        for (std::size_t c = 0; c < share.size(); ++c) share[c] = std::exp((*log_prior)[c]) * total / weight[c];
        return share;
    }
    // What shrinkage goes toward. The sphere: trace/d times the identity, of columns standardised within classes, or
    // within the class where the intensity is automatic.
    void add_target(const ClassMoments& moments, double share, std::vector<double>& into) const {
        const auto own = [&](std::size_t i) { return moments.scatter[i * (d_ + 1)]; };
        if (settings_.shrinkage_target == ShrinkageTarget::sphere) {
            const auto scale =
                settings_.shrinkage.rule == ShrinkageRule::automatic ? standard_scales(moments) : column_scales();
            double trace = 0;
            for (std::size_t i = 0; i < d_; ++i) trace += own(i) / scale[i];
            for (std::size_t i = 0; i < d_; ++i)
                into[i * (d_ + 1)] += share * scale[i] * trace / static_cast<double>(d_);
            return;
        }
        double mean = 0;  // of the correlations
        const auto root = [&](std::size_t i, std::size_t j) { return std::sqrt(own(i) * own(j)); };
        if (settings_.shrinkage_target == ShrinkageTarget::correlation && d_ > 1)
            for (std::size_t i = 0; i < d_; ++i)
                for (std::size_t j = 0; j < i; ++j)
                    if (root(i, j) > 0)
                        mean += 2 * moments.scatter[i * d_ + j] / root(i, j) / static_cast<double>(d_ * (d_ - 1));
        for (std::size_t i = 0; i < d_; ++i)
            for (std::size_t j = 0; j < d_; ++j) into[i * d_ + j] += share * (i == j ? own(i) : mean * root(i, j));
    }
    // By how much each column varies within classes, pooled; one where columns are taken as they are.
    std::vector<double> column_scales() const {
        std::vector<double> scale(d_, 1.0);
        if (settings_.units != Units::standardized || settings_.shrinkage.rule == ShrinkageRule::ledoit_wolf)
            return scale;
        for (std::size_t i = 0; i < d_; ++i) {
            double scatter = 0, weight = 0;
            for (const auto& each : by_class_) scatter += each.scatter[i * (d_ + 1)], weight += each.weight;
            if (scatter > 0) scale[i] = scatter / weight;
        }
        return scale;
    }
    double class_shrinkage(std::size_t c) const {
        switch (settings_.shrinkage.rule) {
            case ShrinkageRule::none:
                return 0;
            case ShrinkageRule::fixed:
                return settings_.shrinkage.amount;
            case ShrinkageRule::oas: {
                std::vector<double> covariance(by_class_[c].scatter.begin(), by_class_[c].scatter.end());
                const auto scale = column_scales();
                for (std::size_t i = 0; i < d_; ++i)
                    for (std::size_t j = 0; j < d_; ++j)
                        covariance[i * d_ + j] /= by_class_[c].weight * std::sqrt(scale[i] * scale[j]);
                return oas_intensity(covariance, d_, by_class_[c].weight);
            }
            case ShrinkageRule::ledoit_wolf:
            case ShrinkageRule::automatic:
                return shrinkage_.empty() ? 0 : shrinkage_[c];
        }
        return 0;
    }

    // Friedman (1989): alpha own + (1 - alpha) pooled, then gamma toward the identity.
    void regularize() {
        if (settings_.alpha < 1) {
            std::vector<double> all(d_ * d_);
            double weight = 0;
            for (const auto& each : groups_) {
                weight += each.weight;
                for (std::size_t at = 0; at < all.size(); ++at) all[at] += each.weight * each.covariance[at];
            }
            for (auto& each : groups_)
                for (std::size_t at = 0; at < all.size(); ++at)
                    each.covariance[at] =
                        settings_.alpha * each.covariance[at] + (1 - settings_.alpha) * all[at] / weight;
        }
        const auto scale = column_scales();
        for (auto& each : groups_) {
            double mean = 0;
            for (std::size_t i = 0; i < d_; ++i)
                mean += each.covariance[i * (d_ + 1)] / scale[i] / static_cast<double>(d_);
            for (double& s : each.covariance) s *= (1 - settings_.gamma) * (1 - settings_.toward_identity);
            const double round = (1 - settings_.toward_identity) * settings_.gamma * mean;
            for (std::size_t i = 0; i < d_; ++i)
                each.covariance[i * (d_ + 1)] +=
                    round * scale[i] + settings_.toward_identity + settings_.added_variance;
        }
    }

    // Normal-Wishart posterior, the covariance shared inside groups and a mean of its own for each class:
    // mean_n = (k0 m0 + n m)/(k0 + n); S_n = S_0 + sum of S + k0 n/(k0 + n) (m - m0)(m - m0)'; degrees_n = degrees_0 +
    // n. Vague: k0 = 0, S_0 = 0 and one degree lost per mean, as R's MASS has it. Then the covariance is S_n / divisor.
    Result<void> take_posterior() {
        const GaussianPrior& prior = settings_.gaussian_prior;
        const double d = static_cast<double>(d_);
        if (auto checked = check_prior(prior, d_); !checked) return checked;
        const double k0 = prior.vague ? 0 : prior.mean_weight;
        for (auto& each : groups_)
            if (!prior.vague) {
                each.weight = prior.degrees;
                each.covariance = prior.scatter;
            }
        for (std::size_t c = 0; c < by_class_.size(); ++c) {
            Group& into = groups_[done_.parameters.group[c]];
            const double n = by_class_[c].weight;
            into.weight += prior.vague ? n - 1 : n;
            ++into.class_count;
            for (std::size_t at = 0; at < d_ * d_; ++at) into.covariance[at] += by_class_[c].scatter[at];
            if (prior.vague) continue;
            auto& m = done_.parameters.mean[c];
            const double spread = k0 * n / (k0 + n);
            for (std::size_t i = 0; i < d_; ++i)
                for (std::size_t j = 0; j < d_; ++j)
                    into.covariance[i * d_ + j] += spread * (m[i] - prior.mean[i]) * (m[j] - prior.mean[j]);
            for (std::size_t i = 0; i < d_; ++i) m[i] = prior.mean[i] + (m[i] - prior.mean[i]) * n / (k0 + n);
        }
        const bool predictive = settings_.estimate == Estimate::predictive;
        for (std::size_t g = 0; g < groups_.size(); ++g) {
            // The mode of the joint density of means and precision has one degree more for each mean.
            const double means = static_cast<double>(groups_[g].class_count);
            const double divisor = groups_[g].weight - d + (predictive ? 1 : means - 1);
            if (!(divisor > 0))
                return Error(covariance_name(g) + " has too few rows for its " + std::to_string(d_) +
                             " columns under this prior");
            groups_[g].divisor = divisor;
            for (double& s : groups_[g].covariance) s /= divisor;
        }
        for (std::size_t c = 0; predictive && c < by_class_.size(); ++c) {
            done_.parameters.degrees.push_back(groups_[done_.parameters.group[c]].weight - d + 1);
            done_.parameters.stretch.push_back(1 + 1 / (k0 + by_class_[c].weight));
        }
        return {};
    }
    // What classes share of their covariances: the most likely ones (or, under a prior on each, the most probable).
    Result<void> take_structure(Parsimonious structure) {
        if (settings_.estimate == Estimate::predictive)
            return Error(ErrorKind::usage,
                         "the structure " + std::string(name_of(structure)) + " has no predictive form");
        std::vector<double> weight;
        std::vector<std::vector<double>> scatter;
        for (auto& each : groups_) {
            weight.push_back(each.divisor);
            for (double& s : each.covariance) s *= each.divisor;
            scatter.push_back(std::move(each.covariance));
        }
        auto found = parsimonious_covariances(structure, weight, scatter, d_);
        for (std::size_t g = 0; g < groups_.size(); ++g) groups_[g].covariance = std::move(found[g]);
        return {};
    }
    // A variance far below that of all rows in its column is rounding, or a component of a mixture that has shrunk onto
    // one row: it is raised to that share.
    void lift(std::vector<double>& covariance) {
        if (settings_.added_variance > 0 || by_class_.size() == 1) return;
        if (overall_.empty())
            for (std::size_t i = 0; i < d_; ++i) {
                Gaussian::Statistic whole;
                for (const auto& each : by_class_) whole.merge({each.weight, each.mean[i], each.scatter[i * (d_ + 1)]});
                overall_.push_back(whole.scatter / whole.total_weight);
            }
        for (std::size_t i = 0; i < d_; ++i) {
            double& variance = covariance[i * (d_ + 1)];
            if (variance > 0) variance = std::max(variance, least_share * overall_[i]);
        }
    }
    // The factor; where there is none, first what the other classes know and then a floor on the diagonal, ten times
    // higher until there is one.
    Result<void> shape(std::size_t g) {
        lift(groups_[g].covariance);
        const auto& covariance = groups_[g].covariance;
        const bool was_drawn = std::ranges::find(done_.drawn, g) != done_.drawn.end();
        std::vector<double> factor = covariance;
        if (!was_drawn && factorize(factor, d_) && independent(factor, covariance)) {
            done_.rank.push_back(static_cast<std::uint32_t>(d_));
            done_.parameters.shape.push_back(std::move(factor));
            return {};
        }
        const auto mixed = mixed_with_pooled(g, was_drawn);
        if (mixed && !was_drawn) done_.drawn.push_back(static_cast<std::uint32_t>(g));
        const auto& cured = mixed ? *mixed : covariance;
        factor = cured;
        const bool regular = factorize(factor, d_) && independent(factor, cured);
        if (!regular && !raise_until_regular(cured, factor))
            return Error(ErrorKind::singular, covariance_name(g) + " is not finite");
        done_.parameters.shape.push_back(std::move(factor));
        if (telling_ == Telling::all)
            note_collinear(g, covariance, !regular ? SingularCure::floor : SingularCure::pooled);
        return {};
    }
    bool raise_until_regular(const std::vector<double>& covariance, std::vector<double>& factor) const {
        const auto floor = floors();
        for (auto [tries, times] = std::pair(0, 1.0); tries < 300; ++tries, times *= 10) {
            factor = covariance;
            for (std::size_t i = 0; i < d_; ++i) factor[i * (d_ + 1)] += times * floor[i];
            if (factorize(factor, d_)) return true;
        }
        return false;
    }
    // A class of few rows, or constant in a column, would be infinitely sure of what it has never seen otherwise. Under
    // a prior around the pooled covariance, worth as many rows as that of naive Bayes, it knows about as much as it has
    // seen. Nothing where that cures nothing, or where the units of columns count and scikit-learn's rules hold.
    std::optional<std::vector<double>> mixed_with_pooled(std::size_t g, bool certainly) const {
        if (groups_.size() < 2 || settings_.units != Units::standardized || settings_.adds_share() ||
            parsimonious_structure(settings_) || !(settings_.variance_rows > 0))
            return std::nullopt;
        std::vector<double> mixed = groups_[g].covariance;
        double all = 0;
        for (const auto& each : groups_) all += each.weight;
        const double own = groups_[g].weight / (groups_[g].weight + settings_.variance_rows);
        for (double& s : mixed) s *= own;
        for (const auto& each : groups_)
            for (std::size_t at = 0; at < mixed.size(); ++at)
                mixed[at] += (1 - own) * each.weight / all * each.covariance[at];
        std::vector<double> factor = mixed;
        if (certainly || (factorize(factor, d_) && independent(factor, mixed))) return mixed;
        const double little = collinear * static_cast<double>(d_);
        if (find_collinear(mixed, d_, little).rank <= find_collinear(groups_[g].covariance, d_, little).rank)
            return std::nullopt;
        return mixed;
    }
    // The means keep r (k - 1 + d - r) parameters beside their centre: those of a matrix of rank r.
    Result<void> restrict_rank() {
        if (settings_.rank == 0) return {};
        if (settings_.sharing != Sharing::all || settings_.estimate == Estimate::predictive)
            return Error(ErrorKind::usage, "a reduced rank needs one covariance that all classes share, plugged in");
        std::vector<double> weight;
        for (const auto& each : by_class_) weight.push_back(each.weight);
        const auto log_prior = log_class_priors(settings_, names_.classes, weight);
        if (!log_prior) return log_prior.error();
        const auto coordinates = discriminant_coordinates(done_.parameters, *log_prior);
        const std::size_t r = settings_.rank, k = by_class_.size();
        if (r >= coordinates.count()) return {};
        reduce_rank(done_.parameters, coordinates, r);
        done_.parameter_count = d_ + r * (k - 1 + d_ - r) + d_ * (d_ + 1) / 2;
        return {};
    }
    // What each variance gains at least where a covariance is singular: a share of its own column's, or scikit-learn's.
    std::vector<double> floors() const {
        std::vector<double> floor(d_);
        double largest = 0;
        for (std::size_t i = 0; i < d_; ++i) {
            Gaussian::Statistic whole;
            for (const auto& each : by_class_) whole.merge({each.weight, each.mean[i], each.scatter[i * (d_ + 1)]});
            floor[i] = std::max(least_variance_share * overall_variance(whole), 0x1p-900);
            largest = std::max(largest, Gaussian{}.spread(whole));
        }
        if (settings_.adds_share())
            std::ranges::fill(floor, std::max(settings_.added_variance_share * largest, 0x1p-900));
        return floor;
    }
    bool independent(const std::vector<double>& factor, const std::vector<double>& covariance) const {
        for (std::size_t i = 0; i < d_; ++i) {
            const double pivot = factor[i * (d_ + 1)] * factor[i * (d_ + 1)], own = covariance[i * (d_ + 1)];
            if (!(own > 0) || pivot <= collinear * own) return false;
        }
        return true;
    }
    std::string covariance_name(std::size_t g) const {
        const std::string classes = names_.classes_of(done_.parameters.group, g);
        return classes.empty() ? "the shared covariance" : "the covariance of " + classes;
    }
    void note_collinear(std::size_t g, const std::vector<double>& covariance, SingularCure cure) {
        const Collinear found = find_collinear(covariance, d_, collinear * static_cast<double>(d_));
        done_.rank.push_back(static_cast<std::uint32_t>(found.rank));
        std::vector<std::string> determined;
        for (auto column : found.determined) determined.push_back(names_.columns[column]);
        std::string why = found.rank < d_ ? "determined by the others" : "nearly determined by the others";
        if (found.by.empty() && !determined.empty()) {
            why = "constant";
        } else if (!determined.empty() && found.by.size() + determined.size() <= most_columns_named) {
            why = "determined by ";
            for (std::size_t k = 0; k < found.by.size(); ++k) why += (k == 0 ? "" : ", ") + names_.columns[found.by[k]];
        }
        singular_.push_back({singular_.empty() ? names_.classes_of(done_.parameters.group, g) : "", found.rank,
                             std::move(determined), std::move(why), cure});
    }

    std::span<const ClassMoments> by_class_;
    const Settings& settings_;
    const GaussianNames& names_;
    std::span<const double> shrinkage_;
    Telling telling_;
    std::size_t d_;
    std::vector<Group> groups_;
    std::vector<SingularGroup> singular_;
    std::vector<double> overall_;  // variance of each column, classes together
    EstimatedGaussians done_;
};

}  // namespace

std::string GaussianNames::classes_of(const std::vector<std::uint32_t>& group_of, std::size_t which) const {
    const auto count = static_cast<std::size_t>(std::ranges::count(group_of, which));
    if (count == group_of.size() && count > 1) return {};
    const std::string& first = classes[static_cast<std::size_t>(std::ranges::find(group_of, which) - group_of.begin())];
    return (count == 1 ? "class " : "the group of class ") + first;
}

Result<void> check_prior(const GaussianPrior& prior, std::size_t columns) {
    if (prior.vague) return {};
    if (prior.mean.size() != columns || prior.scatter.size() != columns * columns)
        return Error(ErrorKind::usage, "the Gaussian prior needs " + std::to_string(columns) +
                                           " means and a scatter of as many rows and columns");
    if (!(prior.mean_weight > 0) || !(prior.degrees > static_cast<double>(columns) - 1))
        return Error(ErrorKind::usage,
                     "the Gaussian prior needs a positive mean_weight and more degrees than columns less one");
    return {};
}

Result<EstimatedGaussians> estimate_gaussians(std::span<const ClassMoments> by_class, const Settings& settings,
                                              const GaussianNames& names, std::span<const double> shrinkage,
                                              Telling telling, std::span<const std::uint32_t> drawn) {
    for (std::size_t c = 0; c < by_class.size(); ++c)
        if (!(by_class[c].weight > 0)) return Error("the class " + names.classes[c] + " has no rows");
    if (settings.covariance == Covariance::full)
        return FullEstimation(by_class, settings, names, shrinkage, telling, drawn).run();
    std::vector<std::vector<Gaussian::Statistic>> columns(by_class.size());
    for (std::size_t c = 0; c < by_class.size(); ++c)
        for (std::size_t i = 0; i < by_class[c].mean.size(); ++i)
            columns[c].push_back(
                {by_class[c].weight, by_class[c].mean[i], by_class[c].scatter[i * (by_class[c].mean.size() + 1)]});
    return estimate_gaussian_columns(columns, settings, names);
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
double gaussian_log_likelihood(const GaussianClasses& p, std::size_t c, const ClassMoments& moments,
                               std::span<const double> known_precision) {
    const std::size_t d = p.dimension, g = p.group[c];
    double trace = 0;
    if (p.diagonal) {
        for (std::size_t i = 0; i < d; ++i) trace += moments.scatter[i * (d + 1)] / p.shape[g][i];
    } else {
        const auto made = known_precision.empty() ? p.precision(g) : std::vector<double>{};
        const auto precision = known_precision.empty() ? std::span<const double>(made) : known_precision;
        for (std::size_t at = 0; at < d * d; ++at) trace += precision[at] * moments.scatter[at];
    }
    const bool at_mean = std::ranges::equal(moments.mean, p.mean[c]);
    const double distance = at_mean ? 0 : static_cast<double>(p.squared_distance(c, moments.mean));
    const double constant = static_cast<double>(d) * std::log(2 * std::numbers::pi) + p.log_determinant(g);
    return -0.5 * (moments.weight * (constant + distance) + trace);
}

}  // namespace suffice
