// Checks settings, and resolves those that name classes.
#include "suffice/estimate/settings.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "suffice/family/concepts.hpp"

namespace suffice {
namespace {

Error usage(std::string sentence) { return {ErrorKind::usage, std::move(sentence)}; }
bool is_share(double x) { return x >= 0 && x <= 1; }

// A file may hold any number where an enumerator is meant; tables are looked up by it.
template <class Enumerator>
bool is_named(Enumerator value, Enumerator last) {
    return value <= last;
}
bool all_named(const Settings& s) {
    return is_named(s.estimate, Estimate::predictive) && is_named(s.covariance, Covariance::spherical) &&
           is_named(s.sharing, Sharing::groups) && is_named(s.shrinkage, Shrinkage::automatic) &&
           is_named(s.class_priors, ClassPriors::given) &&
           is_named(s.document_length, DocumentLength::negative_binomial) &&
           is_named(s.ngram_smoothing, NgramSmoothing::kneser_ney) && is_named(s.points.form, PointsForm::nearest) &&
           is_named(s.points.kernel, KernelShape::cosine) && is_named(s.points.rule, BandwidthRule::sheather_jones) &&
           is_named(s.points.scale, BandwidthScale::covariance);
}

std::string joined(const std::vector<std::string>& names) {
    std::string all;
    for (const auto& name : names) all += (all.empty() ? "" : ", ") + name;
    return all;
}

}  // namespace

Result<void> Settings::check() const {
    if (!all_named(*this)) return usage("a setting has a value that is not one of its choices");
    if (!(smoothing >= 0) || std::isinf(smoothing)) return usage("smoothing must be zero or a positive number");
    if (!(variance_floor >= 0) || std::isinf(variance_floor))
        return usage("the variance floor must be zero or a positive number");
    if (!(added_variance >= 0) || std::isinf(added_variance))
        return usage("the added variance must be zero or a positive number");
    if (!is_share(shrinkage_amount)) return usage("shrinkage must lie between 0 and 1");
    if (!is_share(own_share)) return usage("alpha must lie between 0 and 1");
    if (!is_share(identity_share)) return usage("gamma must lie between 0 and 1");
    if (!(min_documents >= 0) || !(max_documents >= 0))
        return usage("the least and most documents of a word must be zero or a positive number");
    if (complement && presence) return usage("the complement form counts words; it cannot go by presence alone");
    if (!(class_smoothing >= 0)) return usage("the smoothing of class priors must be zero or a positive number");
    if (sharing == Sharing::groups && groups.empty())
        return usage("no groups of classes that share a covariance are given, such as a,b;c");
    if (points.rule == BandwidthRule::given && !(points.bandwidth > 0 && std::isfinite(points.bandwidth)))
        return usage("the bandwidth must be a positive number");
    double total = 0;
    for (const auto& given : given_priors) {
        if (!is_share(given.probability))
            return usage("the prior of class " + given.of_class + " must lie between 0 and 1");
        total += given.probability;
    }
    if (class_priors == ClassPriors::given && std::abs(total - 1) > 1e-6)
        return usage("the class priors sum to " + std::to_string(total) + ", not to 1");
    return {};
}

Result<std::vector<std::uint32_t>> group_of_class(const Settings& settings, const std::vector<std::string>& classes) {
    std::vector<std::uint32_t> group(classes.size(), 0);
    if (settings.sharing == Sharing::own) std::iota(group.begin(), group.end(), 0u);
    if (settings.sharing != Sharing::groups) return group;
    constexpr auto nowhere = ~std::uint32_t{0};
    std::ranges::fill(group, nowhere);
    for (std::uint32_t g = 0; g < settings.groups.size(); ++g)
        for (const auto& name : settings.groups[g]) {
            const auto found = std::ranges::find(classes, name);
            if (found == classes.end())
                return usage("the groups name the class " + name + ", which is not one of " + joined(classes));
            auto& place = group[static_cast<std::size_t>(found - classes.begin())];
            if (place != nowhere) return usage("the class " + name + " is in two groups");
            place = g;
        }
    for (std::size_t c = 0; c < classes.size(); ++c)
        if (group[c] == nowhere) return usage("the class " + classes[c] + " is in none of the groups");
    return group;
}

Result<std::vector<double>> log_class_priors(const Settings& settings, const std::vector<std::string>& classes,
                                             const std::vector<double>& class_weight) {
    const std::size_t count = classes.size();
    std::vector<double> prior(count, 1.0 / static_cast<double>(count));
    if (settings.class_priors == ClassPriors::empirical) {
        const double total = std::accumulate(class_weight.begin(), class_weight.end(), 0.0) +
                             settings.class_smoothing * static_cast<double>(count);
        if (!(total > 0)) return Error("there are no labelled rows to fit");
        for (std::size_t c = 0; c < count; ++c) prior[c] = (class_weight[c] + settings.class_smoothing) / total;
    } else if (settings.class_priors == ClassPriors::given) {
        std::ranges::fill(prior, 0.0);
        for (const auto& given : settings.given_priors) {
            const auto found = std::ranges::find(classes, given.of_class);
            if (found == classes.end())
                return usage("the priors name the class " + given.of_class + ", which is not one of " +
                             joined(classes));
            prior[static_cast<std::size_t>(found - classes.begin())] = given.probability;
        }
    }
    for (double& p : prior) p = std::log(std::max(p, smallest_probability));
    return prior;
}

}  // namespace suffice
