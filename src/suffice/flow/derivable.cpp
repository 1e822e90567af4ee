// Compares what was kept with what the other model is made of.
#include "suffice/flow/derivable.hpp"

#include <string>

#include "suffice/model/recipe.hpp"

namespace suffice {
namespace {

// Columns for which the user had named another family may be kept by that in any model.
bool is_kept_for(std::string_view part, std::string_view model) {
    const bool takes_counts = model == "multinomial_nb" || model == "complement_nb";
    if (part == "tokens" || part == "ngrams") return true;
    if (part == "points") return !points_family(model).empty();
    if (part == "counts") return takes_counts;
    const bool gaussian = part == "gaussian" || part == "covariance";
    if (takes_counts || !points_family(model).empty()) return !gaussian;
    const std::string_view family = one_family(model);
    return family.empty() || family == part || (family == "gaussian" && gaussian);
}

}  // namespace

Result<void> check_derivable(const ModelState& kept, std::string_view canonical, const Settings& settings) {
    if (kept.model == canonical) return {};
    const std::string name(canonical), again = " cannot be derived; fit again with --model " + name;
    std::size_t alone = 0;  // Gaussian columns without their covariances
    for (const Part& part : kept.statistic.parts) {
        const auto& column = kept.statistic.schema.columns[part.columns()[0]].name;
        if (!is_kept_for(part.name(), canonical))
            return Error(ErrorKind::usage, "of " + column + " the model has kept what " + kept.model +
                                               " needs, from which " + name + again);
        if (part.name() == "gaussian") alone += part.columns().size();
    }
    if (alone > 1 && settings.covariance == Covariance::full && kept.settings.covariance != Covariance::full)
        return Error(ErrorKind::usage,
                     "the model has kept the variance of each column but no covariances, so " + name + again);
    return {};
}

}  // namespace suffice
