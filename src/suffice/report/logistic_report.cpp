// One line per coefficient: estimate, standard error, z, the chance of so large a z, and its interval.
#include "suffice/report/logistic_report.hpp"

#include <algorithm>
#include <cmath>

#include "suffice/report/number_text.hpp"
#include "suffice/report/text_table.hpp"

namespace suffice {
namespace {

std::string known(double value, int digits) {
    if (std::isnan(value)) return "-";
    if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
    return short_number(value, digits);
}

std::string tail_percent(double share) { return short_number(100 * share, 4) + " %"; }

}  // namespace

std::string coefficient_table(const LogisticRegression& model, const InspectView& view) {
    using Side = TextTable::Side;
    const std::vector<std::string>& classes = model.schema().classes;
    const LikelihoodRatios& ratios = view.ratios;
    const bool profiled = !ratios.intervals.empty();
    const double coverage = profiled ? ratios.coverage : 0.95;
    const std::vector<CoefficientLine> lines = model.lines(coverage);
    std::string text;
    for (std::uint32_t c = 1; c < classes.size(); ++c) {
        if (view.of_class && *view.of_class != c && *view.of_class != 0) continue;
        const bool probit = model.state().settings.link == Link::probit;
        text += (probit ? "probit of " : "log odds of ") + classes[c] + " against " + classes[0] + "\n";
        TextTable table({Side::left, Side::right, Side::right, Side::right, Side::right, Side::right, Side::right});
        table.row({"", "coefficient", "standard_error", "z", "p_value", tail_percent((1 - coverage) / 2),
                   tail_percent((1 + coverage) / 2)});
        std::size_t shown = 0, left = 0;
        for (std::size_t i = 0; i < lines.size(); ++i) {
            const CoefficientLine& line = lines[i];
            if (line.class_code != c) continue;
            if (shown++ > view.top) {
                ++left;
                continue;
            }
            table.row({line.name, known(line.coefficient, 5), known(line.standard_error, 5), known(line.z, 4),
                       known(line.p_value, 3), known(profiled ? ratios.intervals[i].low : line.low, 5),
                       known(profiled ? ratios.intervals[i].high : line.high, 5)});
        }
        text += table.text();
        if (left > 0) text += "  ... and " + std::to_string(left) + " more coefficients (" + top_shows(view) + ")\n";
    }
    if (profiled) text += "  the intervals are those of the profile likelihood\n";
    if (std::ranges::any_of(lines, [](const CoefficientLine& line) { return std::isnan(line.coefficient); }))
        text += "  -: not to be estimated, because the column follows from those before it\n";
    if (model.state().settings.penalty > 0)
        text += "  with a penalty the errors are those of Laplace's posterior: z and p_value are no tests\n";
    return text;
}

std::string test_table(const LikelihoodRatios& ratios) {
    using Side = TextTable::Side;
    if (ratios.tests.empty()) return {};
    TextTable table({Side::left, Side::right, Side::right, Side::right});
    table.row({"", "degrees", "chi_square", "p_value"});
    for (const TermTest& each : ratios.tests)
        table.row({each.term, std::to_string(each.degrees), short_number(each.statistic, 5), known(each.p_value, 3)});
    return "likelihood-ratio test of each term against the model without it\n" + table.text();
}

std::string path_table(const LogisticRegression& model) {
    using Side = TextTable::Side;
    if (model.state().path.empty()) return {};
    TextTable table({Side::right, Side::right, Side::right, Side::right, Side::right, Side::left});
    table.row({"penalty", "lasso", "log_loss", "log_loss_se", "features", ""});
    for (const PenaltyStep& each : model.state().path)
        table.row({short_number(each.penalty, 4), short_number(each.lasso, 4), short_number(each.log_loss, 5),
                   short_number(each.log_loss_error, 3), std::to_string(each.features),
                   each.chosen ? "<- chosen" : ""});
    return "the penalty by cross-validation, strongest first\n" + table.text();
}

void write_path(JsonText& json, const LogisticRegression& model) {
    json.open_list("path");
    for (const PenaltyStep& each : model.state().path) {
        json.open_record();
        json.number("penalty", each.penalty);
        json.number("lasso", each.lasso);
        json.number("log_loss", each.log_loss);
        json.number("log_loss_se", each.log_loss_error);
        json.whole("features", each.features);
        json.whole("chosen", each.chosen ? 1 : 0);
        json.close();
    }
    json.close();
}

void write_coefficients(JsonText& json, const LogisticRegression& model, const LikelihoodRatios& ratios) {
    const LogisticSettings& settings = model.state().settings;
    json.number("penalty", settings.penalty);
    json.number("lasso", settings.lasso);
    json.text("bias_reduction", settings.firth ? "firth" : "none");
    json.text("link", settings.link == Link::probit ? "probit" : "logit");
    json.texts("offset", settings.offset_columns());
    json.text("errors", settings.is_robust() ? "robust" : "likelihood");
    write_path(json, model);
    if (const auto evidence = model.laplace_log_evidence()) json.number("laplace_log_evidence", *evidence);
    json.number("deviance", model.deviance());
    json.number("null_deviance", model.null_deviance());
    json.number("likelihood_ratio_p_value", model.likelihood_ratio_p_value());
    json.whole("rank", model.state().rank);
    json.whole("iterations", model.state().iterations);
    json.open_list("coefficients");
    const bool profiled = !ratios.intervals.empty();
    const std::vector<CoefficientLine> lines = model.lines(profiled ? ratios.coverage : 0.95);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const CoefficientLine& line = lines[i];
        json.open_record();
        json.text("class", model.schema().classes[line.class_code]);
        json.text("versus", model.schema().classes[0]);
        json.text("name", line.name);
        json.number("coefficient", line.coefficient);
        json.number("standard_error", line.standard_error);
        json.number("z", line.z);
        json.number("p_value", line.p_value);
        json.number("low", line.low);
        json.number("high", line.high);
        if (profiled) {
            json.number("profile_low", ratios.intervals[i].low);
            json.number("profile_high", ratios.intervals[i].high);
        }
        json.close();
    }
    json.close();
    if (ratios.tests.empty()) return;
    json.open_list("tests");
    for (const TermTest& each : ratios.tests) {
        json.open_record();
        json.text("term", each.term);
        json.whole("degrees", each.degrees);
        json.number("chi_square", each.statistic);
        json.number("p_value", each.p_value);
        json.close();
    }
    json.close();
}

}  // namespace suffice
