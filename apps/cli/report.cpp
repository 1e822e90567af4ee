// suffice report: a model and labelled rows in one self-contained page.
#include "suffice/show/report.hpp"

#include "cli/options.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "cli/spelling.hpp"

#include "suffice/flow/column_names.hpp"

namespace suffice::cli {
namespace {

constexpr std::array<std::string_view, 3> formats{"html", "md", "json"};

constexpr std::array report_options{
    OptionSpec{"--format", "F", "html (default), md or json"},
    OptionSpec{"--columns", "A,B", "the two columns to be seen in the plane (default: chosen)"},
    OptionSpec{"--weight", "COLUMN", "how much each row counts in the measures"},
    weight_kind_option,
    OptionSpec{"--seed", "S", "another seed, other samples (default 0)"},
    OptionSpec{"--output", "FILE", "where it goes (default: standard output)", 'o'},
};

Result<void> run_report(const Arguments& arguments, const Context& context) {
    const auto given = model_and_data(arguments, true);
    if (!given) return given.error();
    ReportOptions options;
    options.spell = spell_option;
    auto apply = apply_options(arguments);
    if (!apply) return apply.error();
    options.apply = std::move(*apply);
    const auto format = arguments.choice("--format", formats);
    if (!format) return format.error();
    if (*format >= 0) options.format = static_cast<ReportFormat>(*format);
    if (const auto columns = arguments.given("--columns")) options.columns = split_list(*columns);
    auto output = Output::open(arguments.text("--output"));
    if (!output) return output.error();
    const auto done = report(given->model, given->data, options, context);
    end_progress();
    if (!done) return done.error();
    say_notes(done->notes);
    if (auto written = output->write(done->text); !written) return written;
    return output->finish();
}

}  // namespace

const Verb report_verb{
    "report",
    "MODEL DATA... -o report.html [--format html|md|json]",
    "Reports on a model and rows whose class is known, in one file that needs nothing else. Measures "
    "beside the majority's, curves, columns and their families, pictures in two dimensions, the worst "
    "mistakes explained.",
    "  suffice report churn.suf test.csv -o report.html\n"
    "  suffice report churn.suf test.csv --format md -o report.md\n"
    "  suffice report churn.suf test.csv --format json | jq .evaluation.accuracy\n",
    {report_options, reading_options, running_options, {}},
    run_report};

}  // namespace suffice::cli
