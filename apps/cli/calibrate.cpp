// suffice calibrate: posteriors that mean what they say, and what is decided by them.
#include "suffice/flow/calibrate.hpp"

#include <cmath>

#include "cli/decision_options.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"

#include "suffice/flow/column_names.hpp"
#include "suffice/report/number_text.hpp"
#include "suffice/report/text_table.hpp"

namespace suffice::cli {
namespace {

constexpr std::array calibrate_options{
    OptionSpec{"--method", "M",
               "auto (default: the smallest cross-validated log loss), temperature, platt, beta, isotonic or none"},
    OptionSpec{"--thresholds", "GOALS",
               "save from which posterior a class is decided for: \"yes:precision=0.9,maybe:recall=0.8\"; yes:cost=50 "
               "where missing it costs 50 false alarms"},
    OptionSpec{"--novelty", "", "save which log p(x) are usual, for predict --novelty"},
    OptionSpec{"--weight", "COLUMN", "how much each row counts"},
    weight_kind_option,
    OptionSpec{"--output", "FILE", "where the model goes (default: in place of the old one)", 'o'},
};

std::string summary(const Calibrated& made) {
    std::string text = "calibrated by " + std::string(made.model.calibration().name()) + " on " +
                       whole_number(made.rows) + " rows\n\n";
    TextTable table({TextTable::Side::left, TextTable::Side::right, TextTable::Side::right});
    table.row({"", "before", "after, cross-validated"});
    table.row({"log loss", short_number(made.log_loss_before), short_number(made.log_loss_after)});
    table.row({"calibration error", short_number(made.error_before), short_number(made.error_after)});
    text += table.text();
    if (!made.thresholds.empty()) {
        TextTable chosen(
            {TextTable::Side::left, TextTable::Side::right, TextTable::Side::right, TextTable::Side::right});
        chosen.row({"decide for", "from a posterior of", "precision", "recall"});
        for (std::size_t k = 0; k < made.thresholds.size(); ++k) {
            const ThresholdChoice& each = made.thresholds[k];
            chosen.row({made.model.decision().thresholds[k].class_name,
                        std::isinf(each.threshold) ? "never" : short_number(each.threshold),
                        each.precision ? short_number(*each.precision) : "-", short_number(each.recall)});
        }
        text += "\n" + chosen.text();
    }
    if (const auto& usual = made.model.decision().usual_evidence; !usual.empty())
        text += "\nlog p(x) of the rows: " + short_number(usual.front()) + " to " + short_number(usual.back()) + "\n";
    if (made.scores.empty()) return text;
    TextTable tried({TextTable::Side::left, TextTable::Side::right});
    tried.row({"method", "log loss, cross-validated"});
    for (const auto& each : made.scores) tried.row({std::string(each.name), short_number(each.log_loss)});
    return text + "\n" + tried.text();
}

Result<void> run_calibrate(const Arguments& arguments, const Context& context) {
    const auto given = model_and_data(arguments, true);
    if (!given) return given.error();
    const std::string path = arguments.text("--output", arguments.files()[0]);
    if (auto checked = check_model_output(path); !checked) return checked;
    std::vector<std::string_view> methods{"auto"};
    for (const auto name : calibration_names()) methods.push_back(name);
    const auto method = arguments.choice("--method", methods);
    if (!method) return method.error();
    CalibrateOptions options;
    options.method = methods[static_cast<std::size_t>(std::max(*method, 0))];
    options.novelty = arguments.has("--novelty");
    auto apply = apply_options(arguments);
    if (!apply) return apply.error();
    options.apply = std::move(*apply);
    const auto goals = arguments.given("--thresholds");
    for (const auto& text : goals ? split_list(*goals) : std::vector<std::string>{}) {
        const auto goal = threshold_goal("--thresholds", text, given->model);
        if (!goal) return goal.error();
        options.goals.push_back(*goal);
    }
    const auto made = calibrate(given->model, given->data, options, context);
    end_progress();
    if (!made) return made.error();
    say_notes(made->notes);
    if (auto written = write_model(made->model, path); !written) return written;
    say(summary(*made));
    return {};
}

}  // namespace

const Verb calibrate_verb{
    "calibrate",
    "MODEL DATA... [--method M] [-o FILE]",
    "Fits a calibration of the model's posteriors to rows it was not trained on and saves it with "
    "the model. Thresholds, and which rows are usual, are saved too where asked; what was saved so before is "
    "replaced.\nWithout -o the file is replaced, whole or not at all.",
    "  suffice calibrate churn.suf validation.csv\n"
    "  suffice calibrate churn.suf validation.csv --method isotonic -o calibrated.suf\n"
    "  suffice calibrate churn.suf validation.csv --thresholds \"yes:precision=0.9\" --novelty\n",
    {calibrate_options, reading_options, running_options, {}},
    run_calibrate};

}  // namespace suffice::cli
