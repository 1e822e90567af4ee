// Writes estimates of families.
#include "suffice/report/density_report.hpp"

#include <algorithm>
#include <functional>

#include "suffice/base/visible.hpp"
#include "suffice/family/parameter_form.hpp"
#include "suffice/report/calculation.hpp"
#include "suffice/report/json_text.hpp"
#include "suffice/report/number_text.hpp"
#include "suffice/report/text_table.hpp"

namespace suffice {
namespace {

std::string told_line(const Record& kept) { return record_line(as_told(kept)); }

// "mean of width", "probability of red", "rate".
std::string quantity_of(const FamilyFit& fit, const NamedInterval& each) {
    const auto& names = fit.levels.empty() ? fit.columns : fit.levels;
    if (!each.place || *each.place >= names.size()) return each.quantity;
    return each.quantity + " of " + names[*each.place];
}

void add_levels(TextTable& table, const FamilyFit& fit) {
    constexpr std::size_t most_shown = 50;
    for (std::size_t k = 0; k < fit.levels.size() && k < most_shown; ++k)
        table.row({"  " + fit.levels[k], short_number(fit.mean[k], 6)});
    if (fit.levels.size() > most_shown)
        table.row({"  ...", std::to_string(fit.levels.size()) + " levels, of which the first are shown"});
}

void add_credible(TextTable& table, const FamilyFit& fit, const std::vector<NamedInterval>& credible) {
    constexpr std::size_t most_shown = 50;
    for (std::size_t k = 0; k < credible.size() && k < most_shown; ++k)
        table.row({"  " + quantity_of(fit, credible[k]), short_number(100 * fit.mass, 4) + " % within " +
                                                             short_number(credible[k].interval.low, 6) + " and " +
                                                             short_number(credible[k].interval.high, 6)});
}

void add_predictive(TextTable& table, const char* name, const std::optional<PredictiveForm>& form) {
    if (form) table.row({name, form->name + ": " + record_line(form->parameters)});
}

// What is known before the rows, after each batch where these were asked for, and after all.
void add_prior(TextTable& table, const FamilyFit& fit) {
    table.row({"prior", fit.prior_name + ": " + record_line(fit.prior)});
    if (!fit.batches.empty()) {
        add_credible(table, fit, fit.prior_credible);
        add_predictive(table, "  predictive", fit.prior_predictive);
    }
    for (const FamilyBatch& batch : fit.batches) {
        table.row({"after " + batch.name, fit.prior_name + ": " + record_line(batch.posterior) +
                                              "; log predictive of its " + whole_number(batch.rows) + " rows " +
                                              short_number(batch.log_predictive, 8)});
        add_credible(table, fit, batch.credible);
        add_predictive(table, "  predictive", batch.predictive);
    }
    table.row({"posterior", fit.prior_name + ": " + record_line(fit.posterior)});
    table.row({"posterior mean", told_line(fit.posterior_mean)});
    add_credible(table, fit, fit.credible);
    add_predictive(table, "predictive", fit.predictive);
    table.row({"log evidence", short_number(fit.log_evidence, 8)});
}

void write_credible(JsonText& json, const char* name, const FamilyFit& fit,
                    const std::vector<NamedInterval>& credible) {
    json.open_list(name);
    for (const NamedInterval& each : credible) {
        json.open_record();
        json.text("quantity", each.quantity);
        const auto& names = fit.levels.empty() ? fit.columns : fit.levels;
        if (each.place && *each.place < names.size())
            json.text(fit.levels.empty() ? "column" : "level", names[*each.place]);
        json.number("low", each.interval.low);
        json.number("high", each.interval.high);
        json.close();
    }
    json.close();
}

void write_predictive(JsonText& json, const char* name, const std::optional<PredictiveForm>& form) {
    if (!form) return;
    json.text((std::string(name) + "_family").c_str(), form->name);
    json.record(name, form->parameters);
}

void write_prior(JsonText& json, const FamilyFit& fit) {
    json.text("prior_family", fit.prior_name);
    json.record("prior", fit.prior);
    json.record("posterior", fit.posterior);
    json.record("posterior_mean", fit.posterior_mean);
    json.number("log_evidence", fit.log_evidence);
    json.number("credible_mass", fit.mass);
    write_credible(json, "credible_intervals", fit, fit.credible);
    write_predictive(json, "predictive", fit.predictive);
    if (fit.batches.empty()) return;
    write_credible(json, "prior_credible_intervals", fit, fit.prior_credible);
    write_predictive(json, "prior_predictive", fit.prior_predictive);
    json.open_list("batches");
    for (const FamilyBatch& batch : fit.batches) {
        json.open_record();
        json.text("batch", batch.name);
        json.number("rows", batch.rows);
        json.record("posterior", batch.posterior);
        json.record("posterior_mean", batch.posterior_mean);
        json.number("log_predictive", batch.log_predictive);
        write_credible(json, "credible_intervals", fit, batch.credible);
        write_predictive(json, "predictive", batch.predictive);
        json.close();
    }
    json.close();
}

// The families of each column side by side, the most probable first.
std::string judged_text(const std::vector<FamilyFit>& fits) {
    std::vector<std::string> columns;
    for (const FamilyFit& fit : fits)
        if (fit.judged && std::ranges::find(columns, fit.column) == columns.end()) columns.push_back(fit.column);
    std::string text;
    for (const std::string& column : columns) {
        std::vector<const FamilyFit*> own;
        for (const FamilyFit& fit : fits)
            if (fit.column == column && fit.judged) own.push_back(&fit);
        std::ranges::stable_sort(own, std::ranges::greater{},
                                 [](const auto* fit) { return fit->judged->log_evidence; });
        using Side = TextTable::Side;
        TextTable table({Side::left, Side::left, Side::right, Side::right, Side::left});
        table.row({"family", "prior", "log evidence", "probability", ""});
        for (const FamilyFit* fit : own)
            table.row({fit->family, fit->prior_name.empty() ? "-" : record_line(fit->prior),
                       short_number(fit->judged->log_evidence, 8), short_number(fit->judged->probability, 4),
                       fit->judged->by_bic ? "by BIC" : ""});
        text +=
            "\nfamilies of " + visible(column) + ", each as probable as the others before the rows\n" + table.text();
    }
    return text;
}

}  // namespace

std::string evidence_text(std::vector<ModelEvidence> models, double rows) {
    using Side = TextTable::Side;
    std::ranges::stable_sort(models, std::ranges::greater{}, &ModelEvidence::log_evidence);
    TextTable table({Side::left, Side::right, Side::right});
    table.row({"model", "log evidence", "probability"});
    for (const ModelEvidence& each : models)
        table.row({each.name, short_number(each.log_evidence, 8), short_number(each.probability, 4)});
    return "models of " + whole_number(rows) + " rows, each as probable as the others before them\n" + table.text();
}

std::string evidence_json(const std::vector<ModelEvidence>& models, double rows) {
    JsonText json;
    json.open_record();
    json.number("rows", rows);
    json.open_list("models", models.size());
    for (const ModelEvidence& each : models) {
        json.open_record();
        json.text("model", each.name);
        json.number("log_evidence", each.log_evidence);
        json.number("probability", each.probability);
        json.close();
    }
    json.close();
    json.close();
    return json.take();
}

std::string family_text(const std::vector<FamilyFit>& fits) {
    std::string text;
    for (const FamilyFit& fit : fits) {
        TextTable table({TextTable::Side::left, TextTable::Side::left});
        table.row({"rows", whole_number(fit.rows)});
        if (fit.missing_rows > 0) table.row({"left out", whole_number(fit.missing_rows) + " with a missing value"});
        if (fit.levels.empty())
            table.row({"maximum likelihood", told_line(fit.likelihood)});
        else
            table.row(
                {"maximum likelihood", "probability of each of " + std::to_string(fit.levels.size()) + " levels"});
        add_levels(table, fit);
        if (!fit.unbiased.entries.empty()) table.row({"unbiased", told_line(fit.unbiased)});
        if (!fit.natural.empty()) {
            table.row({"natural parameters", entry_text({{}, fit.natural})});
            table.row({"log partition", short_number(fit.log_partition, 8)});
        }
        table.row({"log-likelihood", short_number(fit.log_likelihood, 8)});
        if (!fit.prior_name.empty()) add_prior(table, fit);
        text += (text.empty() ? "" : "\n") + fit.column + " as " + fit.family + "\n" + table.text();
    }
    return visible_lines(text + judged_text(fits));
}

std::string family_json(const std::vector<FamilyFit>& fits) {
    JsonText json;
    json.open_list({});
    for (const FamilyFit& fit : fits) {
        json.open_record();
        json.text("column", fit.column);
        if (!fit.columns.empty()) write_value(json, "columns", fit.columns);
        json.text("family", fit.family);
        json.number("rows", fit.rows);
        if (fit.missing_rows > 0) json.number("missing_rows", fit.missing_rows);
        if (!fit.levels.empty()) {
            write_value(json, "levels", fit.levels);
            json.numbers("probability", fit.mean);
        }
        json.record("likelihood", fit.likelihood);
        if (!fit.unbiased.entries.empty()) json.record("unbiased", fit.unbiased);
        json.numbers("natural", fit.natural);
        json.number("log_partition", fit.log_partition);
        json.number("log_likelihood", fit.log_likelihood);
        if (!fit.prior_name.empty()) write_prior(json, fit);
        if (fit.judged) {
            json.number("family_probability", fit.judged->probability);
            json.number("log_evidence_compared", fit.judged->log_evidence);
            json.flag("by_bic", fit.judged->by_bic);
        }
        json.close();
    }
    json.close();
    return json.take();
}

}  // namespace suffice
