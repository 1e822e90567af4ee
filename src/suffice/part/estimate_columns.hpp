// Statistics of the columns of one family -> scorers: plug-in parameters, or posterior predictives.
#pragma once
#include <algorithm>

#include "suffice/data/schema.hpp"
#include "suffice/estimate/column.hpp"
#include "suffice/estimate/variance_rule.hpp"
#include "suffice/family/categorical.hpp"
#include "suffice/family/gaussian.hpp"
#include "suffice/score/linear_scorer.hpp"
#include "suffice/score/predictive_scorer.hpp"

namespace suffice {

template <ColumnFamily F>
struct FamilyPart;

// Columns that go into one scorer, and what was learned of each: by class, then by column.
template <class F, class Learned>
struct LearnedColumns {
    std::vector<std::uint32_t> columns;
    std::vector<F> family;
    std::vector<std::vector<Learned>> by_class;

    explicit LearnedColumns(std::size_t class_count) : by_class(class_count) {}
    void add_column(std::uint32_t column, const F& shape) {
        columns.push_back(column);
        family.push_back(shape);
    }
};

// The variance that column k has within classes, pooled.
template <class F>
double spread_within(const FamilyPart<F>& part, std::size_t k) {
    double scatter = 0, weight = 0;
    for (const auto& row : part.by_class) {
        scatter += row[k].weight() * part.family[k].spread(row[k]);
        weight += row[k].weight();
    }
    return weight > 0 ? scatter / weight : 0;
}

// What lifts the variances of column k, where its family can collapse to a point.
template <class F>
struct Lift {
    double share = 0;  // scikit-learn's, added to all
    std::optional<VarianceRule> rule = {};

    Lift(const FamilyPart<F>& part, std::size_t k, const Settings& settings) {
        if constexpr (CollapsibleFamily<F>) {
            const auto whole = part.whole(k);
            rule.emplace(settings, spread_within(part, k), moments(part.family[k], whole));
            if (!settings.adds_share()) return;
            for (std::size_t at = 0; at < part.columns.size(); ++at)
                share = std::max(share, settings.added_variance_share * part.family[at].spread(part.whole(at)));
        }
    }
    void operator()(const F& family, const typename F::Statistic& seen, typename F::Parameter& parameter) const {
        if constexpr (CollapsibleFamily<F>) {
            const double own = family.spread(seen), n = seen.weight();
            family.widen(parameter, rule->rows() / (n + rule->rows()) * (rule->centre() - own) + share);
            const double now = own + rule->rows() / (n + rule->rows()) * (rule->centre() - own) + share;
            if (rule->lifts(now)) family.widen(parameter, (*rule)(now)-now);
        }
    }

private:
    static Gaussian::Statistic moments(const F& family, const typename F::Statistic& whole) {
        if constexpr (std::same_as<typename F::Statistic, Gaussian::Statistic>)
            return whole;
        else
            return {whole.weight(), 0, whole.weight() * family.spread(whole)};
    }
};

// Plug-in: the mode of the posterior where there is a prior, else the likelihood's. Where the predictive of one value
// is the plug-in at the posterior mean (flags, categories) it stays a plug-in.
template <class F>
Result<typename F::Parameter> learn_parameter(const F& family, const typename F::Statistic& seen,
                                              const OptionalPrior<F>& prior, Estimate estimate, const Lift<F>& lift) {
    if constexpr (ConjugateFamily<F>)
        if (prior) {
            const auto posterior = family.posterior(*prior, seen);
            return estimate == Estimate::predictive ? family.expected(posterior) : family.most_probable(posterior);
        }
    auto parameter = likely_parameter(family, seen, estimate);
    if (parameter) lift(family, seen, *parameter);
    return parameter;
}

// Posterior predictives of column k, one per class; the log-likelihood gains the evidence of their rows.
template <ConjugateFamily F>
void learn_posteriors(const FamilyPart<F>& part, std::size_t k, const typename F::Prior& prior,
                      LearnedColumns<F, typename F::Prior>& into, double& log_likelihood) {
    into.add_column(part.columns[k], part.family[k]);
    for (std::size_t c = 0; c < part.by_class.size(); ++c) {
        log_likelihood += part.family[k].log_evidence(prior, part.by_class[c][k]);
        into.by_class[c].push_back(part.family[k].posterior(prior, part.by_class[c][k]));
    }
}

template <class F>
Result<Estimated> estimate_columns(const FamilyPart<F>& part, const Settings& settings, const Schema& schema) {
    const std::size_t class_count = part.by_class.size();
    Estimated done;
    LearnedColumns<F, typename F::Parameter> plain(class_count);
    LearnedColumns<F, typename PriorOf<F>::Type> predictive(class_count);
    for (std::size_t k = 0; k < part.columns.size(); ++k) {
        const std::string& name = schema.columns[part.columns[k]].name;
        const auto whole = part.whole(k);
        if (!(whole.weight() > 0)) continue;  // never seen: tells nothing
        done.parameter_count += class_count * part.family[k].parameter_count();
        const auto prior = column_prior(part.family[k], settings, name, whole);
        if (!prior) return prior.error();
        if constexpr (ConjugateFamily<F> && !SmoothedFamily<F>)
            if (*prior && settings.estimate == Estimate::predictive) {
                learn_posteriors(part, k, **prior, predictive, done.log_likelihood);
                continue;
            }
        plain.add_column(part.columns[k], part.family[k]);
        const Lift<F> lift(part, k, settings);
        for (std::size_t c = 0; c < class_count; ++c) {
            auto learned = learn_parameter(part.family[k], part.seen(c, k, whole), *prior, settings.estimate, lift);
            if (!learned) return Error(learned.error()).in_column(name);
            done.log_likelihood += part.family[k].log_likelihood(*learned, part.by_class[c][k]);
            plain.by_class[c].push_back(std::move(*learned));
        }
    }
    if (!plain.columns.empty())
        done.scorers.push_back(
            std::make_unique<LinearScorer<F>>(plain.columns, plain.family, std::move(plain.by_class)));
    if constexpr (ConjugateFamily<F>)
        if (!predictive.columns.empty())
            done.scorers.push_back(std::make_unique<PredictiveScorer<F>>(predictive.columns, predictive.family,
                                                                         std::move(predictive.by_class)));
    return done;
}

// Gaussian columns may share variances between classes or columns, and have kernels of their own.
Result<Estimated> estimate_columns(const FamilyPart<Gaussian>& part, const Settings& settings, const Schema& schema);
// Categories are looked up in tables.
Result<Estimated> estimate_columns(const FamilyPart<Categorical>& part, const Settings& settings, const Schema& schema);

}  // namespace suffice
