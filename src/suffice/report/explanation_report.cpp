// Draws and writes explanations.
#include "suffice/report/explanation_report.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "suffice/base/visible.hpp"
#include "suffice/report/marked_text.hpp"
#include "suffice/report/number_text.hpp"
#include "suffice/report/text_table.hpp"

namespace suffice {
namespace {

constexpr std::size_t bar_width = 24;

// Left of the middle: against; right of it: in favour.
std::string bar(double value, double largest) {
    const double share = largest > 0 ? std::min(1.0, std::abs(value) / largest) : 0;
    const auto length = static_cast<std::size_t>(std::lround(share * bar_width / 2));
    const std::string blank(bar_width / 2 - length, ' '), full(length, '#');
    return value < 0 ? blank + full + "|" : std::string(bar_width / 2, ' ') + "|" + full;
}

std::string signed_number(double value) {
    const std::string text = short_number(value, 3);
    return value > 0 ? "+" + text : text;
}

// The texts of a row with its words by their pull.
std::string coloured_texts(const ExplainedRow& row, const Schema& schema) {
    std::string shown;
    std::size_t at = 0;
    for (std::uint32_t k = 0; k < schema.columns.size(); ++k) {
        const Column& column = schema.columns[k];
        if (column.kind != ColumnKind::text || at == row.texts.size()) continue;
        std::map<std::string, double, std::less<>> pull;
        for (const auto& term : row.explanation.terms)
            if (term.column == k && term.level < column.levels.size())
                pull[column.levels[term.level]] = term.by_class[row.best] - term.by_class[row.second];
        shown += marked_text(row.texts[at++], column.text.empty() ? TextOptions{} : column.text[0], pull) + "\n";
    }
    return shown;
}

}  // namespace

std::string explanation_text(const ExplainedRow& row, const Schema& schema, std::size_t most_terms, bool colour,
                             Spelling spell) {
    using Side = TextTable::Side;
    const std::string best = visible(schema.classes[row.best]), second = visible(schema.classes[row.second]);
    const auto difference = [&](const std::vector<double>& by_class) {
        return by_class[row.best] - by_class[row.second];
    };
    std::string text = "row " + std::to_string(row.number) + ": " + best + " (" + percent(row.posterior[row.best]) +
                       "), then " + second + " (" + percent(row.posterior[row.second]) + ")\n";
    if (colour) text += coloured_texts(row, schema);
    const auto& terms = row.explanation.terms;
    std::vector<std::size_t> order(terms.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::greater{},
                             [&](std::size_t k) { return std::abs(difference(terms[k].by_class)); });
    double total = difference(row.explanation.intercept), largest = std::abs(total);
    for (const auto& term : terms) {
        total += difference(term.by_class);
        largest = std::max(largest, std::abs(difference(term.by_class)));
    }
    TextTable table({Side::left, Side::left, Side::right, Side::left});
    for (std::size_t k = 0; k < std::min(order.size(), most_terms); ++k) {
        const auto& term = terms[order[k]];
        const double pull = difference(term.by_class);
        const std::string& value = row.values[order[k]];
        table.row({schema.columns[term.column].name, value.empty() ? "missing" : value, signed_number(pull),
                   bar(pull, largest)});
    }
    const double intercept = difference(row.explanation.intercept);
    table.row({"intercept", "", signed_number(intercept), bar(intercept, largest)});
    table.row({"log odds", "", signed_number(total), ""});
    text += table.text();
    if (order.size() > most_terms)
        text += "  ... and " + std::to_string(order.size() - most_terms) + " more (" + spell({"top", "N"}) + ")\n";
    return text;
}

std::string explained_name(const Explanation::Term& term, const Schema& schema) {
    const Column& column = schema.columns[term.column];
    const bool word = term.level != Explanation::no_level && term.level < column.levels.size();
    return word ? column.name + " " + column.levels[term.level] : column.name;
}

void write_explanation(JsonText& json, const ExplainedRow& row, const Schema& schema) {
    json.open_record();
    json.text("prediction", schema.classes[row.best]);
    json.open_record("intercepts");
    for (std::size_t c = 0; c < schema.classes.size(); ++c)
        json.number(schema.classes[c], row.explanation.intercept[c]);
    json.close();
    json.open_record("contributions");
    for (std::size_t c = 0; c < schema.classes.size(); ++c) {
        json.open_record(schema.classes[c]);
        for (const auto& term : row.explanation.terms) {
            json.number(explained_name(term, schema), term.by_class[c]);
        }
        json.close();
    }
    json.close();
    json.close();
}

}  // namespace suffice
