// What `suffice help families` and `suffice help models` show: written from the lists in the code.
#include "cli/verb.hpp"

#include "suffice/family/handle.hpp"
#include "suffice/model/recipe.hpp"
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
    if (find_model(model)->family == "categorical")
        for (Column& column : schema.columns) column.kind = ColumnKind::category;
    schema.classes = {"x", "y"};
    Recipe recipe;
    recipe.model = model;
    if (find_model(model)->sharing == Sharing::groups) recipe.settings.groups = {{"x"}, {"y"}};
    const auto state = make_state(recipe, schema);
    if (!state) return false;
    for (const Part& part : state->statistic.parts)
        if (!(part.*can)()) return false;
    return true;
}

}  // namespace

std::string families_table() {
    const auto words = column_words();
    TextTable table({Side::left, Side::left, Side::left, Side::left});
    table.row({"family", "values", "conjugate prior", "of a column"});
    for (const auto name : family_names()) {
        const auto family = make_family(name);
        if (!family) continue;
        const bool one = std::ranges::find(words, name, &ColumnWord::word) != words.end();
        const std::string prior((*family)->prior_name());
        table.row({std::string(name), std::string((*family)->support()), prior.empty() ? "-" : prior, yes(one)});
    }
    for (const ColumnWord& each : words)
        if (!each.is_family)
            table.row({std::string(each.word), std::string(each.takes),
                       each.word == TokenPart::word ? "dirichlet" : "-", yes(true)});
    return table.text("");
}

std::string settings_text() {
    TextTable table({Side::left, Side::left, Side::left});
    table.row({"setting", "option", "meaning"});
    for (const Setting& each : settings_table()) table.row({std::string(each.name), each.option, each.told});
    return table.text("");
}

std::string models_table() {
    TextTable table({Side::left, Side::left, Side::left, Side::left, Side::left, Side::left});
    table.row({"model", "alias", "merge", "forget", "decay", "density"});
    for (const auto& each : models()) {
        const std::string model(each.name);
        const bool sum = each.is_sum();
        table.row({model, std::string(each.alias), yes(sum), yes(sum && every_part(model, &Part::removes)),
                   yes(sum && every_part(model, &Part::decays)), yes(each.densities)});
    }
    return table.text("");
}

}  // namespace suffice::cli
