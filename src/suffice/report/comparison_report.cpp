// Prints comparisons.
#include "suffice/report/comparison_report.hpp"

#include "suffice/report/json_text.hpp"
#include "suffice/report/number_text.hpp"
#include "suffice/report/text_table.hpp"

namespace suffice {

std::string comparison_text(const std::vector<Compared>& models) {
    using Side = TextTable::Side;
    TextTable table({Side::left, Side::left, Side::left, Side::right, Side::right, Side::right, Side::right,
                     Side::right, Side::right});
    table.row({"", "model", "options", "accuracy", "+-", "log loss", "+-", "parameters", "BIC"});
    std::string failures;
    for (const auto& each : models) {
        if (!each.failure.empty()) {
            failures += "  " + each.model + " " + each.options + ": " + each.failure + "\n";
            continue;
        }
        // Within one standard error of the best by log loss: as good as it, for all these rows can tell.
        const bool as_good = each.log_loss <= models.front().log_loss + models.front().log_loss_error;
        table.row({as_good ? "*" : "", each.model, each.options, short_number(each.accuracy),
                   short_number(each.accuracy_error, 2), short_number(each.log_loss),
                   short_number(each.log_loss_error, 2), std::to_string(each.parameter_count),
                   short_number(each.bic, 6)});
    }
    std::string text = table.text() + "\n  * within one standard error of the best\n";
    if (!failures.empty()) text += "\ncould not be fitted:\n" + failures;
    return text;
}

std::string comparison_json(const std::vector<Compared>& models) {
    JsonText json;
    json.open_list({}, models.size());
    for (const auto& each : models) {
        const auto number = [&](std::string_view name, double value) {
            json.maybe(name, each.failure.empty() ? std::optional(value) : std::nullopt);
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
    return json.take() + "\n";
}

}  // namespace suffice
