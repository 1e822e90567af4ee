// Writes estimates of families.
#include "suffice/report/density_report.hpp"

#include "suffice/report/json_text.hpp"
#include "suffice/report/number_text.hpp"
#include "suffice/report/text_table.hpp"

namespace suffice {
namespace {

std::string list_text(const std::vector<double>& values) {
    std::string text;
    for (double value : values) text += (text.empty() ? "" : ", ") + short_number(value, 6);
    return text;
}

std::string record_line(const Record& record) {
    std::string text;
    for (const auto& [name, value] : record.entries) {
        const auto* number = std::get_if<double>(&value);
        text += (text.empty() ? "" : ", ") + name + " " +
                (number != nullptr ? short_number(*number, 6) : list_text(std::get<std::vector<double>>(value)));
    }
    return text;
}

}  // namespace

std::string family_text(const std::vector<FamilyFit>& fits) {
    std::string text;
    for (const FamilyFit& fit : fits) {
        TextTable table({TextTable::Side::left, TextTable::Side::left});
        table.row({"rows", whole_number(fit.rows)});
        table.row({"maximum likelihood", record_line(fit.likelihood)});
        if (!fit.unbiased.entries.empty()) table.row({"unbiased", record_line(fit.unbiased)});
        if (!fit.natural.empty()) {
            table.row({"natural parameters", list_text(fit.natural)});
            table.row({"log partition", short_number(fit.log_partition, 8)});
        }
        table.row({"log-likelihood", short_number(fit.log_likelihood, 8)});
        if (!fit.prior_name.empty()) {
            table.row({"prior", fit.prior_name + ": " + record_line(fit.prior)});
            table.row({"posterior", fit.prior_name + ": " + record_line(fit.posterior)});
            table.row({"posterior mean", record_line(fit.posterior_mean)});
            table.row({"log evidence", short_number(fit.log_evidence, 8)});
        }
        text += (text.empty() ? "" : "\n") + fit.column + " as " + fit.family + "\n" + table.text();
    }
    return text;
}

std::string family_json(const std::vector<FamilyFit>& fits) {
    JsonText json;
    json.open_list({});
    for (const FamilyFit& fit : fits) {
        json.open_record();
        json.text("column", fit.column);
        json.text("family", fit.family);
        json.number("rows", fit.rows);
        json.record("likelihood", fit.likelihood);
        if (!fit.unbiased.entries.empty()) json.record("unbiased", fit.unbiased);
        json.numbers("natural", fit.natural);
        json.number("log_partition", fit.log_partition);
        json.number("log_likelihood", fit.log_likelihood);
        if (!fit.prior_name.empty()) {
            json.text("prior_family", fit.prior_name);
            json.record("prior", fit.prior);
            json.record("posterior", fit.posterior);
            json.record("posterior_mean", fit.posterior_mean);
            json.number("log_evidence", fit.log_evidence);
        }
        json.close();
    }
    json.close();
    return json.take();
}

}  // namespace suffice
