// suffice fit: a model from files.
#include <algorithm>

#include "cli/options.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "cli/summary.hpp"

#include "suffice/flow/column_names.hpp"
#include "suffice/flow/evaluate.hpp"
#include "suffice/flow/given_text.hpp"
#include "suffice/report/comparison_report.hpp"
#include "suffice/report/model_report.hpp"
#include "suffice/report/number_text.hpp"

namespace suffice::cli {
namespace {

constexpr std::array own_options{
    OptionSpec{"--target", "COLUMN", "the column that holds the classes"},
    OptionSpec{"--output", "FILE", "where the model goes (default: standard output, if that is no terminal)", 'o'},
    OptionSpec{"--given", "FILE", "no data: the model stated in this JSON file (reference, models)"},
    OptionSpec{"--family", "LIST", "families of columns, such as \"visits=poisson,zip=categorical\""},
    OptionSpec{"--exclude", "COLUMNS", "columns to leave out"},
    OptionSpec{"--weight", "COLUMN", "how much each row counts"},
    OptionSpec{"--joint", "COLUMNS", "categories modelled by one table of all combinations, such as \"a,b;c,d\""},
    OptionSpec{"--keep", "WHAT", "of covariances: per_class, pooled or diagonal (default: by size)"},
    OptionSpec{"--unlabeled", "HOW", "rows without a class: skip (default), or use them by EM: use"},
    OptionSpec{"--unlabeled-weight", "W", "how much a row without a class counts in EM (default: 1)"},
    OptionSpec{"--folds", "N", "folds by which --penalty auto and --lasso auto are judged (default 10)"},
    OptionSpec{"--folds-column", "COLUMN", "for the same: rows of one value are one fold, such as patients or days"},
    OptionSpec{"--strip", "", "keep only what predicting needs; no merge, update, forget or derive then"},
    OptionSpec{"--seed", "S", "for models that start at random"},
    OptionSpec{"--accuracy", "", "tell also how many of the training rows the model gets right; they are read again"},
    OptionSpec{"--quiet", "", "no summary", 'q'},
    json_summary,
};

Result<FitOptions> options_of(const Arguments& arguments) {
    auto options = fit_options(arguments);
    if (!options) return options;
    if (options->model != "auto")
        if (auto checked = check_options_of(arguments, options->model); !checked) return checked.error();
    const auto read = read_options(arguments);
    if (!read) return read.error();
    options->read = *read;
    options->target = arguments.text("--target");
    options->weight = arguments.text("--weight");
    if (const auto exclude = arguments.given("--exclude")) options->exclude = {*exclude};
    if (const auto joint = arguments.given("--joint")) options->joint = split_lists(*joint);
    options->search.fold_column = arguments.text("--folds-column");
    for (const std::string option : {"--folds", "--folds-column"})
        if (arguments.has(option) && !options->search.wanted())
            return Error(ErrorKind::usage, option + " goes with --penalty auto or --lasso auto");
    constexpr std::array<std::string_view, 3> keeps{"per_class", "pooled", "diagonal"};
    const auto keep = arguments.choice("--keep", keeps);
    if (!keep) return keep.error();
    if (*keep >= 0) options->keep = static_cast<Keep>(*keep + 1);
    constexpr std::array<std::string_view, 2> unlabeled{"skip", "use"};
    const auto how = arguments.choice("--unlabeled", unlabeled);
    if (!how) return how.error();
    options->use_unlabeled = *how == 1;
    const auto share = arguments.number("--unlabeled-weight", options->unlabeled_weight);
    if (!share) return share.error();
    if (arguments.has("--unlabeled-weight") && !options->use_unlabeled)
        return Error(ErrorKind::usage, "--unlabeled-weight goes with --unlabeled use");
    options->unlabeled_weight = *share;
    return options;
}

Result<void> write_given(const std::string& file, const std::string& path, const Arguments& arguments) {
    if (!arguments.files().empty()) return Error(ErrorKind::usage, "--given takes the place of data");
    const auto text = read_whole_file(file);
    if (!text) return text.error();
    const auto model = model_of_text(*text);
    if (!model) return Error(model.error()).in_file(file);
    if (auto checked = check_model_output(arguments, path); !checked) return checked;
    const Made made;
    if (auto written = write_model(*model, path); !written) return written;
    return arguments.has("--json") ? print_summary(*model, made, made.seconds()) : Result<void>();
}

// Optimistic, since the model has seen these rows, and told as such.
Result<double> training_accuracy(const Model& model, const std::vector<std::string>& files, const FitOptions& options,
                                 const Context& context) {
    ApplyOptions again;
    again.read = options.read;
    again.allow_missing_columns = options.read.missing_columns;
    again.weight = options.weight;
    again.need_target = true;
    const auto done = evaluate(model, files, again, context);
    end_progress();
    if (!done) return done.error();
    return done->scores.accuracy.value_or(0);
}

Result<void> run(const Arguments& arguments, const Context& context) {
    const auto options = options_of(arguments);
    if (!options) return options.error();
    const auto& data = arguments.files();
    if (arguments.has("--accuracy") && std::ranges::find(data, "-") != data.end())
        return Error(ErrorKind::usage, "--accuracy reads the rows a second time; save standard input to a file first");
    const std::string path = arguments.text("--output");
    if (const auto stated = arguments.given("--given")) return write_given(*stated, path, arguments);
    if (data.empty()) return Error(ErrorKind::usage, "name the data to fit (- is standard input)");
    if (auto checked = check_model_output(arguments, path); !checked) return checked;
    const bool as_json = arguments.has("--json"), told = !as_json && !arguments.has("--quiet");
    Made made;
    const auto model = fit(data, *options, context);
    end_progress();
    if (!model) return model.error();
    if (told && !model->seen().compared.empty()) say(comparison_text({model->seen().compared, {}}) + "\n");
    const auto saved = arguments.has("--strip") ? strip(*model) : model;
    if (!saved) return saved.error();
    if (auto written = write_model(*saved, path); !written) return written;
    const double seconds = made.seconds();
    if (told) say(fit_text({model->predictor(), model->seen(), model->choices(), model->notes(), seconds}));
    if (arguments.has("--accuracy")) {
        const auto accuracy = training_accuracy(*model, data, *options, context);
        if (!accuracy) return accuracy.error();
        made.accuracy = *accuracy;
        if (!as_json)
            say("training accuracy " + short_number(*accuracy, 4) +
                ", of the rows that the model has seen; compare tells what to expect of others\n");
    }
    return as_json ? print_summary(*model, made, seconds) : Result<void>();
}

}  // namespace

const Verb fit_verb{
    "fit",
    "DATA... --target COLUMN [-o model.suf]",
    "Fits a model to files. DATA are CSV, TSV, Parquet or Arrow files (also .gz and .zst), globs, folders "
    "or - for standard input.\nOne pass, constant memory; the same input and options give the same file.",
    "  suffice fit sales.csv --target churned -o churn.suf\n"
    "  suffice fit 2024-*.csv --target churned --model lda --exclude id,name -o churn.suf\n"
    "  suffice fit visits.csv --target ill --family \"visits=poisson\" --prior uniform -o ill.suf\n"
    "  zcat log.csv.gz | suffice fit - --target class >log.suf\n"
    "  suffice fit sales.csv --target churned -o churn.suf --json | jq .log_likelihood\n",
    {own_options, model_options, regression_options, reading_options, running_options},
    run};

}  // namespace suffice::cli
