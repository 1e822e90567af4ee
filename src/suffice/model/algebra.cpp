// Adds, subtracts, fades and derives states.
#include "suffice/model/algebra.hpp"

#include <algorithm>

#include "suffice/encode/names.hpp"
#include "suffice/model/derivable.hpp"
#include "suffice/part/covariance_part.hpp"

namespace suffice {
namespace {

std::string counted_rows(double weight) {
    std::string text = std::to_string(weight);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.ends_with('.')) text.pop_back();
    return text;
}

// The names of settings that are not alike.
std::string differing(const Settings& left, const Settings& right) {
    std::string names;
    for_each_field(left, [&](const auto& each, const auto& member) {
        if (!(member == right.*each.member)) names += (names.empty() ? "" : ", ") + std::string(each.name);
    });
    return names;
}

// Of which class more rows were to be taken out than there were, else that some row was never there.
Error not_there(const std::vector<std::string>& classes, const std::vector<double>& had,
                const std::vector<double>& gone) {
    for (std::size_t c = 0; c < classes.size(); ++c)
        if (gone[c] > had[c])
            return Error("those rows are not all in this model: " + counted_rows(gone[c]) + " of class " + classes[c] +
                         " are to be forgotten, and it has seen " + counted_rows(had[c]));
    return Error("those rows are not all in this model: it has seen enough of every class, but not these values");
}

// Gives both the same columns, classes and levels.
Result<void> align(ModelState& left, ModelState& right) {
    for (const ModelState* each : {&left, &right})
        if (auto summed = check_is_sum(*each); !summed) return summed;
    if (left.model != right.model)
        return Error(ErrorKind::usage, "the models are of different kinds: " + left.model + " and " + right.model);
    if (left.settings != right.settings)
        return Error(ErrorKind::usage,
                     "the models were made with different settings: " + differing(left.settings, right.settings));
    if (left.statistic.schema.columns.size() == right.statistic.schema.columns.size()) {
        left.statistic.widen(right.statistic.schema);
        right.statistic.widen(left.statistic.schema);
    }
    const auto same = [](const Part& a, const Part& b) { return a.matches(b); };
    if (!std::ranges::equal(left.statistic.parts, right.statistic.parts, same))
        return Error(ErrorKind::usage, "the models treat their columns differently");
    if (left.statistic.schema == right.statistic.schema) return {};
    const auto united = unite(left.statistic.schema, right.statistic.schema);
    if (!united) return united.error();
    left.statistic.recode(united->left, united->schema);
    right.statistic.recode(united->right, united->schema);
    return {};
}

// The estimate of what was made of states.
Result<Classifier> estimated(Result<ModelState> made) {
    if (!made) return made.error();
    return Classifier::from(std::move(*made));
}

}  // namespace

std::string why_no_sum(const ModelState& state) {
    return state.stripped ? "the model was stripped to what predicting needs" : passes_text(state.passes);
}

Result<void> check_is_sum(const ModelState& state) {
    if (state.is_sum()) return {};
    const std::string why = why_no_sum(state);
    if (state.stripped)
        return Error(ErrorKind::usage, why + ", so nothing can be added to it, taken out of it or derived from it")
            .advise({"strip", "", "fit it again without"});
    if (state.passes == Passes::weighed_documents)
        return Error(ErrorKind::usage, why +
                                           ", so nothing can be added to the model, taken out of it or derived from "
                                           "it; fit it again to all documents");
    return Error(ErrorKind::usage, why + ", so the model is no sum of its rows and cannot be combined; use update");
}

Result<ModelState> merge(ModelState left, ModelState right) {
    if (auto aligned = align(left, right); !aligned) return aligned.error();
    left.statistic.merge(right.statistic);
    left.statistic.tidy();
    return left;
}

Result<ModelState> subtract(ModelState whole, ModelState rows) {
    if (auto aligned = align(whole, rows); !aligned) return aligned.error();
    for (const Part& part : whole.statistic.parts)
        if (!part.removes())
            return Error(ErrorKind::usage, std::string(part.name()) + " cannot take rows out again; use update");
    const std::vector<double> had = whole.statistic.class_weight;
    whole.statistic.remove(rows.statistic);
    if (!whole.statistic.valid()) return not_there(whole.statistic.schema.classes, had, rows.statistic.class_weight);
    whole.statistic.tidy();
    return whole;
}

Result<ModelState> decay(ModelState state, double factor) {
    if (!(factor > 0) || factor > 1)
        return Error(ErrorKind::usage, "the factor of forgetting must lie above 0 and not above 1");
    if (auto summed = check_is_sum(state); !summed) return summed.error();
    for (const Part& part : state.statistic.parts)
        if (!part.decays()) return Error(ErrorKind::usage, std::string(part.name()) + " cannot decay; use update");
    state.statistic.scale(factor);
    return state;
}

Result<ModelState> derive(ModelState state, std::string model, Settings settings) {
    if (auto summed = check_is_sum(state); !summed) return summed.error();
    if (auto enough = check_derivable(state, *find_model(model), settings); !enough) return enough.error();
    state.model = std::move(model);
    state.settings = std::move(settings);
    return state;
}

ModelState strip(ModelState state) {
    state.stripped = true;
    if (state.settings.sharing != Sharing::all) return state;
    for (Part& part : state.statistic.parts)
        if (const auto* each = part.as<CovariancePart>(); each != nullptr && each->fourth.feature_count == 0) {
            CovariancePart pooled(state.statistic.schema, each->columns, true);
            pooled.merge(*each);
            part = Part(std::move(pooled));
        }
    return state;
}

Result<Classifier> merge(const Classifier& left, const Classifier& right) {
    return estimated(merge(left.state(), right.state()));
}
Result<Classifier> subtract(const Classifier& model, const Classifier& rows) {
    return estimated(subtract(model.state(), rows.state()));
}
Result<Classifier> decay(const Classifier& model, double factor) { return estimated(decay(model.state(), factor)); }
Result<Classifier> derive(const Classifier& model, std::string name, Settings settings) {
    return estimated(derive(model.state(), std::move(name), std::move(settings)));
}

}  // namespace suffice
