// Updates models from files, and takes files out of them again.
#include "suffice/flow/update.hpp"

#include "suffice/base/guarded.hpp"
#include "suffice/flow/algebra.hpp"
#include "suffice/flow/fit_by_passes.hpp"
#include "suffice/flow/learn_on.hpp"
#include "suffice/flow/where.hpp"
#include "suffice/model/unit_documents.hpp"
#include "suffice/read/paths.hpp"

namespace suffice {
namespace {

// The rows of these files for a model that is to learn from them.
Result<AppliedData> open_for_learning(const Model& model, const Data& data, ApplyOptions options, bool names_grow) {
    options.need_target = true;
    options.names_grow = names_grow;
    options.many_passes = !names_grow;
    return open_for_model(model, data, options);
}

// A model of the same recipe fitted to these files alone.
Result<Classifier> fit_alike(const Model& model, const Classifier& classifier, const Data& data,
                             const ApplyOptions& options, const Context& context) {
    auto applied = open_for_learning(model, data, options, true);
    if (!applied) return applied.error();
    ModelState recipe = classifier.state();
    recipe.statistic = recipe.statistic.blank();
    auto fitted = fit(recipe, *applied->data.stream, context);
    if (!fitted) return in_data(at_refused_row(fitted.error(), *applied->data.stream, recipe), *applied->data.reader);
    return fitted;
}

Provenance seen_in(double rows, const std::vector<std::string>& files) {
    Provenance seen{rows, {}};
    for (const auto& file : files) seen.files.push_back(recorded_name(file));
    return seen;
}

// What is to be said where more rows make a model another one.
std::vector<Note> taken_off(const Model& model) {
    if (model.calibration() == Calibration{} && model.decision().empty()) return {};
    return {"the calibration and thresholds were of the model before these rows and are taken off; calibrate again"};
}

// The repeated passes go over the new rows alone, from where the model stands.
Result<Model> warm_start(const Model& model, const Data& data, const ApplyOptions& options, const Context& context) {
    auto applied = open_for_learning(model, data, options, false);
    if (!applied) return applied.error();
    auto state = continue_passes(model.file().state, *applied->data.stream, context);
    if (!state) return in_data(state.error(), *applied->data.reader);
    ModelFile made{std::move(*state), model.seen()};
    made.seen.merge(seen_in(0, data.files()));
    return Model::from(std::move(made), taken_off(model));
}

}  // namespace

Result<Model> update(const Model& model, const Data& data, const ApplyOptions& options, const Context& context) {
    return guarded([&]() -> Result<Model> {
        const auto* classifier = model.as<Classifier>();
        if (classifier != nullptr &&
            (classifier->state().stripped || classifier->state().passes == Passes::weighed_documents))
            return check_is_sum(classifier->state()).error();
        if (learns_by_steps(model)) return learn_on(model, data, options, {}, context);
        if (classifier == nullptr || !classifier->state().is_sum()) return warm_start(model, data, options, context);
        const auto rows = fit_alike(model, *classifier, data, options, context);
        if (!rows) return rows.error();
        auto both = merge(classifier->state(), rows->state());
        if (!both) return both.error();
        ModelFile made{std::move(*both), model.seen()};
        made.seen.merge(seen_in(rows->weight(), data.files()));
        return Model::from(std::move(made), taken_off(model));
    });
}

Result<Model> forget(const Model& model, const Data& data, const ApplyOptions& options, const Context& context) {
    return guarded([&]() -> Result<Model> {
        const auto sum = as_sum(model);
        if (!sum) return sum.error();
        const auto rows = fit_alike(model, **sum, data, options, context);
        if (!rows) return rows.error();
        auto rest = rest_of(**sum, *rows);
        if (!rest) return rest.error();
        ModelFile made{std::move(*rest), model.seen()};
        made.seen.rows -= rows->weight();
        return Model::from(std::move(made));
    });
}

}  // namespace suffice
