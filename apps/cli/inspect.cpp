// suffice inspect: what a model has learned.
#include "cli/options.hpp"
#include "cli/output.hpp"

#include "suffice/report/model_report.hpp"

namespace suffice::cli {
namespace {

constexpr std::array own_options{
    OptionSpec{"--json", "", "for programs: everything"},
    OptionSpec{"--class", "CLASS", "only this class"},
    OptionSpec{"--versus", "CLASS", "what tells --class from this one"},
    OptionSpec{"--top", "N", "show N columns and terms (default 20)"},
    OptionSpec{"--bayes-error", "N", "the error of the best rule if the model is true, from N rows drawn of it"},
    OptionSpec{"--seed", "S", "of these rows"},
    OptionSpec{"--output", "FILE", "where it goes (default: standard output)", 'o'},
};

Result<void> run(const Arguments& arguments, const Context&) {
    const auto given = model_and_data(arguments, false);
    if (!given) return given.error();
    InspectView view;
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
    auto output = Output::open(arguments.text("--output"));
    if (!output) return output.error();
    const auto write = arguments.has("--json") ? model_json : model_text;
    if (auto written = output->write(write(classifier, given->model.seen(), view)); !written) return written;
    return output->finish();
}

}  // namespace

const Verb inspect_verb{"inspect",
                        "MODEL [--json] [--class A --versus B]",
                        "Shows what a model has learned: parameters by class, weights, likelihood, which rows it saw.",
                        "  suffice inspect churn.suf\n"
                        "  suffice inspect churn.suf --class yes --versus no --top 10\n"
                        "  suffice inspect churn.suf --json | jq .bic\n",
                        {own_options, running_options, {}, {}},
                        run};

}  // namespace suffice::cli
