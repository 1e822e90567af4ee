// Compares models by leaving each row out, in closed form.
#include <algorithm>
#include <chrono>

#include "suffice/compare/criteria.hpp"
#include "suffice/compare/cross_validation.hpp"
#include "suffice/compare/tally.hpp"
#include "suffice/model/leave_one_out.hpp"

namespace suffice {

Result<Comparison> leave_each_out(const LabeledBlock& rows, const Schema& schema,
                                  const std::vector<Candidate>& candidates, const Context& context,
                                  const Locate& locate) {
    Comparison done;
    std::vector<std::vector<Tally>> tallies;
    for (const Candidate& candidate : candidates) {
        const auto started = std::chrono::steady_clock::now();
        Compared& one = done.models.emplace_back();
        one.model = candidate.model;
        one.options = candidate.options;
        std::vector<Tally>& each_row = tallies.emplace_back();
        if (candidate.fit_again) {
            one.failure = "it is no sum over rows, so leaving one out has no closed form";
            continue;
        }
        const auto recipe = make_state(candidate.recipe, schema);
        if (!recipe) return recipe.error();
        MemoryStream stream(rows, schema);
        const auto model = fit(*recipe, stream, context);
        const auto left = model ? leave_one_out(*model, rows, context) : Result<Matrix>(model.error());
        if (!left) {
            if (left.error().kind == ErrorKind::cancelled) return left.error();
            one.failure = failure_of(left.error(), locate);
            continue;
        }
        for (std::size_t row = 0; row < rows.size(); ++row) {
            const auto truth = rows.label_of(row);
            if (truth < 0) continue;
            const auto posterior = left->row(row);
            const auto best = std::ranges::max_element(posterior) - posterior.begin();
            const double weight = rows.weight_of(row);
            each_row.push_back(
                {weight, best == truth ? weight : 0.0, -weight * posterior[static_cast<std::size_t>(truth)], 0});
        }
        one.parameter_count = model->parameter_count();
        one.has_bic = joint_likelihood(*model, recipe->settings);
        if (one.has_bic) one.bic = model->bic();
        summarize(each_row, one);
        one.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    }
    differ_from_best(done.models, tallies);
    best_first(done.models);
    return done;
}

}  // namespace suffice
