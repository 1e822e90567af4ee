// The steps of Newton's method, one line each.
#include <cmath>

#include "suffice/report/logistic_report.hpp"
#include "suffice/report/number_text.hpp"
#include "suffice/report/text_table.hpp"
#include "suffice/report/trace_figures.hpp"

namespace suffice {
namespace {

constexpr std::size_t most_traced_coefficients = 6;  // that a table has room for; programs get all

std::vector<std::string> coefficient_names(const LogisticRegression& model) {
    std::vector<std::string> names{"(intercept)"};
    for (auto& each : model.state().features.names(model.schema())) names.push_back(std::move(each));
    return names;
}

}  // namespace

std::string trace_table(const LogisticRegression& model, const LogisticTrace& trace) {
    using Side = TextTable::Side;
    const auto names = coefficient_names(model);
    const std::size_t width = names.size(), all = width * (model.class_count() - 1);
    const std::size_t shown = all <= most_traced_coefficients ? all : 0;
    std::vector<std::string> head{"step", "log_likelihood", "gradient_norm", "step_length", "condition"};
    for (std::size_t k = 0; k < shown; ++k)
        head.push_back((model.class_count() > 2 ? model.schema().classes[1 + k / width] + ":" : "") + names[k % width]);
    TextTable table(std::vector<Side>(head.size(), Side::right));
    table.row(head);
    const auto gradient = told_gradients(trace);
    for (std::size_t step = 0; step < trace.steps.size(); ++step) {
        const LogisticStep& at = trace.steps[step];
        std::vector<std::string> cells{std::to_string(step), short_number(at.log_likelihood, 10),
                                       short_number(gradient[step], 4), step == 0 ? "" : short_number(at.length, 4),
                                       std::isnan(at.condition) ? "-" : short_number(at.condition, 4)};
        for (std::size_t k = 0; k < shown; ++k) cells.push_back(short_number(at.coefficient[k], 6));
        table.row(std::move(cells));
    }
    return table.text();
}

void write_trace(JsonText& json, const LogisticRegression& model, const LogisticTrace& trace) {
    const auto names = coefficient_names(model);
    json.open_list("trace", trace.steps.size());
    for (std::size_t step = 0; step < trace.steps.size(); ++step) {
        const LogisticStep& at = trace.steps[step];
        json.open_record();
        json.whole("step", step);
        json.number("log_likelihood", at.log_likelihood);
        json.number("objective", at.objective);
        json.number("gradient_norm", at.gradient);
        json.number("step_length", at.length);
        json.number("condition", at.condition);
        json.open_record("coefficients");
        for (std::size_t c = 1; c < model.class_count(); ++c) {
            json.open_record(model.schema().classes[c]);
            for (std::size_t j = 0; j < names.size(); ++j)
                json.number(names[j], at.coefficient[(c - 1) * names.size() + j]);
            json.close();
        }
        json.close();
        json.close();
    }
    json.close();
}

}  // namespace suffice
