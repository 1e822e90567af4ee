// suffice fit: a model from files.
#include <algorithm>
#include <array>
#include <cmath>

#include "cli/options.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "cli/spelling.hpp"
#include "cli/summary.hpp"

#include "suffice/encode/chosen_rows.hpp"
#include "suffice/flow/column_names.hpp"
#include "suffice/flow/given_text.hpp"
#include "suffice/flow/holdout.hpp"
#include "suffice/flow/second_look.hpp"
#include "suffice/flow/shards.hpp"
#include "suffice/report/comparison_report.hpp"
#include "suffice/report/logistic_report.hpp"
#include "suffice/report/model_report.hpp"
#include "suffice/report/number_text.hpp"
#include "suffice/report/trace_figures.hpp"

namespace suffice::cli {
namespace {

constexpr std::array own_options{
    OptionSpec{"--target", "COLUMN", "the column that holds the classes"},
    OptionSpec{"--output", "FILE", "where the model goes (default: standard output, if that is no terminal)", 'o'},
    OptionSpec{"--model", "M",
               "auto, which compares models and fits the best, or one of the list below (default naive_bayes)"},
    OptionSpec{"--given", "FILE", "no data: the model stated in this JSON file (reference, models)"},
    OptionSpec{"--family", "LIST", "families of columns, such as \"visits=poisson,zip=categorical\""},
    OptionSpec{"--exclude", "COLUMNS", "columns to leave out"},
    OptionSpec{"--weight", "COLUMN", "how much each row counts"},
    weight_kind_option,
    OptionSpec{"--shards", "I/N",
               "learn the I-th of N parts of the data alone; suffice merge makes the whole of all N"},
    OptionSpec{
        "--holdout", "SHARE|COLUMN=VALUE",
        "rows that are not learned from and on which the model is measured: a share of all, or those with a value"},
    OptionSpec{"--holdout-after", "DATE|COLUMN=VALUE", "the same of rows later than a date, or above a value"},
    OptionSpec{"--strip", "", "keep only what predicting needs; no merge, update, forget or derive then"},
    OptionSpec{"--seed", "S", "for models that start at random"},
    OptionSpec{"--accuracy", "", "tell also how many of the training rows the model gets right; they are read again"},
    OptionSpec{"--trace", "", "of logistic_regression: tell every step of Newton's method, or of --descent"},
    OptionSpec{"--trace-picture", "FILE", "the same steps drawn as SVG"},
    OptionSpec{"--start", "FILE",
               "of logistic_regression: start from the coefficients in this JSON file; zeros: from nothing"},
    OptionSpec{"--descent", "RATE",
               "of logistic_regression: steps against the gradient, w - RATE * gradient, instead of Newton's; auto: a "
               "rate that never goes too far"},
    OptionSpec{"--steps", "N", "of logistic_regression: at most so many steps"},
    OptionSpec{"--quiet", "", "no summary", 'q'},
    json_summary,
};

Result<FitOptions> options_of(const Arguments& arguments) {
    auto options = fit_options(arguments, fit_verb);
    if (!options) return options;
    const auto read = read_options(arguments);
    if (!read) return read.error();
    options->read = *read;
    options->target = arguments.text("--target");
    options->weight = arguments.text("--weight");
    const auto kind = weight_kind(arguments);
    if (!kind) return kind.error();
    options->weight_kind = *kind;
    if (const auto exclude = arguments.given("--exclude")) options->exclude = {*exclude};
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

// Of which kind the steps of the search are, and how many.
Result<void> choose_steps(const Arguments& arguments, FitOptions& options, LogisticTrace& trace) {
    const auto steps = arguments.whole("--steps", 0);
    if (!steps) return steps.error();
    if (arguments.has("--steps") && (*steps == 0 || *steps > 1'000'000))
        return Error(ErrorKind::usage, "the number of steps goes from 1 to 1,000,000");
    options.regression.steps = static_cast<std::uint32_t>(*steps);
    if (!arguments.has("--descent")) return {};
    trace.descent = 0;
    if (arguments.text("--descent") == "auto") return {};
    const auto rate = arguments.number("--descent", 0);
    if (!rate) return rate.error();
    if (!(*rate > 0) || std::isinf(*rate)) return Error(ErrorKind::usage, "the rate of --descent is above 0, or auto");
    trace.descent = *rate;
    return {};
}

// What watching the search asks for: the trace itself lives as long as the fit.
Result<void> watch_search(const Arguments& arguments, FitOptions& options, LogisticTrace& trace) {
    const std::array watching{"--start", "--trace", "--trace-picture", "--descent", "--steps"};
    const auto asked = std::ranges::find_if(watching, [&](const char* each) { return arguments.has(each); });
    if (asked == watching.end()) return {};
    const auto entry = model_entry(options.model);
    if (!entry || (*entry)->fitting != Fitting::regression)
        return Error(ErrorKind::usage, std::string(*asked) +
                                           " is for models that are searched for, such as logistic_regression, and " +
                                           options.model + " is a sum over the rows");
    if (auto chosen = choose_steps(arguments, options, trace); !chosen) return chosen;
    options.regression.trace = &trace;
    const auto start = arguments.given("--start");
    if (!start) return {};
    options.regression.start.emplace();
    if (*start == "zeros") return {};
    const auto text = read_whole_file(*start);
    if (!text) return text.error();
    auto coefficients = start_of_text(*text);
    if (!coefficients) return Error(coefficients.error()).in_file(*start);
    options.regression.start = std::move(*coefficients);
    return {};
}

// Optimistic, since the model has seen these rows, and told as such.
Result<double> training_accuracy(const Model& model, const std::vector<std::string>& files, const FitOptions& options,
                                 const Context& context) {
    ApplyOptions again;
    again.read = options.read;
    again.allow_missing_columns = options.read.missing_columns;
    again.weight = options.weight;
    again.weight_kind = options.weight_kind;
    again.need_target = true;
    const auto done = evaluate(model, files, again, context);
    end_progress();
    if (!done) return done.error();
    return done->scores.accuracy.value_or(0);
}

// A shard that is there and matches its input is not made again.
Result<void> run_shard(const std::string& text, const Arguments& arguments, const FitOptions& options,
                       const Context& context) {
    const std::string path = arguments.text("--output");
    if (path.empty() || path == "-") return Error(ErrorKind::usage, "a shard goes to a file; name it with --output");
    for (const char* other : {"--strip", "--accuracy"})
        if (arguments.has(other))
            return Error(ErrorKind::usage, std::string(other) + " is for whole models, not for a shard");
    const auto shard = Shard::parse(text);
    if (!shard) return shard.error();
    const auto plan = plan_shard(arguments.files(), options, *shard);
    if (!plan) return plan.error();
    const bool there = is_made(*plan, path);
    double rows = 0;
    if (there) {
        rows = load_model_file(path).value().seen.rows;
    } else {
        const auto made = fit_shard(*plan, context);
        end_progress();
        if (!made) return made.error();
        if (auto saved = save_model_file(*made, path); !saved) return saved;
        rows = made->seen.rows;
    }
    if (arguments.has("--json"))
        return print("{\"shard\": \"" + shard->text() + "\", \"rows\": " + short_number(rows, 15) +
                     ", \"made\": " + (there ? "false" : "true") + "}\n");
    if (!arguments.has("--quiet"))
        say("shard " + shard->text() + ": " + short_number(rows, 15) + " rows" +
            (there ? ", there already and of this input: nothing to do\n" : "\n"));
    return {};
}

// The model, and where rows are held out how it does on them.
Result<Model> fit_data(const Arguments& arguments, const FitOptions& options, Made& made, const Context& context) {
    const auto share = arguments.given("--holdout"), later = arguments.given("--holdout-after");
    if (!share && !later) {
        auto model = fit(arguments.files(), options, context);
        if (!model) return model;
        if (auto note = second_look(arguments.files(), options, *model, !arguments.has("--model"), context))
            return model->with_note(std::move(*note));
        return model;
    }
    if (share && later)
        return Error(ErrorKind::usage, "--holdout and --holdout-after each say which rows are held out; give one");
    const auto apart = rows_apart(share ? *share : *later, !share);
    if (!apart) return Error(apart.error().kind, (share ? "--holdout: " : "--holdout-after: ") + apart.error().message);
    auto done = fit_and_judge(arguments.files(), options, *apart, context);
    if (!done) return done.error();
    made.held_out = std::move(done->judged.scores);
    const auto& majority = made.held_out->majority;
    if (majority && made.held_out->accuracy.value_or(0) <= majority->accuracy)
        done->model = done->model.with_note("on the rows held out the model does no better than always answering " +
                                            done->model.classes()[majority->class_code]);
    return std::move(done->model);
}

Result<void> run(const Arguments& arguments, const Context& context) {
    auto options = options_of(arguments);
    if (!options) return options.error();
    LogisticTrace trace;
    if (auto watched = watch_search(arguments, *options, trace); !watched) return watched;
    const auto& data = arguments.files();
    if (arguments.has("--accuracy") && std::ranges::find(data, "-") != data.end())
        return Error(ErrorKind::usage, "--accuracy reads the rows a second time; save standard input to a file first");
    const std::string path = arguments.text("--output");
    if (const auto stated = arguments.given("--given")) return write_given(*stated, path, arguments);
    if (data.empty()) return Error(ErrorKind::usage, "name the data to fit (- is standard input)");
    if (const auto shard = arguments.given("--shards")) return run_shard(*shard, arguments, *options, context);
    if (auto checked = check_model_output(arguments, path); !checked) return checked;
    const bool as_json = arguments.has("--json"), told = !as_json && !arguments.has("--quiet");
    Made made;
    const auto model = fit_data(arguments, *options, made, context);
    end_progress();
    if (!model) return model.error();
    if (told && !model->seen().compared.empty())
        say(comparison_text({model->seen().compared, {}}, spell_option) + "\n");
    const auto saved = arguments.has("--strip") ? strip(*model) : model;
    if (!saved) return saved.error();
    if (auto written = write_model(*saved, path); !written) return written;
    const double seconds = made.seconds();
    if (arguments.has("--trace")) made.trace = &trace;
    if (const auto picture = arguments.given("--trace-picture"))
        if (auto drawn = write_picture(newton_figure(trace), *picture); !drawn) return drawn;
    if (const auto* regression = model->as<LogisticRegression>(); made.trace != nullptr && !as_json && regression)
        say(trace_table(*regression, trace) + "\n");
    if (told)
        say(fit_text({model->predictor(),
                      model->seen(),
                      model->choices(),
                      model->notes(),
                      seconds,
                      {},
                      {},
                      spell_option,
                      made.held_out ? &*made.held_out : nullptr}));
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

const Verb fit_verb{"fit",
                    "DATA... --target COLUMN [-o model.suf]",
                    "Fits a model to files. DATA are CSV, TSV, JSON lines, ARFF, xlsx, Parquet, Arrow, SQLite or "
                    "DuckDB files (text also as .gz and .zst), globs, folders or - for standard input.\n"
                    "One pass, constant memory; the same input and options give the same file.",
                    "  suffice fit sales.csv --target churned -o churn.suf\n"
                    "  suffice fit sales.csv --target churned --model auto -o churn.suf\n"
                    "  suffice fit 2024-*.csv --target churned --model lda --exclude id,name -o churn.suf\n"
                    "  suffice fit visits.csv --target ill --family \"visits=poisson\" --prior uniform -o ill.suf\n"
                    "  suffice fit part-*.parquet --target churned --shards 2/5 -o shard-2.suf\n"
                    "  zcat log.csv.gz | suffice fit - --target class >log.suf\n"
                    "  suffice fit sales.csv --target churned -o churn.suf --json | jq .log_likelihood\n",
                    {own_options, {}, reading_options, running_options},
                    run,
                    [](const Setting&) { return true; }};

}  // namespace suffice::cli
