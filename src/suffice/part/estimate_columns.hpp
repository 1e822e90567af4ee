// Statistics of the columns of one family -> scorers: plug-in parameters, or posterior predictives.
#pragma once
#include <algorithm>

#include "suffice/data/schema.hpp"
#include "suffice/estimate/column.hpp"
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

// The floor under variances: a share of the widest column's.
template <class F>
double spread_floor(const FamilyPart<F>& part, const Settings& settings) {
    double largest = 0;
    if constexpr (CollapsibleFamily<F>)
        for (std::size_t k = 0; k < part.columns.size(); ++k)
            largest = std::max(largest, part.family[k].spread(part.whole(k)));
    return settings.variance_floor * largest;
}

// Plug-in: the mode of the posterior where there is a prior, else the likelihood's. Where the predictive of one value
// is the plug-in at the posterior mean (flags, categories) it stays a plug-in.
template <class F>
Result<typename F::Parameter> learn_parameter(const F& family, const typename F::Statistic& seen,
                                              const OptionalPrior<F>& prior, Estimate estimate, double floor) {
    if constexpr (ConjugateFamily<F>)
        if (prior) {
            const auto posterior = family.posterior(*prior, seen);
            return estimate == Estimate::predictive ? family.expected(posterior) : family.most_probable(posterior);
        }
    auto parameter = likely_parameter(family, seen, estimate);
    if constexpr (CollapsibleFamily<F>)
        if (parameter) family.widen(*parameter, floor);
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
    const double floor = spread_floor(part, settings);
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
        for (std::size_t c = 0; c < class_count; ++c) {
            auto learned = learn_parameter(part.family[k], part.seen(c, k, whole), *prior, settings.estimate, floor);
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
