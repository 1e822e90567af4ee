// Reports for programs.
#include <cmath>

#include "suffice/report/evaluation_report.hpp"
#include "suffice/report/json_text.hpp"
#include "suffice/report/report_content.hpp"

namespace suffice {
namespace {

void write_report_columns(JsonText& json, const ReportContent& content) {
    json.open_list("columns");
    for (const auto& column : content.columns) {
        json.open_record();
        json.text("name", column.name);
        json.text("kind", column.kind);
        json.text("family", column.family);
        json.number("missing_share", column.missing_share);
        json.number("separation", column.separation);
        if (column.better) {
            json.text("better_family", column.better->family);
            json.number("evidence_gain", column.better->gain);
        }
        if (!column.levels.empty()) json.texts("levels", column.levels);
        if (column.histogram.bin_count() > 0) {
            json.open_record("histogram");
            json.number("low", column.histogram.low);
            json.number("width", column.histogram.width);
            json.close();
        }
        json.open_record("classes");
        for (std::size_t c = 0; c < column.by_class.size(); ++c) {
            const auto& own = column.by_class[c];
            json.open_record(content.schema.classes[c]);
            if (!own.seen.empty()) json.numbers("seen", own.seen);
            if (!own.fitted.empty()) json.numbers("fitted", own.fitted);
            if (column.histogram.bin_count() > 0) json.numbers("counts", column.histogram.by_class[c]);
            if (!own.check.quantiles.empty()) {
                json.number("distance", own.check.distance);
                json.number("critical_distance", own.check.critical);
            }
            json.close();
        }
        json.close();
        json.close();
    }
    json.close();
}

void write_rows(JsonText& json, const ReportContent& content) {
    const auto& classes = content.schema.classes;
    json.open_list("mistakes");
    for (const auto& each : content.mistakes) {
        json.open_record();
        json.whole("row", each.row.number);
        json.text("truth", classes[each.truth]);
        json.text("prediction", classes[each.row.best]);
        json.number("posterior", each.row.posterior[each.row.best]);
        json.number("log_odds", each.log_odds);
        json.close();
    }
    json.close();
    json.open_list("novel_rows");
    for (const auto& each : content.odd) {
        json.open_record();
        json.whole("row", each.row.number);
        json.number("log_evidence", each.log_evidence);
        json.text("prediction", classes[each.row.best]);
        json.close();
    }
    json.close();
    if (content.novelty) {
        json.open_record("novelty");
        json.number("threshold", content.novelty->threshold);
        json.number("share_below", content.novelty->share);
        json.close();
    }
}

void write_curves(JsonText& json, const ReportContent& content) {
    std::vector<double> coverage, error;
    for (const auto& point : content.evaluation.reject_curve()) {
        coverage.push_back(point.coverage);
        error.push_back(point.error);
    }
    json.open_record("reject_curve");
    json.numbers("coverage", coverage);
    json.numbers("error", error);
    json.close();
    json.open_list("reliability");
    for (const auto& bin : content.scores.reliability) {
        if (!(bin.weight > 0)) continue;
        json.open_record();
        json.number("weight", bin.weight);
        json.number("mean_score", bin.mean_score());
        json.number("frequency", bin.frequency());
        json.close();
    }
    json.close();
}

void write_report_words(JsonText& json, const ReportContent& content) {
    json.open_list("words");
    for (const auto& word : content.words) {
        json.open_record();
        json.text("class", content.schema.classes[word.of_class]);
        json.text("word", content.schema.columns[word.column].levels[word.word]);
        json.number("log_odds", word.log_odds);
        json.number("count", word.count);
        json.open_list("contexts");
        for (const auto& place : word.places) json.text({}, place.before + place.word + place.after);
        json.close();
        json.close();
    }
    json.close();
}

}  // namespace

std::string report_json(const ReportContent& content) {
    std::string evaluation = evaluation_json(content.scores, content.schema.classes);
    while (evaluation.ends_with('\n')) evaluation.pop_back();
    JsonText json;
    json.open_record();
    json.text("model", content.model);
    json.text("target", content.target);
    json.number("trained_rows", content.trained_rows);
    json.texts("files", content.files);
    json.flag("training_rows", content.on_training_rows);
    json.whole("parameter_count", content.parameter_count);
    json.number("log_likelihood", content.log_likelihood);
    json.number("bic", content.bic);
    json.numbers("priors", content.prior);
    write_report_columns(json, content);
    json.open_list("telling");
    for (const auto& column : content.telling) {
        json.open_record();
        json.text("column", column.name);
        json.number("log_odds", column.overall);
        json.numbers("by_class", column.by_class);
        json.close();
    }
    json.close();
    write_curves(json, content);
    write_rows(json, content);
    if (!content.words.empty()) write_report_words(json, content);
    json.close();
    // What evaluate --json writes comes first, as a record of its own.
    return "{\"evaluation\": " + evaluation + ", " + json.take().substr(1);
}

}  // namespace suffice
