// suffice predict: the class of each row.
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"

#include "suffice/decide/cost_matrix.hpp"

namespace suffice::cli {
namespace {

constexpr std::array own_options{
    OptionSpec{"--proba", "", "add p(CLASS) of every class"},
    OptionSpec{"--evidence", "", "add log_evidence, the log density of the row"},
    OptionSpec{"--top", "K", "add the K most probable classes: choice_1,p_1,choice_2,p_2,..."},
    OptionSpec{"--keep", "COLUMNS", "put these columns of the data first"},
    OptionSpec{
        "--cost", "COSTS",
        "decide by smallest expected cost: a CSV file, truths in the first column and decisions in the header, or "
        "\"fraud:ok=50,ok:fraud=1\""},
    OptionSpec{"--reject", "T", "no prediction where the largest posterior is below T"},
    OptionSpec{"--prior", "P", "other class priors: empirical, uniform or CLASS=p,..."},
    OptionSpec{"--adapt-priors", "", "class priors under which the data are most likely; the data are read twice"},
    OptionSpec{"--output", "FILE", "where the predictions go (default: standard output)", 'o'},
};

// A file, or costs as they stand: "fraud:ok=50,ok:fraud=1".
Result<CostMatrix> cost_matrix(const std::string& given, const std::vector<std::string>& classes) {
    auto text = read_whole_file(given);
    if (!text && given.find('=') != std::string::npos) return parse_cost_matrix(classes, given);
    if (!text) return text.error();
    auto cost = parse_cost_table(classes, *text);
    if (!cost) return Error(cost.error()).in_file(given);
    return cost;
}

Result<PredictOptions> options_of(const Arguments& arguments, const Model& model) {
    PredictOptions options;
    auto apply = apply_options(arguments);
    if (!apply) return apply.error();
    options.apply = std::move(*apply);
    options.posteriors = arguments.has("--proba");
    options.log_evidence = arguments.has("--evidence");
    const auto top = arguments.whole("--top", 0);
    if (!top) return top.error();
    options.top = *top;
    const auto reject = arguments.number("--reject", 0);
    if (!reject) return reject.error();
    if (*reject < 0 || *reject > 1) return Error(ErrorKind::usage, "--reject takes a probability from 0 to 1");
    options.rule.reject_below = *reject;
    if (const auto costs = arguments.given("--cost")) {
        auto cost = cost_matrix(*costs, model.classes());
        if (!cost) return cost.error();
        options.rule.cost = std::move(*cost);
    }
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

Result<void> run(const Arguments& arguments, const Context& context) {
    const auto given = model_and_data(arguments, true);
    if (!given) return given.error();
    const auto options = options_of(arguments, given->model);
    if (!options) return options.error();
    auto output = Output::open(arguments.text("--output"));
    if (!output) return output.error();
    const auto notes = predict(
        given->model, given->data, *options, [&](std::string_view lines) { return output->write(lines); }, context);
    end_progress();
    if (!notes) return notes.error();
    say_notes(*notes);
    return output->finish();
}

}  // namespace

const Verb predict_verb{"predict",
                        "MODEL DATA... [--proba] [-o FILE]",
                        "Predicts the class of each row. CSV comes out, one line per row in the same order, with the "
                        "header prediction.\nColumns are matched by name, in any order; others are ignored.",
                        "  suffice predict churn.suf new.csv --proba\n"
                        "  suffice predict churn.suf new.csv --keep id --top 2 -o answers.csv\n"
                        "  suffice predict fraud.suf today.csv --cost costs.csv --reject 0.6\n"
                        "  head -100 new.csv | suffice predict churn.suf - --prior uniform\n",
                        {own_options, reading_options, running_options, {}},
                        run};

}  // namespace suffice::cli
