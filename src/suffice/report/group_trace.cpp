// Puts the steps of a search for groups into words and JSON.
#include "suffice/report/group_trace.hpp"

#include <cmath>

#include "suffice/report/number_text.hpp"
#include "suffice/report/text_table.hpp"

namespace suffice {
namespace {

// Each number of a group's parameters, with its name: visit(name, value).
template <class Visit>
void for_each_parameter(const GroupStep& step, const Schema& schema, std::size_t group, Visit visit) {
    for (const auto& column : step.parameters.columns) {
        const Column& about = schema.columns[column.column];
        for (const auto& [name, value] : column.by_class[group].entries) {
            if (const auto* number = std::get_if<double>(&value)) {
                visit(name + "(" + about.name + ")", *number);
                continue;
            }
            const auto& numbers = std::get<std::vector<double>>(value);
            for (std::size_t at = 0; at < numbers.size(); ++at)
                visit(name + "(" + about.name + "=" +
                          (at < about.levels.size() ? about.levels[at] : std::to_string(at + 1)) + ")",
                      numbers[at]);
        }
    }
}

// What is rounding alone is none.
double change_to(double now, double before) {
    const double change = now - before;
    return std::abs(change) <= 1e-11 * std::abs(now) ? 0 : change;
}

void write_parameters(JsonText& json, const GroupStep& step, const Schema& schema) {
    json.numbers("shares", step.share);
    json.open_list("groups", step.share.size());
    for (std::size_t k = 0; k < step.share.size(); ++k) {
        json.open_record();
        for (const auto& column : step.parameters.columns) {
            json.open_record(schema.columns[column.column].name);
            for (const auto& [name, value] : column.by_class[k].entries) {
                if (const auto* number = std::get_if<double>(&value))
                    json.number(name, *number);
                else
                    json.numbers(name, std::get<std::vector<double>>(value));
            }
            json.close();
        }
        json.close();
    }
    json.close();
    const auto& covariances = step.parameters.covariances;
    if (covariances.empty()) return;
    json.open_list("covariances", covariances.size());
    for (const auto& each : covariances) {
        const std::size_t d = each.columns.size();
        json.open_record();
        json.numbers("groups", std::vector<double>(each.classes.begin(), each.classes.end()));
        json.open_list("values", d);
        for (std::size_t i = 0; i < d; ++i)
            json.numbers({}, std::vector<double>(each.values.begin() + static_cast<std::ptrdiff_t>(i * d),
                                                 each.values.begin() + static_cast<std::ptrdiff_t>((i + 1) * d)));
        json.close();
        json.close();
    }
    json.close();
}

}  // namespace

std::string group_trace_text(const GroupTrace& trace) {
    std::vector<std::string> head{"step", trace.objective, "change"};
    if (!trace.groups.empty()) {
        head.insert(head.end(), {"group", "share"});
        for_each_parameter(trace.groups[0], trace.schema, 0,
                           [&](const std::string& name, double) { head.push_back(name); });
    }
    TextTable table(std::vector<TextTable::Side>(head.size(), TextTable::Side::right));
    table.row(head);
    for (std::size_t step = 0; step < trace.path.size(); ++step) {
        std::vector<std::string> cells{
            std::to_string(trace.first_step + step), short_number(trace.path[step], 10),
            step == 0 ? "" : short_number(change_to(trace.path[step], trace.path[step - 1]), 4)};
        if (step >= trace.groups.size()) table.row(cells);
        for (std::size_t k = 0; step < trace.groups.size() && k < trace.groups[step].share.size(); ++k) {
            if (k > 0) cells = {"", "", ""};
            cells.push_back(std::to_string(k));
            cells.push_back(short_number(trace.groups[step].share[k], 4));
            for_each_parameter(trace.groups[step], trace.schema, k,
                               [&](const std::string&, double value) { cells.push_back(short_number(value)); });
            cells.resize(head.size());
            table.row(cells);
        }
    }
    return table.text();
}

void write_group_trace(JsonText& json, const GroupTrace& trace) {
    json.open_list("trace", trace.path.size());
    for (std::size_t step = 0; step < trace.path.size(); ++step) {
        json.open_record();
        json.whole("step", trace.first_step + step);
        json.number(trace.key, trace.path[step]);
        if (step < trace.groups.size()) write_parameters(json, trace.groups[step], trace.schema);
        json.close();
    }
    json.close();
}

}  // namespace suffice
