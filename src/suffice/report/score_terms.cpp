// Names and sorts the terms of scores.
#include "suffice/report/score_terms.hpp"

#include <algorithm>
#include <cmath>

namespace suffice {
namespace {

void add_form(const ScoreForm& form, const Schema& schema, std::size_t a, std::size_t b, ScoreTerms& into) {
    const std::size_t width = schema.columns.size();
    into.constant = form.constant[a] - form.constant[b];
    const bool bent = form.quadratic[a] != form.quadratic[b];
    const bool products = bent && (form.quadratic[a].size() > width || form.quadratic[b].size() > width);
    const auto cell = [&](std::size_t c, std::size_t row, std::size_t column) {
        const auto& quadratic = form.quadratic[c];
        if (quadratic.size() == width * width) return quadratic[row * width + column];
        return row == column && !quadratic.empty() ? quadratic[row] : 0.0;
    };
    for (std::size_t i = 0; i < width; ++i) {
        into.terms.push_back({schema.columns[i].name, form.linear[a][i] - form.linear[b][i]});
        for (std::size_t j = products ? 0 : i; bent && j <= i; ++j) {
            double weight = cell(a, i, j) - cell(b, i, j);
            if (i != j) weight += cell(a, j, i) - cell(b, j, i);
            into.terms.push_back({schema.columns[j].name + " * " + schema.columns[i].name, weight});
        }
    }
    std::erase_if(into.terms, [](const auto& term) { return term.weight == 0; });
}

}  // namespace

bool is_linear(const ScoreForm& form) {
    return std::ranges::all_of(form.quadratic, [&](const auto& each) { return each == form.quadratic[0]; });
}

ScoreTerms boundary_terms(const Predictor& model, std::size_t a, std::size_t b) {
    ScoreTerms found;
    if (const auto form = model.form()) {
        found.complete = true;
        add_form(*form, model.schema(), a, b, found);
    } else if (const auto* classifier = dynamic_cast<const Classifier*>(&model)) {
        const auto partial = classifier->partial_form();
        add_form(partial.form, model.schema(), a, b, found);
        found.complete = partial.told;
        for (const auto& column : partial.rest.columns) {
            const auto& one = column.by_class[a].numbers("probability");
            const auto& other = column.by_class[b].numbers("probability");
            const auto& name = model.schema().columns[column.column];
            found.complete = found.complete && !one.empty() && !name.levels.empty();
            for (std::size_t level = 0; level < one.size() && level < name.levels.size(); ++level)
                found.terms.push_back(
                    {name.name + " = " + name.levels[level], std::log(one[level]) - std::log(other[level])});
        }
    }
    std::ranges::stable_sort(found.terms, std::greater{}, [](const auto& term) { return std::abs(term.weight); });
    return found;
}

}  // namespace suffice
