// One line for each model that is fitted by repeated passes.
#include "suffice/flow/fit_by_passes.hpp"

#include <algorithm>

#include "suffice/estimate/logistic_evidence.hpp"
#include "suffice/flow/column_names.hpp"
#include "suffice/model/fit_features.hpp"
#include "suffice/model/mixture_unlabeled.hpp"
#include "suffice/model/unit_documents.hpp"

namespace suffice {
namespace {

template <class Fit>
Result<PredictorState> state_of(const Result<Fit>& fit) {
    if (!fit) return fit.error();
    return PredictorState(fit->state());
}

Result<PredictorState> fit_with_unlabeled(const FitOptions& options, const Schema& schema, Stream& stream,
                                          const Context& context) {
    const auto recipe = make_state(options.recipe(), schema);
    if (!recipe) return recipe.error();
    if (auto again = stream.rewind(); !again) return again.error();
    return state_of(fit_semi_supervised(*recipe, stream, options.unlabeled_weight, {}, context));
}

Result<PredictorState> fit_unit_length(const FitOptions& options, const Schema& schema, Stream& stream,
                                       const Context& context) {
    const auto recipe = make_state(options.recipe(), schema);
    if (!recipe) return recipe.error();
    if (auto again = stream.rewind(); !again) return again.error();
    auto state = fit_unit_documents(*recipe, stream, context);
    if (!state) return state.error();
    return PredictorState(std::move(*state));
}

Result<std::vector<double>> class_weights(const FitOptions& options, const Schema& schema) {
    std::vector<double> weights;
    for (const auto& [name, weight] : options.class_weights) {
        const auto found = std::ranges::find(schema.classes, name);
        if (found == schema.classes.end()) return Error(ErrorKind::usage, "there is no class " + name + " to weigh");
        weights.resize(schema.classes.size(), 1.0);
        weights[static_cast<std::size_t>(found - schema.classes.begin())] = weight;
    }
    return weights;
}

Result<PredictorState> fit_logistic(const FitOptions& options, const Schema& schema, Stream& stream,
                                    const Context& context) {
    std::vector<BasisTerm> terms;
    for (const std::string& text : options.basis) {
        const auto term = BasisTerm::parse(text);
        if (!term) return term.error();
        terms.push_back(*term);
    }
    const auto features = fit_features(schema, terms, stream, context);
    if (!features) return features.error();
    LogisticSettings settings;
    settings.penalty = options.penalty;
    settings.lasso = options.lasso;
    settings.firth = options.firth;
    settings.link = options.link;
    std::vector<std::string> offset = options.offset;  // a name that holds a comma wins over a list of names
    if (offset.size() == 1 && !schema.column_named(offset.front())) offset = split_list(offset.front());
    if (offset.size() == 1)
        settings.offset = offset.front();
    else
        settings.class_offset = std::move(offset);
    settings.balanced = options.balanced;
    auto weights = class_weights(options, schema);
    if (!weights) return weights.error();
    settings.class_weight = std::move(*weights);
    if (options.evidence) {
        const auto penalty = penalty_of_greatest_evidence(schema, *features, stream, settings, context);
        if (!penalty) return penalty.error();
        settings.penalty = *penalty;
    }
    if (auto again = stream.rewind(); !again) return again.error();
    if (!options.search.wanted())
        return state_of(fit_logistic_regression(schema, *features, stream, settings, context));
    const PenaltySearch& search = options.search;
    const auto plan = search.fold_of_row.empty()
                          ? FoldPlan::stratified(stream, schema.classes.size(), search.fold_count, context)
                          : FoldPlan::given(search.fold_of_row);
    if (!plan) return plan.error();
    return state_of(fit_along_path(schema, *features, stream, settings, search, *plan, context));
}

}  // namespace

bool takes_passes(const FitOptions& options) {
    const auto name = canonical_model(options.model);
    return options.use_unlabeled || options.unit_length || (name && !is_sum(*name));
}

Recipe first_recipe(const FitOptions& options) {
    Recipe recipe = options.recipe();
    if (const auto name = canonical_model(options.model); name && !is_sum(*name)) recipe.model = "naive_bayes";
    return recipe;
}

Result<PredictorState> fit_by_passes(const FitOptions& options, const Schema& schema, Stream& stream,
                                     const Context& context) {
    const auto name = canonical_model(options.model);
    if (!name) return name.error();
    if (options.unit_length && (options.use_unlabeled || !is_sum(*name)))
        return Error(ErrorKind::usage,
                     "documents are scaled to length one for multinomial_nb and complement_nb, and with a class each");
    if (options.unit_length) return fit_unit_length(options, schema, stream, context);
    if (is_sum(*name)) return fit_with_unlabeled(options, schema, stream, context);
    if (options.use_unlabeled && *name != "mixture_discriminant")
        return Error(ErrorKind::usage, *name + " learns from rows with a class only; leave --unlabeled use out");
    if (auto again = stream.rewind(); !again) return again.error();
    if (*name == "logistic_regression") return fit_logistic(options, schema, stream, context);
    MixtureDiscriminantSettings settings;
    settings.components = options.components;
    settings.shape = options.component_shape;
    const double unlabeled_weight = options.use_unlabeled ? options.unlabeled_weight : 0;
    return state_of(fit_mixture_discriminant(schema, stream, settings, unlabeled_weight, context));
}

Result<PredictorState> continue_passes(const PredictorState& state, Stream& stream, const Context& context) {
    if (const auto* logistic = std::get_if<LogisticState>(&state)) {
        const auto model = LogisticRegression::from(*logistic);
        if (!model) return model.error();
        return state_of(update(*model, stream, context));
    }
    if (const auto* mixture = std::get_if<MixtureState>(&state)) {
        const auto model = MixtureDiscriminant::from(*mixture);
        if (!model) return model.error();
        return state_of(update(*model, stream, context));
    }
    const auto model = Classifier::from(std::get<ModelState>(state));
    if (!model) return model.error();
    return state_of(update_semi_supervised(*model, stream, context));
}

}  // namespace suffice
