// Compares a fitted model with simple ones on a sample of its rows.
#include "suffice/flow/second_look.hpp"

#include <algorithm>

#include "suffice/flow/compare.hpp"
#include "suffice/read/bytes.hpp"
#include "suffice/report/number_text.hpp"

namespace suffice {
namespace {

constexpr double sample_rows = 1000, fewest_rows = 50, most_rows = 100'000;
constexpr std::uint64_t most_bytes = std::uint64_t{16} << 20;
constexpr std::size_t most_columns = 100, most_classes = 30;
constexpr double least_gain = 0.05, sure = 3;  // of accuracy; standard errors of the difference of log losses

bool is_worth_it(const std::vector<std::string>& files, const Model& model) {
    const auto text = [](const Column& column) { return column.kind == ColumnKind::text; };
    const Schema& schema = model.schema();
    if (model.seen().rows < fewest_rows || model.seen().rows > most_rows || schema.columns.size() > most_columns ||
        schema.classes.size() > most_classes || std::ranges::any_of(schema.columns, text))
        return false;
    std::uint64_t bytes = 0;
    for (const std::string& file : files) {
        const auto size = regular_size(file);  // folders and globs have none
        if (!size) return false;
        bytes += *size;
    }
    return bytes <= most_bytes;
}

}  // namespace

std::optional<Note> second_look(const std::vector<std::string>& files, const FitOptions& options, const Model& model,
                                bool others, const Context& context) {
    if (!is_worth_it(files, model) || options.model == "auto") return std::nullopt;
    const std::string own(model.predictor().name());
    CompareOptions how;
    how.fold_count = 5;
    how.how.budget = 2;
    how.models = {own};
    if (others)
        for (const char* other : {"linear_discriminant", "logistic_regression"}) how.models.emplace_back(other);
    FitOptions some = options;
    some.regression.steps = 0;
    some.regression.trace = nullptr;  // of the fit that was asked for alone
    if (others && some.regression.penalty == Penalty()) some.regression.penalty = 1.0;  // one of them, not a path
    if (model.seen().rows > sample_rows) {
        some.read.apart.share = sample_rows / model.seen().rows;
        some.read.apart.seed = context.seed;
        some.read.apart.only = true;
    }
    const auto compared = compare(files, some, how, context);
    if (!compared) return std::nullopt;  // the fit itself went well, and that is what was asked for
    const auto& models = compared->models;
    const auto mine = std::ranges::find(models, own, &Compared::model);
    if (mine == models.end() || mine->failed() || mine->unfinished) return std::nullopt;
    const std::string rows =
        whole_number(compared->rows) + (model.seen().rows > sample_rows ? " of the rows" : " rows");
    const auto best = std::ranges::find_if(models, [&](const Compared& each) {
        return !each.failed() && !each.unfinished && each.model != "priors_only" && each.model != own;
    });
    if (best != models.end() && best == models.begin() && best->accuracy - mine->accuracy > least_gain &&
        mine->difference > sure * mine->difference_error)
        return Note("in a quick cross-validation on " + rows + " " + best->model + " was right in " +
                        percent(best->accuracy) + ", this model in " + percent(mine->accuracy),
                    {{"model", "auto", "use", "to compare and take the best"}});
    const auto& weight = model.predictor().class_weight();
    const auto most = std::ranges::max_element(weight);
    if (mine->accuracy > *most / model.predictor().weight()) return std::nullopt;
    return Note("in a quick cross-validation on " + rows + " this model was right in " + percent(mine->accuracy) +
                ", no better than always answering " +
                model.classes()[static_cast<std::size_t>(most - weight.begin())]);
}

}  // namespace suffice
