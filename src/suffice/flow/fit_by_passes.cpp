// One line for each model that is fitted by repeated passes.
#include "suffice/flow/fit_by_passes.hpp"

#include "suffice/model/fit_features.hpp"

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
    if (auto again = stream.rewind(); !again) return again.error();
    return state_of(fit_logistic_regression(schema, *features, stream, settings, context));
}

}  // namespace

bool takes_passes(const FitOptions& options) {
    const auto name = canonical_model(options.model);
    return options.use_unlabeled || (name && !is_sum(*name));
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
    if (is_sum(*name)) return fit_with_unlabeled(options, schema, stream, context);
    if (options.use_unlabeled)
        return Error(ErrorKind::usage, *name + " learns from rows with a class only; leave --unlabeled use out");
    if (auto again = stream.rewind(); !again) return again.error();
    if (*name == "logistic_regression") return fit_logistic(options, schema, stream, context);
    MixtureDiscriminantSettings settings;
    settings.components = options.components;
    return state_of(fit_mixture_discriminant(schema, stream, settings, context));
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
