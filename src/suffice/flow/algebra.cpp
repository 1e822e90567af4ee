// Models combined and derived through their states.
#include "suffice/flow/algebra.hpp"

#include "suffice/base/guarded.hpp"
#include "suffice/flow/settings_table.hpp"

namespace suffice {
namespace {

// Settings say how parameters are estimated; rows have been read and summed.
Result<void> check_only_estimates(const FitOptions& options) {
    for (const Setting& each : settings_table())
        if (!each.is_estimate() && !each.is_usual(options))
            return Error(ErrorKind::usage,
                         std::string(each.name) + " says how rows are read and summed, which is over; fit again");
    return check_settings(options);
}

Result<Model> model_of(Result<ModelState> state, Provenance seen) {
    if (!state) return state.error();
    return Model::from({std::move(*state), std::move(seen)});
}

}  // namespace

Result<const Classifier*> as_sum(const Model& model) {
    if (model.calibration() != Calibration{} || !model.decision().empty())
        return Error(ErrorKind::usage, "a calibration is no sum over rows; take it off before")
            .advise({"method", "none", "calibrate with"});
    if (const auto* classifier = model.as<Classifier>()) {
        if (auto sum = check_is_sum(classifier->state()); !sum) return sum.error();
        return classifier;
    }
    return Error(ErrorKind::usage, std::string(model.predictor().name()) +
                                       " takes repeated passes over its rows, so it is no sum of them and can be "
                                       "neither merged nor taken apart nor derived from; use update");
}

Result<Model> merge(const Model& left, const Model& right) {
    return guarded([&]() -> Result<Model> {
        const auto one = as_sum(left), other = as_sum(right);
        if (!one) return one.error();
        if (!other) return other.error();
        Provenance seen = left.seen();
        seen.merge(right.seen());
        return model_of(merge((*one)->state(), (*other)->state()), std::move(seen));
    });
}

Result<ModelState> rest_of(const Classifier& whole, const Classifier& rows) {
    if (!(whole.weight() - rows.weight() > 1e-12 * whole.weight()))
        return Error("the model has seen no more rows than these, so nothing would be left of it");
    return subtract(whole.state(), rows.state());
}

Result<Model> subtract(const Model& model, const Model& rows) {
    return guarded([&]() -> Result<Model> {
        const auto whole = as_sum(model), gone = as_sum(rows);
        if (!whole) return whole.error();
        if (!gone) return gone.error();
        Provenance seen = model.seen();
        seen.rows -= rows.seen().rows;
        seen.compared.clear();  // it was of other rows
        return model_of(rest_of(**whole, **gone), std::move(seen));
    });
}

Result<Model> decay(const Model& model, double factor) {
    return guarded([&]() -> Result<Model> {
        const auto sum = as_sum(model);
        if (!sum) return sum.error();
        Provenance seen = model.seen();
        seen.rows *= factor;
        return model_of(decay((*sum)->state(), factor), std::move(seen));
    });
}

Result<Model> derive(const Model& model, const FitOptions& options) {
    return guarded([&]() -> Result<Model> {
        const auto sum = as_sum(model);
        if (!sum) return sum.error();
        const auto model_found = model_entry(options.model);
        if (!model_found) return model_found.error();
        const ModelEntry& wanted = **model_found;
        if (auto checked = check_only_estimates(options); !checked) return checked.error();
        if (wanted.fitting == Fitting::regression) {
            const auto same = to_logistic(**sum);
            if (!same) return same.error();
            return Model::from({same->state(), model.seen()});
        }
        auto settings = model_settings(options.recipe());
        if (!settings) return settings.error();
        return model_of(derive((*sum)->state(), std::string(wanted.name), std::move(*settings)), model.seen());
    });
}

Result<Model> strip(const Model& model) {
    return guarded([&]() -> Result<Model> {
        ModelFile made = model.file();
        auto* state = std::get_if<ModelState>(&made.state);
        if (state == nullptr) return model;  // it keeps parameters only
        *state = strip(std::move(*state));
        return Model::from(std::move(made), model.notes());
    });
}

}  // namespace suffice
