// Compares models by what they have seen.
#include "suffice/flow/drift.hpp"

#include <algorithm>

#include "suffice/compare/expected_accuracy.hpp"
#include "suffice/encode/names.hpp"
#include "suffice/flow/where.hpp"
#include "suffice/group/degenerate.hpp"
#include "suffice/read/paths.hpp"

namespace suffice {
namespace {

Result<const Classifier*> with_statistics(const Model& model) {
    if (const auto* classifier = model.as<Classifier>(); classifier != nullptr && !is_mixture(classifier->state()))
        return classifier;
    return Error(ErrorKind::usage, std::string(model.predictor().name()) +
                                       " keeps no statistics of its columns, so what changed in them cannot be told; "
                                       "fit naive_bayes or a discriminant to both");
}

// The same recipe for rows of one class.
ModelState for_one_class(ModelState state) {
    Schema& schema = state.statistic.schema;
    Recoding recoding{{std::vector<std::uint32_t>(schema.classes.size(), CodeMap::dropped), 1}, {}};
    for (const Column& column : schema.columns) recoding.levels.push_back(map_codes(column.levels, column.levels));
    Schema names = schema;
    names.classes = {""};
    state.statistic.recode(recoding, std::move(names));
    state.settings.priors = {};
    state.settings.groups = {};
    if (state.settings.sharing == Sharing::groups) state.settings.sharing = Sharing::all;
    return state;
}

}  // namespace

Result<Model> count_alike(const Model& model, const std::vector<std::string>& files, const ApplyOptions& options,
                          const Context& context) {
    const auto counted = with_statistics(model);
    if (!counted) return counted.error();
    ApplyOptions own = options;
    own.names_grow = true;
    own.nameless_class = true;
    auto applied = open_for_model(model, files, own);
    if (!applied) return applied.error();
    ModelState recipe = (*counted)->state();
    recipe.statistic = recipe.statistic.blank();
    if (applied->data.schema.classes != model.classes()) recipe = for_one_class(std::move(recipe));
    auto fitted = fit(recipe, *applied->data.stream, context);
    if (!fitted) return in_data(at_refused_row(fitted.error(), *applied->data.stream, recipe), *applied->data.reader);
    Provenance seen{fitted->weight(), {}};
    for (const auto& file : applied->data.reader->files()) seen.files.push_back(recorded_name(file));
    return Model::from({fitted->state(), std::move(seen)}, applied->data.notes);
}

Result<Drift> drift(const Model& before, const Model& after, const Context& context) {
    const auto one = with_statistics(before), other = with_statistics(after);
    if (!one) return one.error();
    if (!other) return other.error();
    Drift found = drift_between((*one)->state().statistic, (*other)->state().statistic);
    if (found.columns.empty())
        return Error("the two have no column in common that both keep alike, so nothing can be compared");
    if (!found.classes) return found;
    const auto old_rows = expected_accuracy(before.predictor(), **one, context);
    if (!old_rows) return old_rows.error();
    const auto new_rows = expected_accuracy(before.predictor(), **other, context);
    if (!new_rows) return new_rows.error();
    found.accuracy_before = *old_rows;
    found.expected_accuracy = *new_rows;
    return found;
}

}  // namespace suffice
