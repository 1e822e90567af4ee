// suffice sample: rows drawn from a model.
#include "suffice/flow/sample.hpp"

#include "cli/options.hpp"
#include "cli/row_output.hpp"

namespace suffice::cli {
namespace {

constexpr std::array sample_options{
    OptionSpec{"--count", "N", "how many rows (default 1)", 'n'},
    OptionSpec{"--class", "CLASS", "only of this class (default: by the class priors)"},
    OptionSpec{"--seed", "S", "another seed, other rows (default 0)"},
    OptionSpec{"--output", "FILE", "where the rows go (default: standard output)", 'o'},
    OptionSpec{"--json", "", "for programs: a record for each row, with the same names"},
    spreadsheet_option,
};

Result<void> run_sample(const Arguments& arguments, const Context& context) {
    const auto given = model_and_data(arguments, false);
    if (!given) return given.error();
    const auto count = arguments.whole("--count", 1);
    if (!count) return count.error();
    SampleOptions options{*count, {}, context.seed};
    if (const auto name = arguments.given("--class")) {
        const auto code = class_named(given->model, *name);
        if (!code) return code.error();
        options.of_class = *code;
    }
    auto output = Output::open(arguments.text("--output"));
    if (!output) return output.error();
    std::vector<std::string> numbers;
    for (const Column& column : given->model.schema().columns)
        if (column.kind == ColumnKind::number || column.kind == ColumnKind::flag) numbers.push_back(column.name);
    const auto form = RowOutput::form_of(arguments);
    if (!form) return form.error();
    RowOutput rows(*output, *form, std::move(numbers));
    const auto done = sample(given->model, options, [&](std::string_view lines) { return rows.write(lines); });
    if (!done) return done;
    return rows.finish();
}

}  // namespace

const Verb sample_verb{"sample",
                       "MODEL -n N [--class C] [--seed S]",
                       "Draws rows from a model, as CSV that fit reads back. The same seed gives the same rows.",
                       "  suffice sample churn.suf -n 1000 --seed 7 -o invented.csv\n"
                       "  suffice sample churn.suf -n 5 --class yes\n",
                       {sample_options, running_options, {}, {}},
                       run_sample};

}  // namespace suffice::cli
