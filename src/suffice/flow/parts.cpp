// Statistics of parts of the rows.
#include "suffice/flow/parts.hpp"

#include "suffice/data/rounds.hpp"
#include "suffice/flow/fit_by_passes.hpp"
#include "suffice/flow/reading.hpp"
#include "suffice/flow/row_source.hpp"
#include "suffice/flow/settings_table.hpp"
#include "suffice/model/algebra.hpp"
#include "suffice/model/missing_patterns.hpp"

namespace suffice {

namespace {

Result<void> check_plan(const FitOptions& options) {
    if (options.model == "auto")
        return Error(ErrorKind::usage, "parts of rows are fitted by one model; name it")
            .advise({"model", "naive_bayes"});
    if (auto checked = check_settings(options); !checked) return checked.error();
    if (options.regression.folds_column.empty()) return {};
    return Error(ErrorKind::usage, "folds_column needs all rows in one place");
}

Result<PartsPlan> plan_opened(Result<OpenedData> opened) {
    if (!opened) return opened.error();
    auto recipe = make_state(first_recipe(opened->options), opened->schema);
    if (!recipe) return recipe.error();
    PartsPlan plan;
    plan.options = std::move(opened->options);
    plan.notes = std::move(opened->notes);
    plan.blank.state = std::move(*recipe);
    plan.blank.seen.reading = reading_record(plan.options.read);
    return plan;
}

}  // namespace

Result<PartsPlan> plan_parts(std::unique_ptr<TableReader> some_rows, const FitOptions& options) {
    if (auto sound = check_plan(options); !sound) return sound.error();
    return plan_opened(open_for_fit(std::move(some_rows), options, {}));
}

Result<PartsPlan> plan_parts(const std::vector<std::string>& files, const FitOptions& options) {
    if (auto sound = check_plan(options); !sound) return sound.error();
    return plan_opened(open_for_fit(files, options));
}

Result<AppliedData> open_part(const ModelFile& blank, std::unique_ptr<TableReader> rows, const FitOptions& options) {
    const auto* state = std::get_if<ModelState>(&blank.state);
    if (state == nullptr) return Error("the plan of the parts is no recipe");
    ApplyOptions apply;
    apply.need_target = options.has_classes;
    apply.one_class = !options.has_classes;
    apply.names_grow = true;
    apply.weight = options.weight;
    apply.allow_missing_columns = options.read.missing_columns;
    return open_for_names(state->statistic.schema, std::move(rows), apply);
}

Result<void> check_one_pass(const FitOptions& options) {
    if (!takes_passes(options)) return {};
    return Error(ErrorKind::usage, options.model +
                                       " takes repeated passes over its rows, so no statistics of a part alone make "
                                       "the model; fit it in rounds");
}

namespace {

Result<ModelFile> merged(ModelFile left, ModelFile right) {
    auto *mine = std::get_if<ModelState>(&left.state), *theirs = std::get_if<ModelState>(&right.state);
    if (mine == nullptr || theirs == nullptr)
        return Error(ErrorKind::usage, "a part was fitted by repeated passes, so it is no sum of its rows");
    auto both = merge(std::move(*mine), std::move(*theirs));
    if (!both) return both.error();
    left.state = std::move(*both);
    left.seen.merge(right.seen);
    left.shards.insert(left.shards.end(), right.shards.begin(), right.shards.end());
    return left;
}

ModelFile seen_by(const ModelFile& blank, ModelState state) {
    ModelFile made;
    made.seen = blank.seen;
    made.seen.rows = state.statistic.weight();
    made.state = std::move(state);
    return made;
}

}  // namespace

Result<ModelFile> statistics_of(const ModelFile& blank, std::unique_ptr<TableReader> rows, const FitOptions& options,
                                const Context& context) {
    if (auto one = check_one_pass(options); !one) return one.error();
    auto applied = open_part(blank, std::move(rows), options);
    if (!applied) return applied.error();
    OpenedData& data = applied->data;
    auto state = feed(std::get<ModelState>(blank.state), *data.stream, context);
    if (!state) return rows_of_files(data)->at_row(state.error());
    return seen_by(blank, std::move(*state));
}

Result<PartSums> block_statistics_of(const ModelFile& blank, std::unique_ptr<TableReader> rows, std::uint64_t first_row,
                                     const FitOptions& options, const Context& context) {
    if (auto one = check_one_pass(options); !one) return one.error();
    auto applied = open_part(blank, std::move(rows), options);
    if (!applied) return applied.error();
    OpenedData& data = applied->data;
    const auto& recipe = std::get<ModelState>(blank.state);
    auto tree = feed_blocks(recipe, *data.stream, context);
    if (!tree) return rows_of_files(data)->at_row(tree.error());
    PartSums sums;
    for (const auto& [first, each] : tree->sums()) {
        if (!keeps_all_patterns(each.sum))
            return Error(passes_text(Passes::missing_patterns) + "; fit the rows in one place");
        ModelState state = recipe;
        state.statistic = each.sum;
        state.statistic.tidy();
        sums.push_back({first_row + first, each.span, seen_by(blank, std::move(state))});
    }
    return sums;
}

Result<PartSums> merge_sums(PartSums sums) {
    auto tree = BlockTree<ModelFile>::of(std::move(sums), merged);
    if (!tree) return tree.error();
    return std::move(*tree).take();
}

Result<ModelFile> merge_all(PartSums sums) {
    if (sums.empty()) return Error(ErrorKind::usage, "there are no parts to merge");
    auto tree = BlockTree<ModelFile>::of(std::move(sums), merged);
    if (!tree) return tree.error();
    return std::move(*tree).all({}, merged);
}

Result<ModelFile> merge_parts(std::vector<ModelFile> parts) {
    if (parts.empty()) return Error(ErrorKind::usage, "there are no parts to merge");
    return merge_in_pairs(std::move(parts), merged);
}

}  // namespace suffice
