// suffice predict: the class of each row; of language models also the next word, and documents for a query.
#include <charconv>
#include <optional>

#include "cli/decision_options.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "cli/row_output.hpp"

#include "suffice/flow/next_words.hpp"
#include "suffice/flow/query.hpp"
#include "suffice/read/rewritten.hpp"
#include "suffice/report/number_text.hpp"

namespace suffice::cli {
namespace {

constexpr std::array predict_options{
    OptionSpec{"--proba", "", "add p(CLASS) of every class"},
    OptionSpec{"--evidence", "", "add log_evidence, the log density of the row"},
    OptionSpec{"--top", "K", "add the K most probable classes: choice_1,p_1,choice_2,p_2,..."},
    OptionSpec{"--moderated", "", "logistic_regression: posteriors averaged over the uncertainty of the coefficients"},
    OptionSpec{"--keep", "COLUMNS", "put these columns of the data first"},
    OptionSpec{"--adapt-priors", "", "class priors under which the data are most likely; the data are read twice"},
    OptionSpec{"--next", "WORDS", "language models: the --top (default 10) most probable next words, without data"},
    OptionSpec{"--class", "CLASS", "of --next: by this class alone (default: by all, as the words tell)"},
    OptionSpec{
        "--query", "WORDS",
        "rank the --top (default 10) documents by the likelihood of these words; of SQLite and DuckDB files: the SQL "
        "whose rows are read"},
    OptionSpec{"--query-smoothing", "S",
               "of --query: dirichlet(MU) or jelinek_mercer(LAMBDA); default dirichlet(2000)"},
    OptionSpec{"--json", "", "for programs: a record for each row, with the same names"},
    spreadsheet_option,
    OptionSpec{"--output", "FILE", "where the predictions go (default: standard output)", 'o'},
};

Result<PredictOptions> predict_options_of(const Arguments& arguments, const Model& model, const Context& context) {
    PredictOptions options;
    auto apply = apply_options(arguments);
    if (!apply) return apply.error();
    options.apply = std::move(*apply);
    options.posteriors = arguments.has("--proba");
    options.log_evidence = arguments.has("--evidence");
    const auto top = arguments.whole("--top", 0);
    if (!top) return top.error();
    options.top = *top;
    auto rule = decision_rule(arguments, model, options.apply, context);
    if (!rule) return rule.error();
    options.rule = std::move(*rule);
    options.moderated = arguments.has("--moderated");
    options.adapt_priors = arguments.has("--adapt-priors");
    if (options.adapt_priors && arguments.has("--prior"))
        return Error(ErrorKind::usage, "--prior gives the class priors, so --adapt-priors has none to find");
    if (const auto prior = arguments.given("--prior")) {
        auto choice = prior_choice(*prior);
        if (!choice) return choice.error();
        options.priors = std::move(*choice);
    }
    return options;
}

Result<void> run_next(const Arguments& arguments, const std::string& words) {
    const auto given = model_and_data(arguments, false);
    if (!given) return given.error();
    const auto top = arguments.whole("--top", 10);
    if (!top) return top.error();
    std::optional<std::size_t> of_class;
    if (const auto name = arguments.given("--class")) {
        const auto code = class_named(given->model, *name);
        if (!code) return code.error();
        of_class = *code;
    }
    const auto next = next_words(given->model, words, *top, of_class);
    if (!next) return next.error();
    auto output = Output::open(arguments.text("--output"));
    if (!output) return output.error();
    std::string lines = "word,probability\n";
    for (const auto& [word, probability] : *next) {
        append_cell(lines, word);
        lines += ',';
        append_number(lines, probability);
        lines += '\n';
    }
    const auto form = RowOutput::form_of(arguments);
    if (!form) return form.error();
    RowOutput rows(*output, *form);
    if (auto written = rows.write(lines); !written) return written;
    return rows.finish();
}

// "dirichlet(2000)" or "jelinek_mercer(0.5)"; without a number the usual one.
Result<void> read_smoothing(const std::string& text, QueryOptions& options) {
    const auto open = text.find('(');
    const std::string name = text.substr(0, open);
    options.smoothing =
        name == "dirichlet" ? QueryOptions::Smoothing::dirichlet : QueryOptions::Smoothing::jelinek_mercer;
    const bool dirichlet = name == "dirichlet";
    options.amount = dirichlet ? 2000 : 0.5;
    bool good = dirichlet || name == "jelinek_mercer";
    if (open != std::string::npos) {
        const char *first = text.data() + open + 1, *last = text.data() + text.size() - 1;
        const auto [end, problem] = std::from_chars(first, last, options.amount);
        good = good && problem == std::errc{} && end == last && text.back() == ')';
    }
    if (good && options.amount > 0 && (dirichlet || options.amount <= 1)) return {};
    return Error(ErrorKind::usage,
                 "--query-smoothing takes dirichlet(MU) with MU above 0 or jelinek_mercer(LAMBDA) with LAMBDA above 0 "
                 "and up to 1, not \"" +
                     text + "\"");
}

Result<void> run_query(const Arguments& arguments, const std::string& words, const Context& context) {
    const auto given = model_and_data(arguments, true);
    if (!given) return given.error();
    QueryOptions options;
    auto apply = apply_options(arguments);
    if (!apply) return apply.error();
    options.apply = std::move(*apply);
    options.apply.read.query.clear();  // these are words, not SQL
    if (auto read = read_smoothing(arguments.text("--query-smoothing", "dirichlet"), options); !read) return read;
    const auto top = arguments.whole("--top", options.most);
    if (!top) return top.error();
    options.most = *top;
    const auto ranking = rank_documents(given->model, given->data, words, options, context);
    end_progress();
    if (!ranking) return ranking.error();
    auto output = Output::open(arguments.text("--output"));
    if (!output) return output.error();
    std::string lines = "row,log_likelihood,text\n";
    for (const auto& document : ranking->documents) {
        lines += std::to_string(document.row) + ',';
        append_number(lines, document.log_likelihood);
        lines += ',';
        append_cell(lines, document.text);
        lines += '\n';
    }
    const auto form = RowOutput::form_of(arguments);
    if (!form) return form.error();
    RowOutput rows(*output, *form);
    if (auto written = rows.write(lines); !written) return written;
    if (auto written = rows.finish(); !written) return written;
    say_notes(ranking->notes);
    return {};
}

Result<void> run_predict(const Arguments& arguments, const Context& context) {
    if (const auto words = arguments.given("--next")) return run_next(arguments, *words);
    const bool asks_database = arguments.files().size() > 1 && is_database(arguments.files()[1]);
    if (const auto words = arguments.given("--query"); words && !asks_database)
        return run_query(arguments, *words, context);
    const auto given = model_and_data(arguments, true);
    if (!given) return given.error();
    const auto options = predict_options_of(arguments, given->model, context);
    if (!options) return options.error();
    auto output = Output::open(arguments.text("--output"));
    if (!output) return output.error();
    const auto form = RowOutput::form_of(arguments);
    if (!form) return form.error();
    RowOutput rows(*output, *form);
    const auto notes = predict(
        given->model, given->data, *options, [&](std::string_view lines) { return rows.write(lines); }, context);
    end_progress();
    if (!notes) return notes.error();
    if (auto written = rows.finish(); !written) return written;
    say_notes(*notes);
    return {};
}

}  // namespace

const Verb predict_verb{"predict",
                        "MODEL DATA... [--proba] [-o FILE]",
                        "Predicts the class of each row. CSV comes out, one line per row in the same order, with the "
                        "header prediction.\nColumns are matched by name, in any order; others are ignored.",
                        "  suffice predict churn.suf new.csv --proba\n"
                        "  suffice predict churn.suf new.csv --keep id --top 2 -o answers.csv\n"
                        "  suffice predict fraud.suf today.csv --cost costs.csv --reject 0.6\n"
                        "  suffice predict fraud.suf today.csv --thresholds \"fraud=0.2\" --novelty 0.01\n"
                        "  suffice predict news.suf --next \"the space\" --class sci.space\n"
                        "  suffice predict news.suf mail.csv --query \"shuttle launch\" --top 5\n"
                        "  head -100 new.csv | suffice predict churn.suf - --prior uniform\n",
                        {predict_options, decision_options, reading_options, running_options},
                        run_predict};

}  // namespace suffice::cli
