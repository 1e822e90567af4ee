// suffice inspect: what a model has learned.
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "cli/spelling.hpp"

#include "suffice/flow/likelihood_ratios.hpp"
#include "suffice/report/model_report.hpp"

namespace suffice::cli {
namespace {

constexpr std::array inspect_options{
    OptionSpec{"--json", "", "for programs: everything"},
    OptionSpec{"--class", "CLASS", "only this class"},
    OptionSpec{"--versus", "CLASS", "what tells --class from this one"},
    OptionSpec{"--top", "N", "show N columns and terms (default 20)"},
    OptionSpec{"--bayes-error", "N", "the error of the best rule if the model is true, from N rows drawn of it"},
    OptionSpec{"--seed", "S", "of these rows"},
    OptionSpec{"--profile", "", "of a regression, with its data behind it: intervals of the profile likelihood"},
    OptionSpec{"--tests", "", "the same: a likelihood-ratio test of each term"},
    OptionSpec{"--coverage", "P", "of the profile intervals (default 0.95)"},
    OptionSpec{"--weight", "COLUMN", "of these data, as in fit"},
    weight_kind_option,
    OptionSpec{"--output", "FILE", "where it goes (default: standard output)", 'o'},
};

Result<LikelihoodRatios> ratios_asked_for(const Arguments& arguments, const ModelAndData& given,
                                          const Context& context) {
    AskedRatios asked{arguments.has("--profile"), arguments.has("--tests")};
    const auto coverage = arguments.number("--coverage", asked.coverage);
    if (!coverage) return coverage.error();
    asked.coverage = *coverage;
    const auto options = apply_options(arguments);
    if (!options) return options.error();
    auto told = likelihood_ratios(given.model, given.data, *options, asked, context);
    end_progress();
    return told;
}

Result<void> run_inspect(const Arguments& arguments, const Context& context) {
    const bool asks_data = arguments.has("--profile") || arguments.has("--tests");
    if (asks_data && arguments.files().size() == 1)
        return Error(ErrorKind::usage, "likelihood ratios go over the rows again: name the data that " +
                                           arguments.files()[0] + " was fitted to behind it");
    const auto given = model_and_data(arguments, asks_data);
    if (!given) return given.error();
    InspectView view;
    view.spell = spell_option;
    if (arguments.has("--versus") && !arguments.has("--class"))
        return Error(ErrorKind::usage, "--versus needs --class beside it");
    if (const auto name = arguments.given("--class")) {
        const auto code = class_named(given->model, *name);
        if (!code) return code.error();
        view.of_class = *code;
    }
    if (const auto name = arguments.given("--versus")) {
        const auto code = class_named(given->model, *name);
        if (!code) return code.error();
        view.versus = *code;
    }
    const auto top = arguments.whole("--top", view.top);
    if (!top) return top.error();
    view.top = *top;
    const auto& classifier = given->model.predictor();
    if (arguments.has("--bayes-error")) {
        if (given->model.as<LogisticRegression>() != nullptr)
            return Error(ErrorKind::usage, "logistic regression has no densities to draw rows from");
        const auto rows = arguments.whole("--bayes-error", 0);
        if (!rows) return rows.error();
        const auto seed = arguments.whole("--seed", 0);
        if (!seed) return seed.error();
        Rng rng(*seed, "bayes_error");
        const auto error = simulate_bayes_error(classifier, *rows, rng);
        if (!error) return error.error();
        view.bayes_error = *error;
    }
    if (asks_data) {
        auto ratios = ratios_asked_for(arguments, *given, context);
        if (!ratios) return ratios.error();
        view.ratios = std::move(*ratios);
    }
    auto output = Output::open(arguments.text("--output"));
    if (!output) return output.error();
    const auto write = arguments.has("--json") ? model_json : model_text;
    if (auto written = output->write(write(classifier, given->model.seen(), view)); !written) return written;
    return output->finish();
}

}  // namespace

const Verb inspect_verb{"inspect",
                        "MODEL [DATA... --profile --tests] [--json] [--class A --versus B]",
                        "Shows what a model has learned: parameters by class, weights, likelihood, which rows it saw.",
                        "  suffice inspect churn.suf\n"
                        "  suffice inspect churn.suf --class yes --versus no --top 10\n"
                        "  suffice inspect churn.suf --json | jq .bic\n"
                        "  suffice inspect churn.suf churn.csv --profile --tests\n",
                        {inspect_options, reading_options, running_options, {}},
                        run_inspect};

}  // namespace suffice::cli
