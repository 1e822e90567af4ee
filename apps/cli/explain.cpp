// suffice explain: what each column says about each row.
#include "suffice/flow/explain.hpp"

#include <cstdlib>
#include <unistd.h>

#include "cli/options.hpp"
#include "cli/output.hpp"
#include "cli/spelling.hpp"

namespace suffice::cli {
namespace {

constexpr std::array explain_options{
    OptionSpec{"--json", "", "for programs: the log joint of every class, column by column"},
    OptionSpec{"--top", "N", "show the N columns that matter most (default 12)"},
    OptionSpec{
        "--color", "WHEN",
        "show text with the words that decided in colour: auto (default: on a terminal, unless NO_COLOR is set), "
        "always or never"},
    OptionSpec{"--output", "FILE", "where it goes (default: standard output)", 'o'},
};

Result<bool> in_colour(const Arguments& arguments) {
    constexpr std::array<std::string_view, 3> choices{"auto", "always", "never"};
    const auto when = arguments.choice("--color", choices);
    if (!when) return when.error();
    if (*when > 0) return *when == 1;
    const char* refused = std::getenv("NO_COLOR");  // https://no-color.org
    return !arguments.has("--output") && ::isatty(STDOUT_FILENO) != 0 && (refused == nullptr || *refused == '\0');
}

Result<void> run_explain(const Arguments& arguments, const Context& context) {
    const auto given = model_and_data(arguments, true);
    if (!given) return given.error();
    const auto options = apply_options(arguments);
    if (!options) return options.error();
    const auto top = arguments.whole("--top", 12);
    if (!top) return top.error();
    auto output = Output::open(arguments.text("--output"));
    if (!output) return output.error();
    const bool as_json = arguments.has("--json");
    const auto colour = in_colour(arguments);
    if (!colour) return colour.error();
    const Schema& schema = given->model.schema();
    JsonText json;
    bool first = true;
    if (as_json) json.open_list({});
    const auto write_row = [&](const ExplainedRow& row) {
        if (as_json) {
            write_explanation(json, row, schema);
            return output->write(json.take());
        }
        const std::string gap = first ? "" : "\n";
        first = false;
        return output->write_coloured(gap + explanation_text(row, schema, *top, *colour, spell_option));
    };
    Context quiet = context;
    quiet.progress = {};
    const auto notes = explain(given->model, given->data, *options, write_row, quiet);
    if (!notes) return notes.error();
    if (as_json) {
        json.close();
        if (auto written = output->write(json.take()); !written) return written;
    }
    if (auto written = output->finish(); !written) return written;
    say_notes(*notes);
    return {};
}

}  // namespace

const Verb explain_verb{"explain",
                        "MODEL DATA... [--json]",
                        "Explains each row: how much each column pulls toward the predicted class and away from the "
                        "next one. The pulls and the intercept add up to the log odds.",
                        "  suffice explain churn.suf customer.csv\n"
                        "  suffice explain churn.suf customer.csv --json\n",
                        {explain_options, reading_options, running_options, {}},
                        run_explain};

}  // namespace suffice::cli
