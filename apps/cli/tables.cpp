// What `suffice help families` and `suffice help models` show: written from the lists in the code.
#include "cli/verb.hpp"

#include "suffice/family/handle.hpp"
#include "suffice/model/recipe.hpp"
#include "suffice/part/auto_part.hpp"
#include "suffice/part/make.hpp"
#include "suffice/part/ngram_part.hpp"
#include "suffice/part/token_part.hpp"
#include "suffice/report/text_table.hpp"

namespace suffice::cli {
namespace {

using Side = TextTable::Side;

std::string yes(bool is) { return is ? "yes" : "-"; }

// A state over two plain columns: what its Parts can do, the model can.
bool every_part(const std::string& model, bool (Part::*can)() const) {
    Schema schema;
    schema.columns = {{"a"}, {"b"}};
    if (one_family(model) == "categorical")
        for (Column& column : schema.columns) column.kind = ColumnKind::category;
    schema.classes = {"x", "y"};
    Recipe recipe;
    recipe.model = model;
    if (model == "grouped_discriminant") recipe.settings.groups = {{"x"}, {"y"}};
    const auto state = make_state(recipe, schema);
    if (!state) return false;
    for (const Part& part : state->statistic.parts)
        if (!(part.*can)()) return false;
    return true;
}

}  // namespace

std::string families_table() {
    const auto columns = column_family_names();
    TextTable table({Side::left, Side::left, Side::left, Side::left});
    table.row({"family", "values", "conjugate prior", "of a column"});
    for (const auto name : family_names()) {
        const auto family = make_family(name);
        if (!family) continue;
        const bool one = std::ranges::find(columns, name) != columns.end();
        const std::string prior((*family)->prior_name());
        table.row({std::string(name), std::string((*family)->support()), prior.empty() ? "-" : prior, yes(one)});
    }
    table.row({std::string(TokenPart::name), "the words of text, counted", "dirichlet", yes(true)});
    table.row({std::string(NgramPart::name), "the words of text, each given those before it", "-", yes(true)});
    table.row({std::string(AutoPart::name), "numbers: the best of the families above, by BIC", "-", yes(true)});
    return table.text("");
}

std::string models_table() {
    TextTable table({Side::left, Side::left, Side::left, Side::left, Side::left, Side::left});
    table.row({"model", "alias", "merge", "forget", "decay", "density"});
    for (const auto& each : model_names()) {
        const std::string model(each.name);
        const bool sum = is_sum(model), density = model != "complement_nb" && model != "logistic_regression";
        table.row({model, std::string(each.alias), yes(sum), yes(sum && every_part(model, &Part::removes)),
                   yes(sum && every_part(model, &Part::decays)), yes(density)});
    }
    return table.text("");
}

}  // namespace suffice::cli
