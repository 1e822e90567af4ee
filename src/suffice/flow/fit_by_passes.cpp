// One line for each model that is fitted by repeated passes.
#include "suffice/flow/fit_by_passes.hpp"

#include <algorithm>

#include "suffice/flow/column_names.hpp"
#include "suffice/group/mixture_unlabeled.hpp"
#include "suffice/model/fit_features.hpp"
#include "suffice/model/integrated_regression.hpp"
#include "suffice/model/unit_documents.hpp"
#include "suffice/regress/logistic_evidence.hpp"

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
    return state_of(fit_semi_supervised(*recipe, stream, options.passes.unlabeled_weight, {}, context));
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
    for (const auto& [name, weight] : options.regression.class_weight.given) {
        const auto found = std::ranges::find(schema.classes, name);
        if (found == schema.classes.end()) return Error(ErrorKind::usage, "there is no class " + name + " to weigh");
        weights.resize(schema.classes.size(), 1.0);
        weights[static_cast<std::size_t>(found - schema.classes.begin())] = weight;
    }
    return weights;
}

// Coefficients of the first class are zero, so that those of the others are against it.
Result<std::optional<LogisticParameter>> stated_start(const RegressionOptions& asked, const Schema& schema,
                                                      const Features& features) {
    if (!asked.start) return std::optional<LogisticParameter>();
    const std::vector<std::string> names = features.names(schema);
    LogisticParameter start;
    start.coefficient.resize(schema.classes.size() * names.size());
    start.intercept.resize(schema.classes.size());
    for (const StartingCoefficient& each : *asked.start) {
        if (each.of_class.empty() && schema.classes.size() != 2)
            return Error(ErrorKind::usage, "of more than two classes a start names the class of each coefficient");
        const auto of =
            each.of_class.empty() ? schema.classes.begin() + 1 : std::ranges::find(schema.classes, each.of_class);
        if (of == schema.classes.end())
            return Error(ErrorKind::usage, "there is no class " + each.of_class + " to start from");
        const auto c = static_cast<std::size_t>(of - schema.classes.begin());
        if (c == 0)
            return Error(ErrorKind::usage, "coefficients are against class " + each.of_class + ", whose own are zero");
        if (each.feature == "(intercept)") {
            start.intercept[c] = each.value;
            continue;
        }
        const auto name = std::ranges::find(names, each.feature);
        if (name == names.end())
            return Error(ErrorKind::usage, "there is no coefficient " + each.feature + " to start from");
        start.coefficient[c * names.size() + static_cast<std::size_t>(name - names.begin())] = each.value;
    }
    return std::optional(std::move(start));
}

Result<LogisticSettings> logistic_settings(const FitOptions& options, const Schema& schema) {
    const RegressionOptions& asked = options.regression;
    LogisticSettings settings;
    settings.penalty = asked.penalty.amount;
    settings.lasso = asked.lasso.amount;
    settings.firth = asked.penalty.rule == PenaltyRule::firth;
    settings.link = asked.link;
    settings.errors = asked.errors;
    settings.importance = options.weight_kind == WeightKind::importance && !options.weight.empty();
    settings.standardized = options.settings.units != Units::raw;
    settings.undetermined = Undetermined::later_ones_left_out;
    if (asked.steps > 0) settings.step_limit = asked.steps;
    std::vector<std::string> offset = asked.offset.names;  // a name that holds a comma wins over a list of names
    if (offset.size() == 1 && !schema.column_named(offset.front())) offset = split_list(offset.front());
    if (offset.size() == 1)
        settings.offset = offset.front();
    else
        settings.class_offset = std::move(offset);
    settings.balanced = asked.class_weight.balanced;
    auto weights = class_weights(options, schema);
    if (!weights) return weights.error();
    settings.class_weight = std::move(*weights);
    return settings;
}

Result<LogisticRegression> fit_on_features(const RegressionOptions& asked, const Schema& schema,
                                           const Features& features, LogisticSettings settings, Stream& stream,
                                           const Context& context) {
    if (asked.penalty.rule == PenaltyRule::evidence) {
        const auto penalty = penalty_of_greatest_evidence(schema, features, stream, settings, context);
        if (!penalty) return penalty.error();
        settings.penalty = *penalty;
    }
    if (auto again = stream.rewind(); !again) return again.error();
    const auto start = stated_start(asked, schema, features);
    if (!start) return start.error();
    if (!asked.searches())
        return fit_logistic_regression(schema, features, stream, settings, context, *start, asked.trace);
    if (asked.trace != nullptr)
        return Error(ErrorKind::usage, "a penalty chosen by cross-validation has many searches, and no trace of one");
    const PenaltySearch search = asked.search();
    const auto plan = search.fold_of_row.empty()
                          ? FoldPlan::stratified(stream, schema.classes.size(), search.fold_count, context)
                          : FoldPlan::given(search.fold_of_row);
    if (!plan) return plan.error();
    return fit_along_path(schema, features, stream, settings, search, *plan, context);
}

