// suffice update and suffice forget: rows into a model, and out of it again.
#include "suffice/flow/update.hpp"

#include <functional>

#include "cli/online_options.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "cli/summary.hpp"

#include "suffice/flow/learn_on.hpp"
#include "suffice/report/number_text.hpp"

namespace suffice::cli {
namespace {

constexpr std::array change_options{
    OptionSpec{"--weight", "COLUMN", "how much each row counts"},
    weight_kind_option,
    OptionSpec{"--output", "FILE", "where the model goes (default: in place of the old one)", 'o'},
    json_summary,
};

constexpr std::array update_options{
    change_options[0],
    change_options[1],
    change_options[2],
    change_options[3],
    OptionSpec{"--decay", "F",
               "what the rows before count for when new ones come, of mixtures batch by batch; 1 forgets nothing"},
    OptionSpec{"--batch", "N", "of mixtures: rows of each step (default 4096)"},
};

using Change =
    std::function<Result<Model>(const Model&, const std::vector<std::string>&, const ApplyOptions&, const Context&)>;

// `kept`: what the rows before count for, known once the change is made.
Result<void> run_change(const Arguments& arguments, const Context& context, const Change& change, std::string_view done,
                        const double& kept = 1) {
    const auto given = model_and_data(arguments, true);
    if (!given) return given.error();
    const std::string old = arguments.files()[0];
    const std::string path = arguments.text("--output", old);
    if (auto checked = check_model_output(arguments, path); !checked) return checked;
    Made made;
    const auto options = apply_options(arguments);
    if (!options) return options.error();
    const auto changed = change(given->model, given->data, *options, context);
    end_progress();
    if (!changed) return changed.error();
    if (!arguments.has("--json")) say_notes(changed->notes());
    if (auto written = write_model(*changed, path); !written) return written;
    const double before = given->model.seen().rows * kept, after = changed->seen().rows;
    if (arguments.has("--json")) {
        made.rows_before = before;
        return print_summary(*changed, made, made.seconds());
    }
    if (after == before && !as_sum(*changed)) {
        say("fitted to these rows from where the model stood\n");
        return {};
    }
    say(whole_number(after > before ? after - before : before - after) + " rows " + std::string(done) + ", " +
        whole_number(after) + " in the model now\n");
    return {};
}

Result<void> run_update(const Arguments& arguments, const Context& context) {
    const bool by_steps = arguments.has("--decay") || arguments.has("--batch");
    const auto steps = online_steps(arguments);
    if (!steps) return steps.error();
    double kept = 1;
    const Change add = [&](const Model& model, const std::vector<std::string>& files, const ApplyOptions& options,
                           const Context& running) -> Result<Model> {
        if (!by_steps) return update(model, files, options, running);
        if (arguments.has("--batch") || learns_by_steps(model)) return learn_on(model, files, options, *steps, running);
        kept = *steps->keep;
        const auto faded = decay(model, kept);
        return faded ? update(*faded, files, options, running) : faded;
    };
    return run_change(arguments, context, add, "added", kept);
}

Result<void> run_forget(const Arguments& arguments, const Context& context) {
    return run_change(arguments, context, forget, "taken out");
}

}  // namespace

const Verb update_verb{"update",
                       "MODEL DATA... [-o FILE]",
                       "Adds rows to a model, as if it had been fitted to them too. Without -o the file is replaced, "
                       "whole or not at all.\nA mixture (of cluster --save) takes a step of EM for each batch of rows.",
                       "  suffice update churn.suf march.csv\n"
                       "  suffice update groups.suf today.csv --decay 0.9\n",
                       {update_options, reading_options, running_options, {}},
                       run_update};

const Verb forget_verb{
    "forget",
    "MODEL DATA... [-o FILE]",
    "Takes rows out of a model, as if it had never seen them. Without -o the file is replaced, whole "
    "or not at all.",
    "  suffice forget churn.suf withdrawn.csv\n",
    {change_options, reading_options, running_options, {}},
    run_forget};

}  // namespace suffice::cli
