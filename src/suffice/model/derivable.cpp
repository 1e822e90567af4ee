// Compares what was kept with what the other model is made of.
#include "suffice/model/derivable.hpp"

#include <algorithm>
#include <string>

namespace suffice {
namespace {

// Columns for which the user had named another family may be kept by that in any model.
bool is_kept_for(std::string_view part, const ModelEntry& model) {
    if (part == "tokens" || part == "ngrams") return true;
    if (part == "points") return model.numbers == NumberForm::as_points;
    if (part == "counts") return model.numbers == NumberForm::counted;
    const bool gaussian = part == "gaussian" || part == "covariance";
    if (model.numbers == NumberForm::counted || model.numbers == NumberForm::as_points)
        return !gaussian && part != "evidence";
    return model.family.empty() || model.family == part || (model.family == "gaussian" && gaussian);
}

}  // namespace

Result<void> check_derivable(const ModelState& kept, const ModelEntry& model, const Settings& settings) {
    if (kept.model == model.name) return {};
    const auto is_sequence = [](const Part& part) { return part.name() == "ngrams"; };
    if (model.sequences && std::ranges::none_of(kept.statistic.parts, is_sequence))
        return Error(ErrorKind::usage, "counts of words do not tell their order; fit an ngram model to the text");
    const std::string name(model.name), again = " cannot be derived";
    const Remedy fit_again{"model", name, "fit again with"};
    std::size_t alone = 0;  // columns of numbers without their covariances
    const auto unlike = [&](const Part& part) {
        const auto& column = kept.statistic.schema.columns[part.columns()[0]].name;
        return Error(ErrorKind::usage,
                     "of " + column + " the model has kept what " + kept.model + " needs, from which " + name + again)
            .advise(fit_again);
    };
    for (const Part& part : kept.statistic.parts) {
        if (!is_kept_for(part.name(), model)) return unlike(part);
        if (part.name() == "gaussian" || part.name() == "evidence") alone += part.columns().size();
    }
    if (alone > 1 && settings.covariance == Covariance::full && kept.settings.covariance != Covariance::full)
        return Error(ErrorKind::usage,
                     "the model has kept the variance of each column but no covariances, so " + name + again)
            .advise(fit_again);
    for (const Part& part : kept.statistic.parts)
        if (part.name() == "evidence") return unlike(part);  // would go on choosing families
    return {};
}

}  // namespace suffice
