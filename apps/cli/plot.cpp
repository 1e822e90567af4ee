// suffice plot: one picture of a model or of an idea, as SVG.
#include "suffice/flow/plot.hpp"

#include "cli/options.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"

#include "suffice/flow/column_names.hpp"

namespace suffice::cli {
namespace {

constexpr std::array own_options{
    OptionSpec{
        "--what", "W",
        "boundary (default), density, posterior; with rows calibration, roc, confusion; without a model sigmoid, "
        "family, prior, simplex, em"},
    OptionSpec{"--columns", "A,B", "the two columns to be seen (default: discriminant coordinates, else chosen)"},
    OptionSpec{"--seed", "S", "another seed, other draws (default 0)"},
    OptionSpec{"--output", "FILE", "where the SVG goes (default: standard output)", 'o'},
};

Result<Plotted> plotted(const Arguments& arguments, const PlotOptions& options, const Context& context) {
    if (!needs_model(options.what)) return plot_lesson(arguments.files(), options, context);
    if (arguments.files().empty()) return Error(ErrorKind::usage, "name the model file");
    const auto model = load_model(arguments.files()[0]);
    if (!model) return model.error();
    return plot(*model, {arguments.files().begin() + 1, arguments.files().end()}, options, context);
}

Result<void> run(const Arguments& arguments, const Context& context) {
    PlotOptions options;
    const auto what = arguments.choice("--what", plot_names);
    if (!what) return what.error();
    if (*what >= 0) options.what = static_cast<Plot>(*what);
    auto apply = apply_options(arguments);
    if (!apply) return apply.error();
    options.apply = std::move(*apply);
    if (const auto columns = arguments.given("--columns")) options.columns = split_list(*columns);
    auto output = Output::open(arguments.text("--output"));
    if (!output) return output.error();
    const auto done = plotted(arguments, options, context);
    end_progress();
    if (!done) return done.error();
    say_notes(done->notes);
    if (auto written = output->write(standalone_svg(done->figure)); !written) return written;
    return output->finish();
}

}  // namespace

const Verb plot_verb{"plot",
                     "[MODEL] [DATA...] --what W [--columns A,B] -o x.svg",
                     "Draws one picture as SVG. Boundaries, densities and posteriors of a model in two columns, curves "
                     "of its evaluation, or teaching pictures that need no model.",
                     "  suffice plot churn.suf test.csv --what posterior --columns age,income -o posterior.svg\n"
                     "  suffice plot churn.suf test.csv --what roc -o roc.svg\n"
                     "  suffice plot --what simplex -o simplex.svg\n"
                     "  suffice plot faithful.csv --what em --columns eruptions,waiting -o em.svg\n",
                     {own_options, reading_options, running_options, {}},
                     run};

}  // namespace suffice::cli
