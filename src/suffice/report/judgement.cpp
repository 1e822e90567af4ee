// Prints judgements.
#include "suffice/report/judgement.hpp"

#include "suffice/base/visible.hpp"
#include "suffice/report/number_text.hpp"
#include "suffice/report/text_table.hpp"

namespace suffice {
namespace {

using Side = TextTable::Side;

std::string decided_text(const Judgement& told) {
    TextTable table({Side::left, Side::right, Side::left});
    table.row({"answered", short_number(told.decided.coverage), "share of the rows"});
    table.row({"accuracy", short_number(told.decided.accuracy), "of those"});
    if (told.expected_cost)
        table.row({"cost per row", short_number(told.expected_cost),
                   "the best constant answer: " + short_number(told.majority_cost)});
    return "\nby the decision rule\n" + table.text();
}

std::string positive_text(const Judgement& told, const std::vector<std::string>& classes) {
    const std::size_t c = *told.positive;
    const Confusion& confusion = told.decided.confusion;
    const double right = confusion.at(c, c), said = confusion.decision_weight(c), there = confusion.truth_weight(c);
    TextTable table({Side::left, Side::right, Side::left, Side::right});
    table.row({"true positives", whole_number(right), "false positives", whole_number(said - right)});
    table.row({"false negatives", whole_number(there - right), "true negatives",
               whole_number(confusion.decided_weight() - said - there + right)});
    table.row({"precision", short_number(told.decided.precision.per_class[c]), "recall",
               short_number(told.decided.recall.per_class[c])});
    table.row({"F1", short_number(told.decided.f1.per_class[c]), "F2, F1/2",
               short_number(told.f2) + ", " + short_number(told.f_half)});
    std::string text = "\n" + visible(classes[c]) + " as the positive class\n" + table.text();
    if (told.lift.empty()) return text;
    TextTable lift({Side::right, Side::right, Side::right});
    lift.row({"best rows", "positives found", "lift"});
    for (const GainPoint& point : told.lift)
        lift.row({percent(point.depth), percent(point.gain), short_number(point.lift)});
    return text + "\n" + lift.text();
}

std::string paired_text(const Judgement& told) {
    const PairedScores& paired = *told.paired;
    TextTable table({Side::left, Side::right, Side::left});
    table.row({"only this model is right", whole_number(paired.only_first_right), "rows"});
    table.row({"only the other is right", whole_number(paired.only_second_right), "rows"});
    table.row({"accuracy difference", short_number(paired.accuracy_difference),
               "McNemar's exact p " + short_number(paired.mcnemar_p_value)});
    table.row({"log loss difference", short_number(paired.log_loss_difference),
               "standard error " + short_number(paired.log_loss_standard_error) + ", p " +
                   short_number(paired.log_loss_p_value)});
    return "\nagainst " + visible(told.versus) + "\n" + table.text();
}

}  // namespace

std::string judgement_text(const Judgement& told, const std::vector<std::string>& classes) {
    std::string text;
    if (told.decided_by_rule) text += decided_text(told);
    if (told.positive) text += positive_text(told, classes);
    if (told.threshold) {
        text += "\n" + visible(told.threshold_goal) + ": decide so from a posterior of " +
                short_number(told.threshold->threshold, 6) + " (precision " + short_number(told.threshold->precision) +
                ", recall " + short_number(told.threshold->recall) + ")\n";
    }
    if (!told.intervals.empty()) {
        TextTable table({Side::left, Side::right, Side::right});
        table.row({"95 % by the bootstrap", "from", "to"});
        for (const auto& each : told.intervals)
            table.row({each.name, each.interval ? short_number(each.interval->low) : "-",
                       each.interval ? short_number(each.interval->high) : "-"});
        text += "\n" + table.text();
    }
    if (told.paired) text += paired_text(told);
    return text;
}

namespace {

void write_positive(JsonText& json, const Judgement& told, const std::string& name) {
    json.open_record("positive");
    json.text("class", name);
    json.maybe("precision", told.decided.precision.per_class[*told.positive]);
    json.maybe("recall", told.decided.recall.per_class[*told.positive]);
    json.maybe("f1", told.decided.f1.per_class[*told.positive]);
    json.maybe("f2", told.f2);
    json.maybe("f_half", told.f_half);
    json.open_list("lift");
    for (const GainPoint& point : told.lift) {
        json.open_record();
        json.number("depth", point.depth);
        json.number("gain", point.gain);
        json.number("lift", point.lift);
        json.close();
    }
    json.close();
    json.close();
}

void write_intervals(JsonText& json, const Judgement& told) {
    json.open_record("intervals");
    for (const auto& each : told.intervals) {
        json.open_list(each.name);
        json.maybe({}, each.interval ? Defined(each.interval->low) : std::nullopt);
        json.maybe({}, each.interval ? Defined(each.interval->high) : std::nullopt);
        json.close();
    }
    json.close();
}

void write_paired(JsonText& json, const Judgement& told) {
    json.open_record("versus");
    json.text("model", told.versus);
    json.number("only_this_right", told.paired->only_first_right);
    json.number("only_other_right", told.paired->only_second_right);
    json.maybe("accuracy_difference", told.paired->accuracy_difference);
    json.maybe("mcnemar_p_value", told.paired->mcnemar_p_value);
    json.maybe("log_loss_difference", told.paired->log_loss_difference);
    json.maybe("log_loss_standard_error", told.paired->log_loss_standard_error);
    json.maybe("log_loss_p_value", told.paired->log_loss_p_value);
    json.close();
}

void write_reject_curve(JsonText& json, const Judgement& told) {
    json.open_list("reject_curve");
    for (const RejectPoint& point : told.reject_curve) {
        json.open_record();
        json.number("threshold", point.threshold);
        json.number("coverage", point.coverage);
        json.number("error", point.error);
        json.close();
    }
    json.close();
}

}  // namespace

void write_judgement(JsonText& json, const Judgement& told, const std::vector<std::string>& classes) {
    if (told.decided_by_rule) {
        json.open_record("decisions");
        json.maybe("coverage", told.decided.coverage);
        json.maybe("accuracy", told.decided.accuracy);
        json.maybe("expected_cost", told.expected_cost);
        json.maybe("constant_cost", told.majority_cost);
        json.close();
    }
    if (told.positive) write_positive(json, told, classes[*told.positive]);
    if (told.threshold) {
        json.open_record("threshold");
        json.text("goal", told.threshold_goal);
        json.number("threshold", told.threshold->threshold);
        json.maybe("precision", told.threshold->precision);
        json.number("recall", told.threshold->recall);
        json.close();
    }
    if (!told.intervals.empty()) write_intervals(json, told);
    if (told.paired) write_paired(json, told);
    if (!told.reject_curve.empty()) write_reject_curve(json, told);
}

}  // namespace suffice
