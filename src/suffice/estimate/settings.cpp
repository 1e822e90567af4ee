// Checks settings, and resolves those that name classes.
#include "suffice/estimate/settings.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "suffice/estimate/covariance_structure.hpp"
#include "suffice/family/concepts.hpp"

namespace suffice {
namespace {

Error usage(std::string sentence) { return {ErrorKind::usage, std::move(sentence)}; }
bool is_share(double x) { return x >= 0 && x <= 1; }

template <class T>
bool all_named(const T& value) {
    bool good = true;
    for_each_field(value, [&](const auto&, const auto& member) {
        using Member = std::remove_cvref_t<decltype(member)>;
        if constexpr (NamedEnum<Member>)
            good = good && is_named(member);
        else if constexpr (Fielded<Member>)
            good = good && all_named(member);
    });
    return good;
}

std::string joined(const std::vector<std::string>& names) {
    std::string all;
    for (const auto& name : names) all += (all.empty() ? "" : ", ") + name;
    return all;
}

}  // namespace

Result<void> Settings::check() const {
    if (!all_named(*this)) return usage("a setting has a value that is not one of its choices");
    Result<void> outcome;  // what a codec has not seen: members set by programs, and files
    for_each_field(*this, [&](const auto& each, const auto& member) {
        if constexpr (std::floating_point<std::remove_cvref_t<decltype(member)>>) {
            double kept = 0;
            if (outcome) outcome = read_setting(each.name, {member}, each.about.range, kept);
        }
    });
    if (!outcome) return outcome;
    if (!is_share(shrinkage.amount)) return usage("shrinkage must lie between 0 and 1");
    if (covariance != Covariance::full && !shrinkage.is_known())
        return usage(
            "the shrinkage of a diagonal covariance is a number: rules that choose it are of full covariances");
    if (!is_share(toward_identity)) return usage("the weight of the identity must lie between 0 and 1");
    if (!std::ranges::all_of(column_smoothing, [](double each) { return each >= 0 && std::isfinite(each); }))
        return usage("the smoothing of columns must be zero or positive numbers");
    if (!(added_variance >= 0)) return usage("the added variance must be zero or a positive number");
    if (complement && presence) return usage("the complement form counts words; it cannot go by presence alone");
    if (!(priors.smoothing >= 0)) return usage("the smoothing of class priors must be zero or a positive number");
    if (sharing == Sharing::groups && groups.empty())
        return usage("no groups of classes that share a covariance are given, such as a,b;c");
    if (points.bandwidth.rule == BandwidthRule::given &&
        !(points.bandwidth.width > 0 && std::isfinite(points.bandwidth.width)))
        return usage("the bandwidth must be a positive number");
    for (const double each : priors.concentration)
        if (!(each > 0 && std::isfinite(each)))
            return usage("the concentrations of a Dirichlet prior must be positive numbers");
    if ((priors.rule == PriorRule::dirichlet) == priors.concentration.empty())
        return usage("a Dirichlet prior has one concentration, or one for each class");
    double total = 0;
    for (const auto& given : priors.given) {
        if (!is_share(given.probability))
            return usage("the prior of class " + given.of_class + " must lie between 0 and 1");
        total += given.probability;
    }
    if (priors.rule == PriorRule::given && std::abs(total - 1) > 1e-6)
        return usage("the class priors sum to " + std::to_string(total) + ", not to 1");
    return {};
}

Result<std::vector<std::uint32_t>> group_of_class(const Settings& settings, const std::vector<std::string>& classes) {
    std::vector<std::uint32_t> group(classes.size(), 0);
    const bool structured = parsimonious_structure(settings).has_value();
    if (settings.sharing == Sharing::own || structured) std::iota(group.begin(), group.end(), 0u);
    if (settings.sharing != Sharing::groups || structured) return group;
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

Result<std::vector<double>> class_pseudo_counts(const Settings& settings, std::size_t class_count) {
    const ClassPriors& priors = settings.priors;
    if (priors.rule != PriorRule::dirichlet) return std::vector<double>(class_count, priors.smoothing);
    if (priors.concentration.size() != 1 && priors.concentration.size() != class_count)
        return usage("the Dirichlet prior has " + std::to_string(priors.concentration.size()) + " concentrations for " +
                     std::to_string(class_count) + " classes");
    std::vector<double> added(class_count, priors.concentration[0]);
    if (priors.concentration.size() == class_count) added = priors.concentration;
    for (double& each : added) each -= settings.estimate == Estimate::predictive ? 0 : 1;
    return added;
}

Result<std::vector<double>> log_class_priors(const Settings& settings, const std::vector<std::string>& classes,
                                             const std::vector<double>& class_weight) {
    const std::size_t count = classes.size();
    std::vector<double> prior(count, 1.0 / static_cast<double>(count));
    if (settings.priors.rule == PriorRule::empirical || settings.priors.rule == PriorRule::dirichlet) {
        const auto added = class_pseudo_counts(settings, count);
        if (!added) return added.error();
        double total = 0;
        for (std::size_t c = 0; c < count; ++c) total += prior[c] = std::max(class_weight[c] + (*added)[c], 0.0);
        if (!(total > 0)) return Error("there are no labelled rows to fit");
        for (double& each : prior) each /= total;
    } else if (settings.priors.rule == PriorRule::given) {
        std::ranges::fill(prior, 0.0);
        for (const auto& given : settings.priors.given) {
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
