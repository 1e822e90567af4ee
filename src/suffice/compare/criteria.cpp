// Judges likelihoods, and integrates parameters out.
#include "suffice/compare/criteria.hpp"

#include <algorithm>

#include "suffice/family/all.hpp"
#include "suffice/math/special.hpp"
#include "suffice/model/model_table.hpp"
#include "suffice/part/family_part.hpp"

namespace suffice {
namespace {

// nullopt: a column of the Part has no conjugate prior.
template <class F>
std::optional<double> part_evidence(const FamilyPart<F>& part, const Settings& settings, const Schema& schema) {
    double sum = 0;
    for (std::size_t k = 0; k < part.columns.size(); ++k) {
        const auto whole = part.whole(k);
        if (!(whole.weight() > 0)) continue;
        auto prior = column_prior(part.family[k], settings, schema.columns[part.columns[k]].name, whole);
        if (!prior) return std::nullopt;
        if constexpr (std::same_as<F, Gaussian>)
            if (const VarianceRule rule(settings, spread_within(part, k), whole); !*prior && rule.rows() > 0)
                *prior = rule.conjugate();
        if (!*prior) return std::nullopt;
        for (const auto& row : part.by_class)
            if (row[k].weight() > 0) sum += part.family[k].log_evidence(**prior, row[k]);
    }
    return sum;
}

}  // namespace

bool joint_likelihood(const Predictor& model, const Settings& settings) {
    const ModelEntry* entry = find_model(model.name());
    if (entry == nullptr || !entry->densities || entry->numbers == NumberForm::as_points) return false;
    if (settings.shrinkage.rule != ShrinkageRule::none || settings.alpha < 1 || settings.gamma > 0 ||
        settings.estimate == Estimate::predictive)
        return false;
    return std::ranges::none_of(model.notes(), &Note::degenerate);
}

std::optional<double> log_evidence(const ModelStatistic& statistic, const Settings& settings) {
    Settings conjugate = settings;
    conjugate.estimate = Estimate::predictive;
    if (statistic.parts.empty() || settings.adds_share()) return std::nullopt;
    double sum = log_gamma(static_cast<double>(statistic.class_weight.size())), rows = 0;
    for (const double weight : statistic.class_weight) {
        sum += log_gamma(weight + 1);
        rows += weight + 1;
    }
    sum -= log_gamma(rows);
    for (const Part& part : statistic.parts) {
        std::optional<double> own;
        for_each_family([&]<class F>() {
            if constexpr (ColumnFamily<F> && ConjugateFamily<F>)
                if (const auto* columns = part.as<FamilyPart<F>>())
                    own = part_evidence(*columns, conjugate, statistic.schema);
        });
        if (!own) return std::nullopt;
        sum += *own;
    }
    return sum;
}

}  // namespace suffice
