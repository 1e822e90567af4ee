// suffice evaluate: how good a model is on rows whose class is known.
#include "suffice/flow/evaluate.hpp"

#include "cli/options.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"

#include "suffice/report/evaluation_report.hpp"

namespace suffice::cli {
namespace {

constexpr std::array own_options{
    OptionSpec{"--json", "", "for programs"},
    OptionSpec{"--weight", "COLUMN", "how much each row counts"},
    OptionSpec{"--output", "FILE", "where it goes (default: standard output)", 'o'},
};

Result<void> run(const Arguments& arguments, const Context& context) {
    const auto given = model_and_data(arguments, true);
    if (!given) return given.error();
    const auto options = apply_options(arguments);
    if (!options) return options.error();
    auto output = Output::open(arguments.text("--output"));
    if (!output) return output.error();
    const auto done = evaluate(given->model, given->data, *options, context);
    end_progress();
    if (!done) return done.error();
    say_notes(done->notes);
    const auto write = arguments.has("--json") ? evaluation_json : evaluation_text;
    if (auto written = output->write(write(done->scores, given->model.classes())); !written) return written;
    return output->finish();
}

}  // namespace

const Verb evaluate_verb{"evaluate",
                         "MODEL DATA... [--json]",
                         "Measures a model on rows whose class is known. The majority class stands beside the model.",
                         "  suffice evaluate churn.suf test.csv\n"
                         "  suffice evaluate churn.suf test.csv --json | jq .accuracy\n",
                         {own_options, reading_options, running_options, {}},
                         run};

}  // namespace suffice::cli