Result<void> check_offsets(const LogisticSettings& settings, const Schema& schema, const ColumnHoles& holes) {
    for (const std::string& name : settings.offset_columns())
        if (const auto column = schema.column_named(name); column && holes.missing[*column] > 0)
            return Error("an offset needs every value").in_column(name);
    return {};
}

Result<LogisticRegression> fit_with_integrals(const RegressionOptions& asked, const Schema& schema,
                                              const Features& features, const LogisticSettings& settings,
                                              Stream& stream, const Context& context) {
    if (asked.trace != nullptr)
        return Error(ErrorKind::usage, "integrating over missing values has many searches, and no trace of one");
    const auto start = stated_start(asked, schema, features);
    if (!start) return start.error();
    const auto holes = find_holes(schema, stream, context);
    if (!holes) return holes.error();
    if (auto checked = check_offsets(settings, schema, *holes); !checked) return checked.error();
    if (auto again = stream.rewind(); !again) return again.error();
    auto fit = fit_integrated(schema, features, stream, settings, context, *start);
    const std::string told = holes->told(schema);
    if (!fit || told.empty()) return fit;
    LogisticState state = fit->state();
    state.notes.push_back(
        {"missing values are integrated over what the columns are like, which is right where they "
         "are missing at random (" +
             told + ")",
         {{"missing_values", "indicator", "use", "to have a coefficient for being missing"}}});
    return LogisticRegression::from(std::move(state));
}

// Rows may lack values, which is seen when the first of them is met: then every column gets a stand-in for them.
Result<PredictorState> fit_logistic(const FitOptions& options, const Schema& schema, Stream& stream,
                                    const Context& context) {
    const RegressionOptions& asked = options.regression;
    std::vector<BasisTerm> terms;
    for (const std::string& text : asked.basis) {
        const auto term = BasisTerm::parse(text);
        if (!term) return term.error();
        terms.push_back(*term);
    }
    const auto features = fit_features(schema, terms, stream, context);
    if (!features) return features.error();
    const auto settings = logistic_settings(options, schema);
    if (!settings) return settings.error();
    if (asked.missing_values == MissingValues::integrate)
        return state_of(fit_with_integrals(asked, schema, *features, *settings, stream, context));
    if (asked.columns_with_holes.empty()) {
        auto fit = fit_on_features(asked, schema, *features, *settings, stream, context);
        if (fit || asked.missing_values == MissingValues::refuse || fit.error().message != value_is_missing)
            return state_of(fit);
    }
    const auto holes = find_holes(schema, stream, context);
    if (!holes) return holes.error();
    if (auto checked = check_offsets(*settings, schema, *holes); !checked) return checked.error();
    const Features filled = with_indicators(*features, schema, *holes, asked.columns_with_holes);
    const auto fit = fit_on_features(asked, schema, filled, *settings, stream, context);
    if (!fit) return fit.error();
    LogisticState state = fit->state();
    if (const std::string told = holes->told(schema); !told.empty())
        state.notes.push_back(
            {"missing values stand at their column's mean, and that they are missing has a coefficient "
             "of its own (" +
                 told + ")",
             {{"missing_values", "refuse", "use", "to have them refused"}}});
    return PredictorState(std::move(state));
}

}  // namespace

bool takes_passes(const FitOptions& options) {
    const auto model = model_entry(options.model);
    return options.passes.uses_unlabeled() || options.passes.unit_length() || (model && !(*model)->is_sum());
}

Recipe first_recipe(const FitOptions& options) {
    Recipe recipe = options.recipe();
    if (const auto model = model_entry(options.model); model && !(*model)->is_sum())
        recipe = {.families = options.families};
    return recipe;
}

Result<PredictorState> fit_by_passes(const FitOptions& options, const Schema& schema, Stream& stream,
                                     const Context& context) {
    const auto model = model_entry(options.model);
    if (!model) return model.error();
    const bool is_sum = (*model)->is_sum();
    if (options.passes.unit_length() && options.passes.uses_unlabeled())
        return Error(ErrorKind::usage, "documents are scaled to length one where each of them has a class");
    if (options.passes.unit_length()) return fit_unit_length(options, schema, stream, context);
    if (is_sum) return fit_with_unlabeled(options, schema, stream, context);
    if (auto again = stream.rewind(); !again) return again.error();
    if ((*model)->fitting == Fitting::regression) return fit_logistic(options, schema, stream, context);
    const double unlabeled_weight = options.passes.uses_unlabeled() ? options.passes.unlabeled_weight : 0;
    return state_of(fit_mixture_discriminant(schema, stream, options.mixture, unlabeled_weight, context));
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
