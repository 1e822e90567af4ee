// suffice learn-curve: how models do as the rows they learn from grow in number.
#include "suffice/flow/learn_curve.hpp"

#include <charconv>

#include "cli/options.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"

#include "suffice/base/split_list.hpp"

namespace suffice::cli {
namespace {

constexpr std::array learn_curve_options{
    OptionSpec{"--target", "COLUMN", "of data: the column that holds the classes"},
    OptionSpec{"--models", "LIST", "which are compared (default lda,logistic)"},
    OptionSpec{"--sizes", "LIST", "rows to learn from, such as 10,100,1000 (default: doubling)"},
    OptionSpec{"--repeats", "N", "draws of each size (default 20)"},
    OptionSpec{"--test-rows", "N", "of a model: rows drawn to judge on (default 10000)"},
    OptionSpec{"--seed", "S", "another seed, other draws (default 0)"},
    OptionSpec{"--family", "LIST", "families of columns, such as \"visits=poisson,zip=categorical\""},
    OptionSpec{"--exclude", "COLUMNS", "columns of data to leave out"},
    OptionSpec{"--picture", "FILE", "the curves as SVG"},
    OptionSpec{"--json", "", "for programs"},
    OptionSpec{"--output", "FILE", "where the table goes (default: standard output)", 'o'},
};

Result<std::vector<std::size_t>> read_sizes(const std::string& text) {
    std::vector<std::size_t> sizes;
    for (const std::string& each : split_list(text)) {
        std::size_t size = 0;
        const auto read = std::from_chars(each.data(), each.data() + each.size(), size);
        if (read.ec != std::errc{} || read.ptr != each.data() + each.size() || size == 0)
            return Error(ErrorKind::usage, "--sizes takes whole numbers such as 10,100,1000, and not \"" + each + "\"");
        sizes.push_back(size);
    }
    return sizes;
}

Result<LearnCurveOptions> curve_options(const Arguments& arguments) {
    LearnCurveOptions how;
    if (const auto models = arguments.given("--models")) how.models = split_list(*models);
    if (const auto given = arguments.given("--sizes")) {
        auto sizes = read_sizes(*given);
        if (!sizes) return sizes.error();
        how.sizes = std::move(*sizes);
    }
    const auto repeats = arguments.whole("--repeats", how.repeats),
               test = arguments.whole("--test-rows", how.test_rows);
    if (!repeats) return repeats.error();
    if (!test) return test.error();
    how.repeats = *repeats;
    how.test_rows = *test;
    return how;
}

Result<LearnCurve> curve_asked(const Arguments& arguments, const LearnCurveOptions& how, const Context& context) {
    auto options = fit_options(arguments, learn_curve_verb);
    if (!options) return options.error();
    const auto& files = arguments.files();
    if (files.empty()) return Error(ErrorKind::usage, "name a model to draw rows from, or data");
    options->target = arguments.text("--target");
    if (options->target.empty()) {
        if (files.size() > 1) return Error(ErrorKind::usage, "rows are drawn from one model; data need --target");
        const auto model = load_model(files[0]);
        if (!model) return model.error();
        return learn_curve(*model, *options, how, context);
    }
    const auto read = read_options(arguments);
    if (!read) return read.error();
    options->read = *read;
    if (const auto exclude = arguments.given("--exclude")) options->exclude = {*exclude};
    return learn_curve(files, *options, how, context);
}

Result<void> run_learn_curve(const Arguments& arguments, const Context& context) {
    const auto how = curve_options(arguments);
    if (!how) return how.error();
    const auto seed = arguments.whole("--seed", 0);
    if (!seed) return seed.error();
    Context seeded = context;
    seeded.seed = *seed;
    auto output = Output::open(arguments.text("--output"));
    if (!output) return output.error();
    const auto curve = curve_asked(arguments, *how, seeded);
    end_progress();
    if (!curve) return curve.error();
    if (const auto path = arguments.given("--picture"))
        if (auto drawn = write_picture(learn_curve_figure(*curve), *path); !drawn) return drawn;
    const auto text = arguments.has("--json") ? learn_curve_json(*curve) : learn_curve_text(*curve);
    if (auto written = output->write(text); !written) return written;
    return output->finish();
}

}  // namespace

const Verb learn_curve_verb{
    "learn-curve",
    "MODEL | DATA... --target COLUMN [--models LIST] [--picture x.svg]",
    "Fits models to more and more rows and tells how they do on others. Rows are drawn from a model, stated or "
    "fitted, whose Bayes error is then known, and squared bias and variance of the posteriors with it; or they are "
    "dealt out of data, and the rest judges.",
    "  suffice fit --given truth.json -o truth.suf && suffice learn-curve truth.suf --picture curve.svg\n"
    "  suffice learn-curve sales.csv --target churned --models nb,logistic --sizes 20,50,100,200\n"
    "  suffice learn-curve truth.suf --models lda,qda --repeats 100 --json\n",
    {learn_curve_options, {}, reading_options, running_options},
    run_learn_curve,
    [](const Setting& setting) { return setting.name != "priors"; }};

}  // namespace suffice::cli
