// Gaussian and categorical columns, which have scorers of their own.
#include "suffice/part/estimate_columns.hpp"

#include "suffice/estimate/gaussians.hpp"
#include "suffice/part/family_part.hpp"
#include "suffice/score/table_scorer.hpp"

namespace suffice {

Result<Estimated> estimate_columns(const FamilyPart<Gaussian>& part, const Settings& settings, const Schema& schema) {
    const std::size_t class_count = part.by_class.size();
    Settings columnwise = settings;
    if (columnwise.covariance == Covariance::full) columnwise.covariance = Covariance::diagonal;
    const bool by_column = settings.sharing == Sharing::own && columnwise.covariance == Covariance::diagonal &&
                           settings.gaussian_prior.vague;
    GaussianNames names{schema.classes, {}};
    std::vector<std::uint32_t> columns;
    std::vector<std::vector<Gaussian::Statistic>> moments(class_count);
    std::vector<std::pair<std::size_t, Gaussian::Prior>> with_prior;  // position among `columns`, or predictive
    LearnedColumns<Gaussian, Gaussian::Prior> predictive(class_count);
    Estimated done;
    for (std::size_t k = 0; k < part.columns.size(); ++k) {
        const std::string& name = schema.columns[part.columns[k]].name;
        const auto whole = part.whole(k);
        if (!(whole.weight() > 0)) continue;
        auto prior = column_prior(Gaussian{}, settings, name, whole);
        if (!prior) return prior.error();
        if (const VarianceRule rule(settings, spread_within(part, k), whole);
            !*prior && settings.estimate == Estimate::predictive && rule.rows() > 0 && by_column)
            *prior = rule.conjugate();
        if (*prior && settings.estimate == Estimate::predictive) {
            learn_posteriors(part, k, **prior, predictive, done.log_likelihood);
            done.parameter_count += 2 * class_count;
            continue;
        }
        if (*prior) with_prior.emplace_back(columns.size(), **prior);
        columns.push_back(part.columns[k]);
        names.columns.push_back(name);
        for (std::size_t c = 0; c < class_count; ++c) moments[c].push_back(part.seen(c, k, whole));
    }
    if (!columns.empty()) {
        auto gaussians = estimate_gaussian_columns(moments, columnwise, names);
        if (!gaussians) return gaussians.error();
        if (!with_prior.empty() && columnwise.sharing != Sharing::own)
            return Error(ErrorKind::usage, "a column's prior needs a variance of its own in each class");
        for (const auto& [at, prior] : with_prior)
            for (std::size_t c = 0; c < class_count; ++c) {
                const auto mode = Gaussian{}.most_probable(Gaussian{}.posterior(prior, moments[c][at]));
                if (!mode) return Error(mode.error()).in_column(names.columns[at]);
                gaussians->parameters.mean[c][at] = mode->mean;
                gaussians->parameters.shape[c][at] = mode->variance;
            }
        done.log_likelihood += gaussians->log_likelihood;
        done.parameter_count += gaussians->parameter_count;
        done.notes = std::move(gaussians->notes);
        done.scorers.push_back(gaussian_scorer(columns, std::move(gaussians->parameters)));
    }
    if (!predictive.columns.empty())
        done.scorers.push_back(std::make_unique<PredictiveScorer<Gaussian>>(predictive.columns, predictive.family,
                                                                            std::move(predictive.by_class)));
    return done;
}

Result<Estimated> estimate_columns(const FamilyPart<Categorical>& part, const Settings& settings,
                                   const Schema& schema) {
    const std::size_t class_count = part.by_class.size();
    Estimated done;
    LevelTables tables;
    tables.class_count = class_count;
    for (std::size_t k = 0; k < part.columns.size(); ++k) {
        const std::string& name = schema.columns[part.columns[k]].name;
        const auto whole = part.whole(k);
        if (!(whole.weight() > 0)) continue;
        const auto prior = column_prior(part.family[k], settings, name, whole);
        if (!prior) return prior.error();
        const std::size_t levels = part.family[k].level_count;
        std::vector<double> table((levels + 1) * class_count);
        for (std::size_t c = 0; c < class_count; ++c) {
            const auto& seen = part.seen(c, k, whole);
            const auto learned =
                learn_parameter(part.family[k], seen, *prior, settings.estimate, Lift<Categorical>(part, k, settings));
            if (!learned) return Error(learned.error()).in_column(name);
            done.log_likelihood += part.family[k].log_likelihood(*learned, part.by_class[c][k]);
            for (std::size_t level = 0; level < levels; ++level)
                table[level * class_count + c] = learned->log_probability[level];
            // An unseen level scores as a level of count 0; without smoothing it tells nothing.
            if (*prior && settings.smoothing > 0)
                table[levels * class_count + c] =
                    std::log(settings.smoothing / (seen.weight() + settings.smoothing * static_cast<double>(levels)));
        }
        done.parameter_count += class_count * part.family[k].parameter_count();
        tables.columns.push_back(part.columns[k]);
        tables.level_count.push_back(static_cast<std::uint32_t>(levels));
        tables.log_probability.push_back(std::move(table));
    }
    if (!tables.columns.empty()) done.scorers.push_back(table_scorer(std::move(tables)));
    return done;
}

}  // namespace suffice
