// Prints comparisons.
#include "suffice/report/comparison_report.hpp"

#include <cmath>

#include "suffice/report/json_text.hpp"
#include "suffice/report/number_text.hpp"
#include "suffice/report/text_table.hpp"

namespace suffice {

namespace {

std::string curve_text(const std::vector<LearningPoint>& curve) {
    using Side = TextTable::Side;
    TextTable table({Side::left, Side::left, Side::right, Side::right, Side::right});
    table.row({"model", "options", "rows", "accuracy", "log loss"});
    for (const auto& point : curve)
        table.row({point.model, point.options, whole_number(std::round(point.rows)), short_number(point.accuracy),
                   short_number(point.log_loss)});
    return "\nlearning curve\n" + table.text();
}

}  // namespace

void write_comparison(JsonText& json, std::string_view name, const std::vector<Compared>& models) {
    json.open_list(name, models.size());
    for (const auto& each : models) {
        const auto number = [&](std::string_view key, double value) {
            json.maybe(key, each.failure.empty() ? std::optional(value) : std::nullopt);
        };
        json.open_record();
        json.text("model", each.model);
        json.text("options", each.options);
        number("accuracy", each.accuracy);
        number("accuracy_se", each.accuracy_error);
        number("log_loss", each.log_loss);
        number("log_loss_se", each.log_loss_error);
        number("parameters", static_cast<double>(each.parameter_count));
        number("bic", each.bic);
        number("seconds", each.seconds);
        if (!each.failure.empty()) json.text("failure", each.failure);
        json.close();
    }
    json.close();
}

std::string comparison_text(const Comparison& comparison) {
    const auto& models = comparison.models;
    using Side = TextTable::Side;
    TextTable table({Side::left, Side::left, Side::left, Side::right, Side::right, Side::right, Side::right,
                     Side::right, Side::right, Side::right, Side::right});
    table.row(
        {"", "model", "options", "accuracy", "+-", "log loss", "+-", "parameters", "BIC", "log evidence", "seconds"});
    std::string failures;
    for (const auto& each : models) {
        if (!each.failure.empty()) {
            failures +=
                "  " + each.model + (each.options.empty() ? "" : " ") + each.options + ": " + each.failure + "\n";
            continue;
        }
        // Within one standard error of the best by log loss: as good as it, for all these rows can tell.
        const bool as_good = each.log_loss <= models.front().log_loss + models.front().log_loss_error;
        table.row({as_good ? "*" : "", each.model, each.options, short_number(each.accuracy),
                   short_number(each.accuracy_error, 2), short_number(each.log_loss),
                   short_number(each.log_loss_error, 2), std::to_string(each.parameter_count),
                   short_number(each.bic, 6), short_number(-each.bic / 2, 6),
                   each.seconds > 0 ? short_number(each.seconds, 2) : "-"});
    }
    std::string text =
        table.text() + "\n  * within one standard error of the best; log evidence by Schwarz: -BIC / 2\n";
    if (!failures.empty()) text += "\ncould not be fitted:\n" + failures;
    if (!comparison.curve.empty()) text += curve_text(comparison.curve);
    return text;
}

std::string comparison_json(const Comparison& comparison) {
    JsonText json;
    if (comparison.curve.empty()) {
        write_comparison(json, {}, comparison.models);
        return json.take();
    }
    json.open_record();
    write_comparison(json, "models", comparison.models);
    json.open_list("learning_curve", comparison.curve.size());
    for (const auto& point : comparison.curve) {
        json.open_record();
        json.text("model", point.model);
        json.text("options", point.options);
        json.number("rows", point.rows);
        json.number("accuracy", point.accuracy);
        json.number("log_loss", point.log_loss);
        json.close();
    }
    json.close();
    json.close();
    return json.take();
}

}  // namespace suffice
