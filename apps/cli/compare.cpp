// suffice compare: every model that fits the columns, cross-validated together.
#include "suffice/flow/compare.hpp"

#include <algorithm>
#include <unistd.h>

#include "cli/options.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "cli/spelling.hpp"

#include "suffice/base/setting_value.hpp"
#include "suffice/flow/column_names.hpp"
#include "suffice/report/comparison_report.hpp"
#include "suffice/report/number_text.hpp"

namespace suffice::cli {
namespace {

constexpr std::array compare_options{
    OptionSpec{"--target", "COLUMN", "the column that holds the classes"},
    OptionSpec{"--folds", "N", "folds of the cross-validation (default 10)"},
    OptionSpec{"--folds-column", "COLUMN", "rows of one value are one fold, such as patients or days"},
    OptionSpec{"--group", "COLUMN", "rows of one value stay in one fold"},
    OptionSpec{"--time", "COLUMN", "folds follow its order, and each is learned from those before it"},
    OptionSpec{"--repeats", "N", "deal the rows out to folds so often anew (default 1)"},
    OptionSpec{"--nested", "", "also how choosing the best by the table, then fitting it, does on other rows"},
    OptionSpec{"--budget", "SECONDS", "computing that a candidate may take, else it is left unfinished (default 10)"},
    OptionSpec{"--leave-one-out", "", "each row by the model without it, in closed form"},
    OptionSpec{"--models", "LIST", "only these, such as lda,qda,logistic (default: all that fit the columns)"},
    OptionSpec{"--learning-curve", "", "how the three best do on fewer rows"},
    OptionSpec{"--seed", "S", "of the shuffled folds (default 0)"},
    OptionSpec{"--family", "LIST", "families of columns, such as \"visits=poisson,zip=categorical\""},
    OptionSpec{"--exclude", "COLUMNS", "columns to leave out"},
    OptionSpec{"--weight", "COLUMN", "how much each row counts"},
    weight_kind_option,
    OptionSpec{"--json", "", "for programs"},
    OptionSpec{"--output", "FILE", "where it goes (default: standard output)", 'o'},
};

// Each model on a line of the terminal as soon as it is ready; the table comes at the end, best first.
std::function<void(const Compared&)> tell_finished() {
    if (::isatty(STDERR_FILENO) == 0) return {};
    return [](const Compared& one) {
        std::string name = one.model;
        for (const GivenSetting& each : one.options) name += " " + spell_option(each);
        end_progress();
        say(name + ": " +
            (one.failed()
                 ? one.failure.sentence
                 : "log loss " + short_number(one.log_loss, 4) + ", accuracy " + short_number(one.accuracy, 4)) +
            ", " + short_number(one.seconds, 2) + " s\n");
    };
}

Result<void> run_compare(const Arguments& arguments, const Context& context) {
    auto options = fit_options(arguments, compare_verb);
    if (!options) return options.error();
    const auto read = read_options(arguments);
    if (!read) return read.error();
    options->read = *read;
    options->target = arguments.text("--target");
    options->weight = arguments.text("--weight");
    const auto kind = weight_kind(arguments);
    if (!kind) return kind.error();
    options->weight_kind = *kind;
    if (const auto exclude = arguments.given("--exclude")) options->exclude = {*exclude};
    const auto folds = arguments.whole("--folds", 10);
    if (!folds) return folds.error();
    CompareOptions how;
    how.fold_count = static_cast<std::uint32_t>(std::min<std::uint64_t>(*folds, 10'000));
    how.fold_column = arguments.text("--folds-column");
    how.group_column = arguments.text("--group");
    how.time_column = arguments.text("--time");
    how.how.nested = arguments.has("--nested");
    const auto repeats = arguments.whole("--repeats", 1);
    if (!repeats) return repeats.error();
    how.repeats = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(*repeats, 1, 1000));
    how.how.budget = usual_budget;
    if (const auto budget = arguments.given("--budget")) {
        const auto seconds = SettingValue{Written{*budget}}.number();
        if (!seconds || !(*seconds > 0)) return Error(ErrorKind::usage, "--budget takes a positive number of seconds");
        how.how.budget = *seconds;
    }
    how.leave_one_out = arguments.has("--leave-one-out");
    if (const auto models = arguments.given("--models")) how.models = split_list(*models);
    if (arguments.has("--learning-curve")) how.how.curve_models = 3;
    const int columns = int(!how.fold_column.empty()) + int(!how.group_column.empty()) + int(!how.time_column.empty());
    if (how.leave_one_out && (arguments.has("--folds") || columns > 0 || how.how.curve_models > 0 || how.how.nested ||
                              arguments.has("--repeats")))
        return Error(ErrorKind::usage, "--leave-one-out has no folds; leave the other options out");
    if (columns > 1)
        return Error(ErrorKind::usage, "--folds-column, --group and --time each say what the folds are; give one");
    if (arguments.has("--repeats") && columns > 0 && how.group_column.empty())
        return Error(ErrorKind::usage, "--repeats deals rows out anew, but the column says what the folds are");
    const auto seed = arguments.whole("--seed", 0);
    if (!seed) return seed.error();
    if (arguments.files().empty()) return Error(ErrorKind::usage, "name the data to compare models on");
    auto output = Output::open(arguments.text("--output"));
    if (!output) return output.error();
    Context seeded = context;
    seeded.seed = *seed;
    how.how.finished = tell_finished();
    how.how.ready_when_stopped = true;
    const auto done = compare(arguments.files(), *options, how, seeded);
    end_progress();
    if (!done) return done.error();
    say_notes(done->notes);
    const auto write = arguments.has("--json") ? comparison_json : comparison_text;
    if (auto written = output->write(write({done->models, done->curve, done->nested}, spell_option)); !written)
        return written;
    if (auto finished = output->finish(); !finished) return finished;
    if (done->stopped) return Error(ErrorKind::cancelled, "stopped; the table has what was ready");
    return {};
}

}  // namespace

const Verb compare_verb{
    "compare",
    "DATA... --target COLUMN [--folds 10] [--json]",
    "Cross-validates every model that fits the columns, best first. All folds of all sums over rows cost four "
    "passes over the data.",
    "  suffice compare sales.csv --target churned\n"
    "  suffice compare visits.csv --target ill --folds-column patient --models nb,lda,logistic\n"
    "  suffice compare sales.csv --target churned --folds 5 --json | jq '.[0].model'\n",
    {compare_options, {}, reading_options, running_options},
    run_compare,
    [](const Setting&) { return true; }};

}  // namespace suffice::cli
