// suffice density: how dense rows lie, by a model without classes.
#include "suffice/flow/density.hpp"

#include <algorithm>

#include "cli/options.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "cli/row_output.hpp"

#include "suffice/family/handle.hpp"
#include "suffice/report/density_report.hpp"

namespace suffice::cli {
namespace {

constexpr std::array own_options{
    OptionSpec{"--model", "M", "kernel_density (default), histogram, nearest, a model of fit such as qda, or a family"},
    OptionSpec{"--at", "FILE", "the rows whose density is wanted (default: those of DATA)"},
    OptionSpec{"--bandwidth", "H",
               "of kernels: scott (default), silverman, cv, sheather_jones or a number in the columns' units"},
    OptionSpec{"--kernel", "K", "gaussian (default), tophat, epanechnikov, exponential, linear or cosine"},
    OptionSpec{"--neighbors", "N", "of nearest (default: the square root of the rows)"},
    OptionSpec{"--bins", "N", "of histogram, or blocks: Bayesian blocks (default: by Freedman and Diaconis)"},
    OptionSpec{"--column-prior", "LIST", "of a family: conjugate priors, such as \"x=beta(2,5)\""},
    OptionSpec{"--family", "LIST", "of naive_bayes: families of columns, such as \"visits=poisson\""},
    OptionSpec{"--exclude", "COLUMNS", "columns to leave out"},
    OptionSpec{"--weight", "COLUMN", "how much each row counts"},
    OptionSpec{"--json", "", "for programs: a record for each row, or what was estimated of a family"},
    OptionSpec{"--output", "FILE", "where it goes (default: standard output)", 'o'},
};

bool is_family(const std::string& name) {
    const auto known = family_names();
    return std::ranges::find(known, name) != known.end();
}

Result<void> write_family(const Arguments& arguments, const FitOptions& options, const std::string& family,
                          const Context& context) {
    const auto fits = fit_family(arguments.files(), family, options, context);
    end_progress();
    if (!fits) return fits.error();
    auto output = Output::open(arguments.text("--output"));
    if (!output) return output.error();
    const auto text = arguments.has("--json") ? family_json(*fits) : family_text(*fits);
    if (auto written = output->write(text); !written) return written;
    return output->finish();
}

Result<void> run(const Arguments& arguments, const Context& context) {
    if (arguments.files().empty()) return Error(ErrorKind::usage, "name the data (- is standard input)");
    FitOptions options;
    const auto read = read_options(arguments);
    if (!read) return read.error();
    options.read = *read;
    options.weight = arguments.text("--weight");
    if (const auto exclude = arguments.given("--exclude")) options.exclude = {*exclude};
    if (auto families = read_families(arguments, options); !families) return families;
    if (auto points = read_points(arguments, options); !points) return points;
    if (auto priors = read_column_priors(arguments, options); !priors) return priors;
    const std::string name = arguments.text("--model", "kernel_density");
    if (is_family(name) && !arguments.has("--at")) return write_family(arguments, options, name, context);
    const auto model = canonical_model(is_family(name) ? name + "_nb" : name == "histogram" ? "histogram_nb" : name);
    if (!model && is_family(name))
        return Error(ErrorKind::usage, "for densities under the family " + name +
                                           " use --model naive_bayes --family \"COLUMN=" + name + "\"");
    if (!model) return model.error();
    options.model = *model;
    auto output = Output::open(arguments.text("--output"));
    if (!output) return output.error();
    std::vector<std::string> at;
    if (const auto file = arguments.given("--at")) at.push_back(*file);
    RowOutput rows(*output, arguments.has("--json"));
    const auto notes = write_densities(
        arguments.files(), options, at, [&](std::string_view lines) { return rows.write(lines); }, context);
    end_progress();
    if (!notes) return notes.error();
    if (auto written = rows.finish(); !written) return written;
    say_notes(*notes);
    return {};
}

}  // namespace

const Verb density_verb{"density",
                        "DATA... [--at FILE] [--model M] [-o FILE]",
                        "Estimates a density from rows without classes. CSV comes out, one line per row, with the "
                        "header log_density.\nWith a family as --model and no --at: its parameters for each column, by "
                        "likelihood and under a conjugate prior.",
                        "  suffice density faithful.csv --bandwidth cv -o log_density.csv\n"
                        "  suffice density normal.csv --at today.csv --model nearest --neighbors 20\n"
                        "  suffice density visits.csv --model poisson --column-prior \"visits=gamma(2,1)\"\n",
                        {own_options, reading_options, running_options, {}},
                        run};

}  // namespace suffice::cli
