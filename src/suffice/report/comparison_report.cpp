// Prints comparisons.
#include "suffice/report/comparison_report.hpp"

#include <algorithm>
#include <cmath>

#include "suffice/base/visible.hpp"
#include "suffice/report/json_text.hpp"
#include "suffice/report/number_text.hpp"
#include "suffice/report/text_table.hpp"

namespace suffice {

namespace {

std::string curve_text(const std::vector<LearningPoint>& curve, Spelling spell) {
    using Side = TextTable::Side;
    TextTable table({Side::left, Side::left, Side::right, Side::right, Side::right});
    table.row({"model", "options", "rows", "accuracy", "log loss"});
    for (const auto& point : curve)
        table.row({point.model, spelled(point.options, spell), whole_number(std::round(point.rows)),
                   short_number(point.accuracy), short_number(point.log_loss)});
    return "\nlearning curve\n" + table.text();
}

}  // namespace

void write_comparison(JsonText& json, std::string_view name, const std::vector<Compared>& models, Spelling spell) {
    json.open_list(name, models.size());
    for (const auto& each : models) {
        const auto number = [&](std::string_view key, double value) {
            json.maybe(key, !each.failed() ? std::optional(value) : std::nullopt);
        };
        json.open_record();
        json.text("model", each.model);
        json.text("options", spelled(each.options, spell));
        number("accuracy", each.accuracy);
        number("accuracy_se", each.accuracy_error);
        number("log_loss", each.log_loss);
        number("log_loss_se", each.log_loss_error);
        number("difference", each.difference);
        number("difference_se", each.difference_error);
        number("parameters", static_cast<double>(each.parameter_count));
        json.maybe("bic", each.has_bic && !each.failed() ? std::optional(each.bic) : std::nullopt);
        json.maybe("evidence", each.has_evidence && !each.failed() ? std::optional(each.evidence) : std::nullopt);
        number("seconds", each.seconds);
        if (each.unfinished) json.flag("unfinished", true);
        if (each.failed()) json.text("failure", each.failure.told(spell));
        json.close();
    }
    json.close();
}

std::string comparison_text(const Comparison& comparison, Spelling spell) {
    const auto& models = comparison.models;
    using Side = TextTable::Side;
    TextTable table({Side::left, Side::left, Side::left, Side::right, Side::right, Side::right, Side::right,
                     Side::right, Side::right, Side::right, Side::right, Side::right, Side::right});
    table.row({"", "model", "options", "accuracy", "+-", "log loss", "+-", "difference", "+-", "parameters", "BIC",
               "evidence", "seconds"});
    std::string failures;
    for (const auto& each : models) {
        const std::string options = spelled(each.options, spell);
        if (each.failed()) {
            failures +=
                "  " + each.model + (options.empty() ? "" : " ") + options + ": " + each.failure.told(spell) + "\n";
            continue;
        }
        // As good as the best, for all that the differences on the same folds can tell.
        const bool as_good = each.difference <= each.difference_error;
        table.row(
            {as_good ? "*" : "", each.model, options, short_number(each.accuracy), short_number(each.accuracy_error, 2),
             short_number(each.log_loss), short_number(each.log_loss_error, 2), short_number(each.difference),
             short_number(each.difference_error, 2), std::to_string(each.parameter_count),
             each.has_bic ? short_number(each.bic, 6) : "-", each.has_evidence ? short_number(each.evidence, 6) : "-",
             each.seconds > 0 ? short_number(each.seconds, 2) : "-"});
    }
    std::string text = table.text() +
                       "\n  +-: standard errors over folds; difference: of the log loss to the best, on the same folds"
                       "\n  * no worse than the best by more than the standard error of that difference\n";
    if (std::ranges::any_of(models, [](const Compared& each) { return each.has_bic && !each.failed(); }))
        text +=
            "  BIC: of log p(row, class), where it means the same; evidence: log p(rows, classes) under conjugate "
            "priors\n";
    if (comparison.nested)
        text += "\nchoosing the best by such a table, then fitting it: log loss " +
                short_number(comparison.nested->log_loss) + " +- " +
                short_number(comparison.nested->log_loss_error, 2) + ", accuracy " +
                short_number(comparison.nested->accuracy) + " +- " +
                short_number(comparison.nested->accuracy_error, 2) + " on rows that had no part in the choice\n";
    if (!failures.empty()) text += "\ncould not be fitted:\n" + failures;
    if (!comparison.curve.empty()) text += curve_text(comparison.curve, spell);
    return visible_lines(text);
}

std::string comparison_json(const Comparison& comparison, Spelling spell) {
    JsonText json;
    if (comparison.curve.empty() && !comparison.nested) {
        write_comparison(json, {}, comparison.models, spell);
        return json.take();
    }
    json.open_record();
    write_comparison(json, comparison.nested ? "candidates" : "models", comparison.models, spell);
    if (comparison.nested) {
        json.open_record("nested");
        json.number("log_loss", comparison.nested->log_loss);
        json.number("log_loss_se", comparison.nested->log_loss_error);
        json.number("accuracy", comparison.nested->accuracy);
        json.number("accuracy_se", comparison.nested->accuracy_error);
        json.close();
    }
    if (comparison.curve.empty()) {
        json.close();
        return json.take();
    }
    json.open_list("learning_curve", comparison.curve.size());
    for (const auto& point : comparison.curve) {
        json.open_record();
        json.text("model", point.model);
        json.text("options", spelled(point.options, spell));
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
