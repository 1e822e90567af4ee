// suffice derive: another model from the same statistics.
#include "cli/output.hpp"
#include "cli/summary.hpp"

namespace suffice::cli {
namespace {

constexpr std::array derive_options{
    OptionSpec{"--output", "FILE", "where the model goes (default: standard output, if that is no terminal)", 'o'},
    OptionSpec{"--strip", "", "keep only what predicting needs; no merge, update, forget or derive then"},
    json_summary,
};

Result<void> run_derive(const Arguments& arguments, const Context&) {
    const std::string path = arguments.text("--output");
    if (auto checked = check_model_output(arguments, path); !checked) return checked;
    const Made made;
    const auto given = model_and_data(arguments, false);
    if (!given) return given.error();
    auto options = fit_options(arguments, derive_verb);
    if (!options) return options.error();
    if (!arguments.has("--model")) options->model = given->model.predictor().name();
    const auto derived = derive(given->model, *options);
    if (!derived) return derived.error();
    if (!arguments.has("--json")) say_notes(derived->notes());
    const auto saved = arguments.has("--strip") ? strip(*derived) : derived;
    if (!saved) return saved.error();
    if (auto written = write_model(*saved, path); !written) return written;
    return arguments.has("--json") ? print_summary(*derived, made, made.seconds()) : Result<void>();
}

}  // namespace

const Verb derive_verb{"derive",
                       "MODEL --model M [-o FILE]",
                       "Makes another model from what a model has kept of its data. The data are not needed.",
                       "  suffice derive lda.suf --model qda -o qda.suf\n"
                       "  suffice derive qda.suf --model lda --shrinkage 0.1 --prior uniform -o lda.suf\n",
                       {derive_options, model_option, running_options, {}},
                       run_derive,
                       [](const Setting& setting) { return setting.is_estimate(); }};

}  // namespace suffice::cli
