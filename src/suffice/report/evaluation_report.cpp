// Prints evaluations.
#include "suffice/report/evaluation_report.hpp"

#include <limits>

#include "suffice/base/visible.hpp"
#include "suffice/report/json_text.hpp"
#include "suffice/report/number_text.hpp"
#include "suffice/report/text_table.hpp"

namespace suffice {
namespace {

using Side = TextTable::Side;

constexpr std::size_t confusion_classes = 12;

void write_averages(JsonText& json, std::string_view name, const Averaged& averaged) {
    json.open_record(name);
    json.maybes("per_class", averaged.per_class);
    json.maybe("macro", averaged.macro);
    json.maybe("micro", averaged.micro);
    json.maybe("weighted", averaged.weighted);
    json.close();
}

// Slope and intercept of each class, one against the rest.
void write_calibration(JsonText& json, const Scores& scores) {
    const auto list = [&](std::string_view name, double CalibrationLine::* member) {
        std::vector<Defined> values;
        for (const auto& each : scores.calibration) values.push_back(each ? Defined((*each).*member) : std::nullopt);
        json.maybes(name, values);
    };
    json.open_record("calibration");
    list("slope", &CalibrationLine::slope);
    list("slope_se", &CalibrationLine::slope_error);
    list("intercept", &CalibrationLine::intercept);
    list("intercept_se", &CalibrationLine::intercept_error);
    list("in_the_large", &CalibrationLine::in_the_large);
    list("in_the_large_se", &CalibrationLine::in_the_large_error);
    json.close();
}

// Of two classes one line says all: that of the second.
std::string slope_text(const Scores& scores) {
    if (scores.calibration.size() != 2 || !scores.calibration[1]) return {};
    const CalibrationLine& line = *scores.calibration[1];
    return "slope " + short_number(line.slope) + " +- " + short_number(line.slope_error, 2) + ", intercept " +
           short_number(line.in_the_large) + " +- " + short_number(line.in_the_large_error, 2);
}

std::string auc_text(const Scores& scores) {
    if (scores.roc_auc.interval.size() != 2 || !scores.roc_auc.interval[1]) return "mean over the classes";
    const Interval& own = *scores.roc_auc.interval[1];
    return "95 %: " + short_number(own.low) + " to " + short_number(own.high) + " (DeLong)";
}

std::string summary_table(const Scores& scores, const std::vector<std::string>& classes) {
    TextTable table({Side::left, Side::right, Side::left});
    table.row({"rows", whole_number(static_cast<double>(scores.row_count)), ""});
    std::string interval;
    if (scores.error_interval)
        interval =
            "95 %: " + short_number(scores.error_interval->low) + " to " + short_number(scores.error_interval->high);
    std::string always;
    if (scores.majority)
        always = "always " + classes[scores.majority->class_code] + ": " + short_number(scores.majority->accuracy);
    table.row({"accuracy", short_number(scores.accuracy), always});
    table.row({"error", short_number(scores.error), interval});
    table.row({"balanced accuracy", short_number(scores.balanced_accuracy), "mean of the recalls"});
    table.row({"log loss", short_number(scores.log_loss), "mean of -log p(true class)"});
    table.row({"Brier score", short_number(scores.brier),
               classes.size() == 2 ? "mean of (p - outcome)^2" : "mean over rows of the sum of (p - outcome)^2"});
    table.row({"area under ROC", short_number(scores.roc_auc.macro), auc_text(scores)});
    table.row({"calibration error", short_number(scores.calibration_error), "mean of |p - frequency| over 15 bins"});
    if (const std::string slope = slope_text(scores); !slope.empty()) table.row({"calibration line", "", slope});
    table.row({"Matthews", short_number(scores.matthews), ""});
    table.row({"Cohen's kappa", short_number(scores.cohen_kappa), ""});
    return table.text("");
}

std::string class_scores(const Scores& scores, const std::vector<std::string>& classes) {
    TextTable table({Side::left, Side::right, Side::right, Side::right, Side::right, Side::right});
    table.row({"class", "rows", "precision", "recall", "f1", "ROC area"});
    for (std::size_t c = 0; c < classes.size(); ++c)
        table.row({classes[c], whole_number(scores.confusion.truth_weight(c)),
                   short_number(scores.precision.per_class[c]), short_number(scores.recall.per_class[c]),
                   short_number(scores.f1.per_class[c]),
                   c < scores.roc_auc.per_class.size() ? short_number(scores.roc_auc.per_class[c]) : "-"});
    return table.text();
}

std::string confusion_table(const Scores& scores, const std::vector<std::string>& classes) {
    TextTable table(std::vector<Side>(classes.size() + 1, Side::right));
    std::vector<std::string> head{"truth \\ prediction"};
    head.insert(head.end(), classes.begin(), classes.end());
    table.row(head);
    for (std::size_t truth = 0; truth < classes.size(); ++truth) {
        std::vector<std::string> cells{classes[truth]};
        for (std::size_t c = 0; c < classes.size(); ++c) cells.push_back(whole_number(scores.confusion.at(truth, c)));
        table.row(std::move(cells));
    }
    return table.text();
}

std::string text_table(const TextFit& text, const std::vector<std::string>& classes) {
    TextTable table({Side::left, Side::right, Side::right, Side::right});
    table.row({"documents of", "words", "bits a word", "perplexity"});
    const auto line = [&](const std::string& name, double words, const Defined& bits) {
        table.row({name, whole_number(words), short_number(bits), short_number(TextFit::perplexity(bits))});
    };
    for (std::size_t c = 0; c < classes.size(); ++c) line(classes[c], text.words[c], text.cross_entropy(c));
    line("all classes", text.weight(), text.cross_entropy());
    return table.text();
}

void write_text(JsonText& json, const TextFit& text) {
    std::vector<Defined> bits, perplexity;
    for (std::size_t c = 0; c < text.words.size(); ++c) {
        bits.push_back(text.cross_entropy(c));
        perplexity.push_back(TextFit::perplexity(bits.back()));
    }
    json.numbers("words", text.words);
    json.open_record("cross_entropy");
    json.maybes("per_class", bits);
    json.maybe("all", text.cross_entropy());
    json.close();
    json.open_record("perplexity");
    json.maybes("per_class", perplexity);
    json.maybe("all", TextFit::perplexity(text.cross_entropy()));
    json.close();
}

}  // namespace

std::string evaluation_text(const Scores& scores, const std::vector<std::string>& classes, const TextFit& words,
                            const Judgement* further) {
    std::string text = summary_table(scores, classes) + "\n" + class_scores(scores, classes);
    if (classes.size() <= confusion_classes) text += "\n" + confusion_table(scores, classes);
    if (words.weight() > 0) text += "\n" + text_table(words, classes);
    if (further != nullptr) text += judgement_text(*further, classes);
    return visible_lines(text);
}

void write_evaluation(JsonText& json, std::string_view name, const Scores& scores,
                      const std::vector<std::string>& classes, const TextFit& text, const Judgement* further) {
    json.open_record(name);
    json.whole("rows", scores.row_count);
    json.maybe("accuracy", scores.accuracy);
    json.maybe("error", scores.error);
    json.maybe("log_loss", scores.log_loss);
    json.maybe("brier", scores.brier);
    json.maybe("balanced_accuracy", scores.balanced_accuracy);
    json.maybe("matthews", scores.matthews);
    json.maybe("cohen_kappa", scores.cohen_kappa);
    json.maybe("calibration_error", scores.calibration_error);
    json.texts("classes", classes);
    json.open_list("confusion");
    for (std::size_t truth = 0; truth < classes.size(); ++truth) {
        json.open_list({});
        for (std::size_t c = 0; c < classes.size(); ++c) json.number({}, scores.confusion.at(truth, c));
        json.close();
    }
    json.close();
    write_averages(json, "precision", scores.precision);
    write_averages(json, "recall", scores.recall);
    write_averages(json, "f1", scores.f1);
    json.open_record("roc_auc");
    json.maybes("per_class", scores.roc_auc.per_class);
    json.maybe("macro", scores.roc_auc.macro);
    json.maybe("weighted", scores.roc_auc.weighted);
    json.open_list("interval");
    for (const auto& each : scores.roc_auc.interval) {
        json.open_list({});
        json.maybe({}, each ? Defined(each->low) : std::nullopt);
        json.maybe({}, each ? Defined(each->high) : std::nullopt);
        json.close();
    }
    json.close();
    json.close();
    write_calibration(json, scores);
    json.open_record("majority");
    json.text("class", scores.majority ? classes[scores.majority->class_code] : "");
    json.number("accuracy", scores.majority ? scores.majority->accuracy : std::numeric_limits<double>::quiet_NaN());
    json.close();
    if (text.weight() > 0) write_text(json, text);
    json.maybe("calibration_error_equal_mass", scores.calibration_error_equal_mass);
    json.maybes("top_k", scores.top_k);
    if (scores.brier_parts) {
        json.open_record("brier_parts");
        json.number("reliability", scores.brier_parts->reliability);
        json.number("resolution", scores.brier_parts->resolution);
        json.number("uncertainty", scores.brier_parts->uncertainty);
        json.close();
    }
    write_averages(json, "average_precision", scores.average_precision);
    if (further != nullptr) write_judgement(json, *further, classes);
    json.close();
}

std::string evaluation_json(const Scores& scores, const std::vector<std::string>& classes, const TextFit& text,
                            const Judgement* further) {
    JsonText json;
    write_evaluation(json, {}, scores, classes, text, further);
    return json.take();
}

}  // namespace suffice
