// suffice plot: one picture of a model or of an idea, as SVG.
#include "suffice/show/plot.hpp"

#include "cli/options.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"

#include "suffice/flow/column_names.hpp"

namespace suffice::cli {
namespace {

constexpr std::array plot_options{
    OptionSpec{
        "--what", "W",
        "boundary (default), density, posterior; with rows calibration, roc, confusion; without a model sigmoid, "
        "family, prior, simplex, em; with --model density, prior, posterior, simplex of the rows"},
    OptionSpec{"--model", "FAMILY", "no model file: a family of the rows, such as gamma; density takes several"},
    OptionSpec{"--prior", "P", "of a family: the conjugate prior, such as \"beta(2,5)\""},
    OptionSpec{"--credible", "MASS", "of a family: the interval that posterior marks (default 0.95)"},
    OptionSpec{"--columns", "A,B",
               "the two columns to be seen, or one (default: discriminant coordinates, else chosen)"},
    OptionSpec{"--json", "",
               "for programs: what a picture of a model or of its evaluation is drawn from, instead of the SVG"},
    OptionSpec{"--seed", "S", "another seed, other draws (default 0)"},
    OptionSpec{"--output", "FILE", "where the SVG goes (default: standard output)", 'o'},
};

Result<Plotted> plotted(const Arguments& arguments, const PlotOptions& options, const Context& context) {
    if (!needs_model(options.what) || options.of_family()) return plot_lesson(arguments.files(), options, context);
    if (arguments.files().empty()) return Error(ErrorKind::usage, "name the model file");
    const auto model = load_model(arguments.files()[0]);
    if (!model) return model.error();
    return plot(*model, {arguments.files().begin() + 1, arguments.files().end()}, options, context);
}

Result<void> read_family_options(const Arguments& arguments, PlotOptions& options) {
    if (const auto families = arguments.given("--model")) options.families = split_list(*families);
    options.prior = arguments.text("--prior");
    const auto mass = arguments.number("--credible", options.mass);
    if (!mass) return mass.error();
    if (!(*mass > 0 && *mass < 1)) return Error(ErrorKind::usage, "--credible takes a number between 0 and 1");
    options.mass = *mass;
    const bool drawn = options.what == Plot::density || options.what == Plot::family || options.what == Plot::prior ||
                       options.what == Plot::posterior || options.what == Plot::simplex;
    if (options.of_family() && !drawn)
        return Error(ErrorKind::usage, "with a family, --what is density, prior, posterior or simplex");
    return {};
}

Result<void> run_plot(const Arguments& arguments, const Context& context) {
    PlotOptions options;
    const auto what = arguments.choice("--what", plot_names);
    if (!what) return what.error();
    if (*what >= 0) options.what = static_cast<Plot>(*what);
    auto apply = apply_options(arguments);
    if (!apply) return apply.error();
    options.apply = std::move(*apply);
    if (const auto columns = arguments.given("--columns")) options.columns = split_list(*columns);
    if (auto read = read_family_options(arguments, options); !read) return read;
    auto output = Output::open(arguments.text("--output"));
    if (!output) return output.error();
    const auto done = plotted(arguments, options, context);
    end_progress();
    if (!done) return done.error();
    say_notes(done->notes);
    const bool json = arguments.has("--json");
    if (json && done->data.empty()) return Error(ErrorKind::usage, "this picture has no data to write as JSON");
    if (auto written = output->write(json ? done->data + "\n" : standalone_svg(done->figure)); !written) return written;
    return output->finish();
}

}  // namespace

const Verb plot_verb{"plot",
                     "[MODEL] [DATA...] --what W [--columns A,B] -o x.svg",
                     "Draws one picture as SVG. Boundaries, densities and posteriors of a model in two columns, or in "
                     "one: the densities of the classes above, the posterior below; curves of its evaluation, or "
                     "teaching pictures that need no model.",
                     "  suffice plot churn.suf test.csv --what posterior --columns age,income -o posterior.svg\n"
                     "  suffice plot churn.suf test.csv --what roc -o roc.svg\n"
                     "  suffice plot --what simplex -o simplex.svg\n"
                     "  suffice plot visits.csv --what density --model poisson,geometric -o visits.svg\n"
                     "  suffice plot coin.csv --what prior --prior \"beta(2,5)\" -o coin.svg\n"
                     "  suffice plot faithful.csv --what em --columns eruptions,waiting -o em.svg\n",
                     {plot_options, reading_options, running_options, {}},
                     run_plot};

}  // namespace suffice::cli
