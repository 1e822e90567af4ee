// Prints drift.
#include "suffice/report/drift_report.hpp"

#include <algorithm>
#include <cmath>

#include "suffice/base/visible.hpp"
#include "suffice/report/chart.hpp"
#include "suffice/report/json_text.hpp"
#include "suffice/report/number_text.hpp"

namespace suffice {
namespace {

using Side = TextTable::Side;

constexpr double usual_level = 0.05;   // of the tests: fewer false alarms than one in twenty comparisons
constexpr std::size_t most_told = 30;  // more of them nobody reads

std::string chance(double p_value) { return p_value < 1e-4 ? "<0.0001" : short_number(p_value, 2); }

std::string what_changed(const ColumnDrift& column) {
    if (!column.level.empty())
        return column.level + ": " + percent(column.level_before) + " -> " + percent(column.level_after);
    if (column.before && column.after)
        return "mean " + short_number(*column.before, 4) + " -> " + short_number(*column.after, 4);
    return "";
}

// The class in which a column changed most.
std::string most_within(const ColumnDrift& column) {
    const auto most = std::ranges::max_element(column.by_class, {},
                                               [](const ColumnDrift::OfClass& each) { return each.change.divergence; });
    return most == column.by_class.end() ? "" : most->name + " " + short_number(most->change.divergence, 3);
}

std::vector<std::vector<std::string>> column_rows(const Drift& drift) {
    std::vector<std::vector<std::string>> rows;
    for (const ColumnDrift& column : drift.columns)
        rows.push_back({column.adjusted_p_value < usual_level ? "*" : "", column.column,
                        short_number(column.change.divergence, 3), chance(column.change.p_value),
                        chance(column.adjusted_p_value), what_changed(column), most_within(column)});
    return rows;
}

std::string shares_sentence(const Drift& drift) {
    if (!drift.classes) return "The second has no classes, so columns are compared over all rows.";
    auto shares = drift.shares;
    std::ranges::stable_sort(shares, std::greater{},
                             [](const ClassShare& each) { return std::abs(each.after - each.before); });
    std::vector<std::string> told;
    for (const ClassShare& share : shares)
        told.push_back(share.name + " " + percent(share.before) + " -> " + percent(share.after));
    return "Classes: divergence " + short_number(drift.classes->divergence, 3) + ", p " +
           chance(drift.classes->p_value) + ": " + listed(told, 6) + ".";
}

std::string accuracy_sentence(const Drift& drift) {
    if (!drift.expected_accuracy || !drift.accuracy_before) return "";
    const double loss = *drift.accuracy_before - *drift.expected_accuracy;
    return "Expected accuracy of the first model: " + percent(*drift.accuracy_before) + " on rows like its own, " +
           percent(*drift.expected_accuracy) + " on rows like the second's" +
           (loss > 0 ? ", a loss of " + short_number(100 * loss, 2) + " points." : ".");
}

constexpr const char* legend_sentence =
    "divergence: Jensen-Shannon in nats, 0 alike, 0.69 nothing in common; adjusted p: for that many columns (Holm); "
    "* below 0.05";

void write_change(JsonText& json, const Change& change) {
    json.number("divergence", change.divergence);
    json.number("p_value", change.p_value);
}

}  // namespace

std::string drift_text(const Drift& drift) {
    TextTable table({Side::left, Side::left, Side::right, Side::right, Side::right, Side::left, Side::left});
    table.row({"", "column", "divergence", "p", "adjusted p", "what changed", "most within"});
    for (auto& row : column_rows(drift)) table.row(std::move(row));
    std::string text = whole_number(std::round(drift.rows_before)) + " rows before, " +
                       whole_number(std::round(drift.rows_after)) + " after\n" + shares_sentence(drift) + "\n\n" +
                       table.text() + "\n  " + legend_sentence + "\n";
    if (!drift.not_compared.empty())
        text += "  not compared, since only one has them or they are kept in other forms: " +
                listed(drift.not_compared, 8) + "\n";
    if (const std::string accuracy = accuracy_sentence(drift); !accuracy.empty()) text += "\n" + accuracy + "\n";
    return visible_lines(text);
}

std::string drift_json(const Drift& drift) {
    JsonText json;
    json.open_record();
    json.number("rows_before", drift.rows_before);
    json.number("rows_after", drift.rows_after);
    json.open_record("classes");
    json.maybe("divergence", drift.classes ? std::optional(drift.classes->divergence) : std::nullopt);
    json.maybe("p_value", drift.classes ? std::optional(drift.classes->p_value) : std::nullopt);
    json.open_list("shares", drift.shares.size());
    for (const ClassShare& share : drift.shares) {
        json.open_record();
        json.text("class", share.name);
        json.number("before", share.before);
        json.number("after", share.after);
        json.close();
    }
    json.close();
    json.close();
    json.open_list("columns", drift.columns.size());
    for (const ColumnDrift& column : drift.columns) {
        json.open_record();
        json.text("column", column.column);
        write_change(json, column.change);
        json.number("adjusted_p_value", column.adjusted_p_value);
        json.maybe("mean_before", column.before);
        json.maybe("mean_after", column.after);
        if (!column.level.empty()) {
            json.text("level", column.level);
            json.number("share_before", column.level_before);
            json.number("share_after", column.level_after);
        }
        json.open_list("by_class", column.by_class.size());
        for (const auto& of_class : column.by_class) {
            json.open_record();
            json.text("class", of_class.name);
            write_change(json, of_class.change);
            json.number("adjusted_p_value", of_class.adjusted_p_value);
            json.close();
        }
        json.close();
        json.close();
    }
    json.close();
    json.open_list("not_compared", drift.not_compared.size());
    for (const std::string& name : drift.not_compared) json.text({}, name);
    json.close();
    json.maybe("expected_accuracy_before", drift.accuracy_before);
    json.maybe("expected_accuracy", drift.expected_accuracy);
    const bool both = drift.accuracy_before && drift.expected_accuracy;
    json.maybe("expected_loss", both ? std::optional(*drift.accuracy_before - *drift.expected_accuracy) : std::nullopt);
    json.close();
    return json.take();
}

Figure drift_figure(const Drift& drift) {
    const std::size_t count = std::min(drift.columns.size(), most_told);
    double largest = 1e-6;
    for (const ColumnDrift& column : drift.columns) {
        largest = std::max(largest, column.change.divergence);
        for (const auto& of_class : column.by_class) largest = std::max(largest, of_class.change.divergence);
    }
    constexpr double width = 640, line = 24;
    const std::vector<LegendEntry> legend{{"changed (adjusted p below 0.05)", "f0", LegendEntry::Sign::patch},
                                          {"not seen to change", "f7", LegendEntry::Sign::patch},
                                          {"within a class", "s1", LegendEntry::Sign::line}};
    const double height = line * static_cast<double>(count) + 70 + legend_height(legend, width);
    ChartAxis down = number_axis("", 0, static_cast<double>(count), 1);
    down.ticks.clear();
    down.grid = false;
    for (std::size_t k = 0; k < count; ++k) {
        const std::string& name = drift.columns[k].column;
        const double middle = static_cast<double>(count - k) - 0.5;
        down.ticks.push_back({middle, name.size() > 24 ? name.substr(0, 22) + ".." : name});
    }
    SvgText svg;
    {
        Chart chart(svg, {0, 0, width, height}, amount_axis("divergence, nats", largest), std::move(down), legend);
        for (std::size_t k = 0; k < count; ++k) {
            const ColumnDrift& column = drift.columns[k];
            const double middle = static_cast<double>(count - k) - 0.5;
            const bool sure = column.adjusted_p_value < usual_level;
            chart.bar(0, column.change.divergence, middle - 0.32, middle + 0.32, sure ? "f0" : "f7", sure ? 0.9 : 0.5);
            for (const auto& of_class : column.by_class)
                chart.line({{{of_class.change.divergence, middle - 0.32}, {of_class.change.divergence, middle + 0.32}}},
                           "s1");
        }
    }
    return {"Which columns changed",
            "How far each column's distribution lies from what it was, over all rows (bars) and within each class "
            "(ticks)." +
                std::string(count < drift.columns.size() ? " The columns that changed most are shown." : ""),
            width, height, svg.take()};
}

Section drift_section(const Drift& drift) {
    Section section{"drift", "What changed"};
    section.parts.push_back(Paragraph{shares_sentence(drift)});
    if (const std::string accuracy = accuracy_sentence(drift); !accuracy.empty())
        section.parts.push_back(Paragraph{accuracy});
    section.parts.push_back(Figures{{drift_figure(drift)}});
    DocumentTable table{legend_sentence,
                        {"", "column", "divergence", "p", "adjusted p", "what changed", "most within"},
                        {Side::left, Side::left, Side::right, Side::right, Side::right, Side::left, Side::left}};
    table.rows = column_rows(drift);
    section.parts.push_back(std::move(table));
    return section;
}

Document drift_document(const Drift& drift, const std::string& before, const std::string& after) {
    return {"Drift from " + before + " to " + after,
            whole_number(std::round(drift.rows_before)) + " rows before, " +
                whole_number(std::round(drift.rows_after)) + " after; told from their statistics alone",
            {drift_section(drift)}};
}

}  // namespace suffice
