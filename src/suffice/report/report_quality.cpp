// Sections on the model, its classes and how good it is.
#include <cmath>

#include "suffice/report/curve_figures.hpp"
#include "suffice/report/number_text.hpp"
#include "suffice/report/report_sections.hpp"

namespace suffice {
namespace {

using Side = TextTable::Side;

constexpr std::size_t most_table_classes = 1000;  // of tables
constexpr std::size_t most_unfolded = 12;         // rows of a table of classes that are seen at first

std::string shown(const Defined& value, int digits = 4) { return value ? short_number(*value, digits) : "undefined"; }

std::string with_note(const Defined& value, const std::string& note) {
    return note.empty() ? shown(value) : shown(value) + " (" + note + ")";
}

}  // namespace

Section summary_section(const ReportContent& content) {
    Section section{"summary", "At a glance"};
    const Scores& scores = content.scores;
    const auto& classes = content.schema.classes;
    Headlines heads;
    const std::string rows =
        whole_number(static_cast<double>(scores.row_count)) + " rows of " + listed(content.files, 2);
    if (scores.accuracy)
        heads.cards.push_back({percent(*scores.accuracy), "of the answers are right",
                               scores.majority ? "always " + classes[scores.majority->class_code] + ": " +
                                                     percent(scores.majority->accuracy)
                                               : ""});
    if (scores.log_loss)
        heads.cards.push_back({short_number(*scores.log_loss, 3), "log loss",
                               "geometric mean of p(truth): " + short_number(std::exp(-*scores.log_loss), 3)});
    if (scores.roc_auc.macro)
        heads.cards.push_back({short_number(*scores.roc_auc.macro, 3), "area under ROC", "0.5 is guessing"});
    if (scores.calibration_error)
        heads.cards.push_back({short_number(*scores.calibration_error, 2), "calibration error", "0 is perfect"});
    if (!content.telling.empty())
        heads.cards.push_back(
            {content.telling.front().name, "tells most", "of " + std::to_string(content.column_count) + " columns"});
    if (scores.recall.per_class.size() == classes.size() && classes.size() > 1) {
        std::size_t worst = classes.size();
        for (std::size_t c = 0; c < classes.size(); ++c)
            if (scores.recall.per_class[c] &&
                (worst == classes.size() || *scores.recall.per_class[c] < *scores.recall.per_class[worst]))
                worst = c;
        if (worst < classes.size() && *scores.recall.per_class[worst] < 1)
            heads.cards.push_back(
                {classes[worst], "is found least", percent(*scores.recall.per_class[worst]) + " of its rows"});
    }
    heads.cards.push_back({content.model, "the model", rows});
    section.parts.emplace_back(std::move(heads));
    return section;
}

Section threshold_section(const ReportContent& content) {
    Section section{"threshold", "Move the threshold"};
    constexpr std::size_t most_points = 200, most_sliding = 20;
    Thresholds all;
    const auto& classes = content.schema.classes;
    for (std::size_t c = 0; c < classes.size() && classes.size() <= most_sliding; ++c) {
        const ThresholdCurve curve = content.evaluation.threshold_curve(c);
        if (!(curve.positive_weight > 0) || !(curve.negative_weight > 0)) continue;
        Thresholds::OfClass own{classes[c], curve.positive_weight, curve.negative_weight, {}, {}, {}};
        const std::size_t step = std::max<std::size_t>(1, curve.points.size() / most_points);
        for (std::size_t k = step - 1; k < curve.points.size(); k += step) {
            own.threshold.push_back(curve.points[k].threshold);
            own.right.push_back(curve.points[k].true_positive);
            own.wrong.push_back(curve.points[k].false_positive);
        }
        all.classes.push_back(std::move(own));
    }
    if (!all.classes.empty()) section.parts.emplace_back(std::move(all));
    return section;
}

Section model_section(const ReportContent& content) {
    Section section{"model", "The model"};
    DocumentTable table{"What was fitted", {"", ""}, {Side::left, Side::left}};
    table.rows.push_back({"model", content.model});
    if (!content.settings.empty()) table.rows.push_back({"settings", content.settings});
    table.rows.push_back({"target", content.target});
    table.rows.push_back(
        {"fitted to", whole_number(content.trained_rows) + " rows" +
                          (content.trained_files.empty() ? "" : " of " + listed(content.trained_files, 3))});
    table.rows.push_back({"reported on", whole_number(static_cast<double>(content.scores.row_count)) + " rows of " +
                                             listed(content.files, 3)});
    table.rows.push_back({"parameters", whole_number(static_cast<double>(content.parameter_count))});
    table.rows.push_back({"log-likelihood", short_number(content.log_likelihood, 7)});
    table.rows.push_back({"BIC", short_number(content.bic, 7)});
    table.rows.push_back({"AIC", short_number(content.aic, 7)});
    section.parts.emplace_back(std::move(table));
    for (const auto& note : content.notes)
        section.parts.emplace_back(Paragraph{"Note: " + note.told(content.spell) + "."});
    return section;
}

Section class_section(const ReportContent& content) {
    Section section{"classes", "Classes and priors"};
    DocumentTable table{"Rows the model was fitted to, and how probable it holds each class before a row is seen",
                        {"class", "rows fitted", "prior", "rows here", "share here"},
                        {Side::left, Side::right, Side::right, Side::right, Side::right},
                        {},
                        most_unfolded};
    const auto& classes = content.schema.classes;
    for (std::size_t c = 0; c < std::min(classes.size(), most_table_classes); ++c) {
        const double here = content.scores.confusion.truth_weight(c);
        table.rows.push_back({classes[c], whole_number(content.class_weight[c]), percent(content.prior[c]),
                              whole_number(here), percent(here / content.scores.weight)});
    }
    section.parts.emplace_back(std::move(table));
    return section;
}

Section quality_section(const ReportContent& content) {
    Section section{"quality", "How good it is"};
    const Scores& scores = content.scores;
    const auto& classes = content.schema.classes;
    DocumentTable table{"The model beside the classifier that always answers the most frequent class",
                        {"measure", "model", "majority"},
                        {Side::left, Side::right, Side::right}};
    const std::string always = scores.majority ? "always " + classes[scores.majority->class_code] : "";
    const Defined guess = scores.majority ? Defined(scores.majority->accuracy) : Defined{};
    const std::string guess_error = guess ? short_number(1 - *guess) : "undefined";
    double occurring = 0;
    for (std::size_t c = 0; c < classes.size(); ++c) occurring += scores.confusion.truth_weight(c) > 0 ? 1 : 0;
    table.rows.push_back({"accuracy", shown(scores.accuracy), with_note(guess, always)});
    table.rows.push_back({"error",
                          scores.error_interval
                              ? shown(scores.error) + ", 95 %: " + short_number(scores.error_interval->low, 3) +
                                    " to " + short_number(scores.error_interval->high, 3)
                              : shown(scores.error),
                          guess_error});
    table.rows.push_back({"balanced accuracy", shown(scores.balanced_accuracy),
                          occurring > 0 ? short_number(1 / occurring) : "undefined"});
    table.rows.push_back({"log loss", shown(scores.log_loss), ""});
    table.rows.push_back({"Brier score", shown(scores.brier), ""});
    table.rows.push_back({"area under ROC, mean over the classes", shown(scores.roc_auc.macro), "0.5"});
    table.rows.push_back({"calibration error", shown(scores.calibration_error), ""});
    table.rows.push_back({"Matthews", shown(scores.matthews), "undefined"});
    table.rows.push_back({"Cohen's kappa", shown(scores.cohen_kappa), "0"});
    if (scores.top_k.size() > 3)
        table.rows.push_back({"truth among the three most probable", shown(scores.top_k[2]), ""});
    section.parts.emplace_back(std::move(table));
    DocumentTable each{"Each class against the others",
                       {"class", "rows", "precision", "recall", "F1", "ROC area", "average precision"},
                       {Side::left, Side::right, Side::right, Side::right, Side::right, Side::right, Side::right},
                       {},
                       most_unfolded};
    const auto at = [](const std::vector<Defined>& values, std::size_t c) {
        return c < values.size() ? shown(values[c], 3) : "undefined";
    };
    for (std::size_t c = 0; c < std::min(classes.size(), most_table_classes); ++c)
        each.rows.push_back({classes[c], whole_number(scores.confusion.truth_weight(c)),
                             at(scores.precision.per_class, c), at(scores.recall.per_class, c),
                             at(scores.f1.per_class, c), at(scores.roc_auc.per_class, c),
                             at(scores.average_precision.per_class, c)});
    section.parts.emplace_back(std::move(each));
    return section;
}

Section confusion_section(const ReportContent& content) {
    Section section{"confusion", "Confusion matrix"};
    section.parts.emplace_back(Figures{{confusion_figure(content.scores, content.schema.classes)}});
    return section;
}

Section curve_section(const ReportContent& content) {
    Section section{"curves", "ROC, precision and recall"};
    section.parts.emplace_back(
        Figures{{roc_figure(content.evaluation, content.scores, content.schema.classes),
                 precision_recall_figure(content.evaluation, content.scores, content.schema.classes)}});
    return section;
}

Section calibration_section(const ReportContent& content) {
    Section section{"calibration", "Are the probabilities right?"};
    section.parts.emplace_back(Figures{{reliability_figure(content.scores)}});
    if (const auto& parts = content.scores.brier_parts)
        section.parts.emplace_back(Paragraph{"The Brier score is reliability " + short_number(parts->reliability, 3) +
                                             " (0 is perfect), less resolution " + short_number(parts->resolution, 3) +
                                             " (how much the predictions differ from the mean), plus uncertainty " +
                                             short_number(parts->uncertainty, 3) +
                                             " (of the classes themselves), plus what the bins hide, " +
                                             short_number(parts->within_bins, 3) + "."});
    return section;
}

Section cost_section(const ReportContent& content) {
    Section section{"costs", "Rejects and costs"};
    section.parts.emplace_back(
        Figures{{reject_figure(content.evaluation), cost_figure(content.evaluation, content.schema.classes)}});
    return section;
}

Section comparison_section(const ReportContent& content) {
    Section section{"comparison", "Models compared"};
    if (content.comparison.empty()) return section;
    DocumentTable table{"Cross-validated when the model was chosen, best first",
                        {"model", "options", "accuracy", "log loss", "parameters", "BIC"},
                        {Side::left, Side::left, Side::right, Side::right, Side::right, Side::right}};
    for (const auto& each : content.comparison) {
        const std::string options = spelled(each.options, content.spell);
        table.rows.push_back(
            !each.failed()
                ? std::vector{each.model, options,
                              short_number(each.accuracy) + " \xC2\xB1 " + short_number(each.accuracy_error, 2),
                              short_number(each.log_loss) + " \xC2\xB1 " + short_number(each.log_loss_error, 2),
                              whole_number(static_cast<double>(each.parameter_count)),
                              each.has_bic ? short_number(each.bic, 6) : "-"}
                : std::vector<std::string>{each.model, options, each.failure.told(content.spell), "", "", ""});
    }
    section.parts.emplace_back(std::move(table));
    return section;
}

}  // namespace suffice
