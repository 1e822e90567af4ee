// suffice evaluate: how good a model is on rows whose class is known.
#include "suffice/flow/evaluate.hpp"

#include <algorithm>

#include "cli/decision_options.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"

#include "suffice/flow/judge.hpp"
#include "suffice/report/evaluation_report.hpp"

namespace suffice::cli {
namespace {

constexpr std::array evaluate_options{
    OptionSpec{"--json", "", "for programs"},
    OptionSpec{"--positive", "CLASS", "true and false positives, F1 and F2, and the lift of this class"},
    OptionSpec{"--threshold", "GOAL",
               "the posterior from which a class is to be called: yes:precision=0.9, yes:recall=0.8 or "
               "yes:cost=50 (missing it costs 50 false alarms)"},
    OptionSpec{"--bootstrap", "N", "95 % intervals from N resamples"},
    OptionSpec{"--versus", "MODEL", "another model beside this one: McNemar's test and the difference of log losses"},
    OptionSpec{"--seed", "S", "of the bootstrap"},
    OptionSpec{"--weight", "COLUMN", "how much each row counts"},
    weight_kind_option,
    OptionSpec{"--output", "FILE", "where it goes (default: standard output)", 'o'},
};

constexpr std::array further_options{"--positive", "--cost",      "--reject",    "--prior", "--thresholds",
                                     "--novelty",  "--threshold", "--bootstrap", "--versus"};

Result<Judgement> judge_further(const Arguments& arguments, const ModelAndData& given, const ApplyOptions& apply,
                                const Context& context) {
    JudgeOptions options;
    options.apply = apply;
    auto rule = decision_rule(arguments, given.model, apply, context);
    if (!rule) return rule.error();
    options.rule = std::move(*rule);
    if (const auto prior = arguments.given("--prior")) {
        auto choice = prior_choice(*prior);
        if (!choice) return choice.error();
        options.priors = std::move(*choice);
    }
    if (const auto name = arguments.given("--positive")) {
        const auto code = class_named(given.model, *name);
        if (!code) return code.error();
        options.positive = *code;
    }
    std::string goal_words;
    if (const auto text = arguments.given("--threshold")) {
        const auto goal = threshold_goal("--threshold", *text, given.model);
        if (!goal) return goal.error();
        options.goal = *goal;
        goal_words = *text;
    }
    const auto replicates = arguments.whole("--bootstrap", 0);
    if (!replicates) return replicates.error();
    options.replicates = *replicates;
    std::optional<Model> other;
    if (const auto path = arguments.given("--versus")) {
        auto loaded = load_model(*path);
        if (!loaded) return loaded.error();
        other = std::move(*loaded);
        options.versus = &*other;
        options.versus_name = *path;
    }
    auto judged = judge(given.model, given.data, options, context);
    if (judged) judged->threshold_goal = goal_words;
    return judged;
}

Result<void> run_evaluate(const Arguments& arguments, const Context& context) {
    const auto given = model_and_data(arguments, true);
    if (!given) return given.error();
    const auto options = apply_options(arguments);
    if (!options) return options.error();
    auto output = Output::open(arguments.text("--output"));
    if (!output) return output.error();
    const auto done = evaluate(given->model, given->data, *options, context);
    end_progress();
    if (!done) return done.error();
    say_notes(done->notes);
    std::optional<Judgement> further;
    if (!given->model.decision().thresholds.empty() ||
        std::ranges::any_of(further_options, [&](const char* name) { return arguments.has(name); })) {
        auto judged = judge_further(arguments, *given, *options, context);
        end_progress();
        if (!judged) return judged.error();
        further = std::move(*judged);
    }
    const auto write = arguments.has("--json") ? evaluation_json : evaluation_text;
    const Judgement* told = further ? &*further : nullptr;
    if (auto written = output->write(write(done->scores, given->model.classes(), done->text, told)); !written)
        return written;
    return output->finish();
}

}  // namespace

const Verb evaluate_verb{"evaluate",
                         "MODEL DATA... [--json]",
                         "Measures a model on rows whose class is known. The majority class stands beside the model.",
                         "  suffice evaluate churn.suf test.csv\n"
                         "  suffice evaluate churn.suf test.csv --json | jq .accuracy\n"
                         "  suffice evaluate churn.suf test.csv --positive yes --cost \"yes:no=50\" --bootstrap 1000\n"
                         "  suffice evaluate lda.suf test.csv --versus qda.suf\n",
                         {evaluate_options, decision_options, reading_options, running_options},
                         run_evaluate};

}  // namespace suffice::cli
