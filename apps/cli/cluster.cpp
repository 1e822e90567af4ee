// suffice cluster: rows into groups that nobody has named.
#include "suffice/flow/cluster.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "cli/online_options.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "cli/row_output.hpp"

#include "suffice/report/number_text.hpp"
#include "suffice/report/text_table.hpp"

namespace suffice::cli {
namespace {

constexpr std::array own_options{
    OptionSpec{"--k", "K", "how many groups; A-B or A..B: as many as BIC likes best between A and B", 'k'},
    OptionSpec{"--model", "M",
               "gaussian_mixture (default; gmm), k_means, variational_mixture, or mixture: of families"},
    OptionSpec{"--covariance", "C", "of Gaussians: full (default), tied, diagonal, spherical, or any: chosen by BIC"},
    OptionSpec{"--distance", "D", "of k_means: squared (default), manhattan, cosine, or medoids: euclidean, chebyshev"},
    OptionSpec{"--hard", "", "classification EM: each row counts for its most probable group alone"},
    OptionSpec{"--estimate", "E", "of gaussian_mixture: likelihood (default), or map: with a Normal-Wishart prior"},
    OptionSpec{
        "--prior", "LIST",
        "of --estimate map: strength of the prior, such as \"mean_weight=0.01,degrees=10\" in rows; its mean and "
        "scatter are the data's"},
    OptionSpec{"--starts", "N", "starts tried; the best counts"},
    OptionSpec{"--steps", "N", "at most so many steps; a warning tells when they were not enough"},
    OptionSpec{"--tolerance", "T", "the change that ends the steps"},
    OptionSpec{"--online", "", "of mixtures: read the data once, in batches, and group the rows as they come"},
    OptionSpec{"--decay", "F", "of --online: what earlier batches count for when a new one comes; 1 forgets nothing"},
    OptionSpec{"--batch", "N", "of --online: rows of each step (default 4096)"},
    OptionSpec{"--save", "MODEL", "of mixtures: where the model goes, for predict, update and sample"},
    OptionSpec{"--exclude", "COLUMNS", "columns to leave out"},
    OptionSpec{"--family", "LIST", "of mixture: families of columns, such as \"visits=poisson\""},
    OptionSpec{"--weight", "COLUMN", "how much each row counts"},
    OptionSpec{"--proba", "", "add p(GROUP) of every group"},
    OptionSpec{"--json", "", "for programs: a record for each row, with the same names"},
    OptionSpec{"--seed", "S", "of the random starts"},
    OptionSpec{"--quiet", "", "no summary", 'q'},
    OptionSpec{"--output", "FILE", "where the groups go (default: standard output)", 'o'},
};

Result<void> read_range(const std::string& text, ClusterOptions& options) {
    const auto number = [](std::string_view digits, std::size_t& into) {
        const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), into);
        return problem == std::errc{} && end == digits.data() + digits.size() && into > 0;
    };
    const auto dash = std::min(text.find('-'), text.find(".."));
    const std::string first = text.substr(0, dash);
    const std::string last = dash == std::string::npos ? first : text.substr(dash + (text[dash] == '.' ? 2 : 1));
    if (!number(first, options.least) || !number(last, options.most) || options.most < options.least)
        return Error(ErrorKind::usage, "--k takes a number from 1, or A-B, not \"" + text + "\"");
    return {};
}

Result<void> refuse(const Arguments& arguments, const char* option, bool fits, const char* models) {
    if (fits || !arguments.has(option)) return {};
    return Error(ErrorKind::usage, std::string(option) + " is for --model " + models);
}

Result<void> read_prior(const Arguments& arguments, ClusterOptions& options) {
    const std::string text = arguments.text("--prior");
    if (text.empty()) return {};
    if (!options.with_prior) return Error(ErrorKind::usage, "--prior is for --estimate map");
    const auto pieces = name_values("--prior", text);
    if (!pieces) return pieces.error();
    for (const auto& [name, value] : *pieces) {
        double number = 0;
        const auto [end, problem] = std::from_chars(value.data(), value.data() + value.size(), number);
        const bool good = problem == std::errc{} && end == value.data() + value.size() && number > 0;
        if (!good || (name != "mean_weight" && name != "degrees"))
            return Error(ErrorKind::usage, "--prior takes mean_weight=W and degrees=D, positive numbers, not \"" +
                                               name + "=" + value + "\"");
        (name == "degrees" ? options.prior_degrees : options.prior_mean_weight) = number;
    }
    return {};
}

// How groups are looked for.
Result<void> read_search(const Arguments& arguments, ClusterOptions& options) {
    const bool gaussian = options.model == "gaussian_mixture";
    const bool by_em = gaussian || options.model == "mixture", variational = options.model == "variational_mixture";
    for (const auto& checked :
         {refuse(arguments, "--covariance", gaussian || variational, "gaussian_mixture and variational_mixture"),
          refuse(arguments, "--distance", options.model == "k_means", "k_means"),
          refuse(arguments, "--hard", by_em, "gaussian_mixture and mixture"),
          refuse(arguments, "--online", by_em, "gaussian_mixture and mixture"),
          refuse(arguments, "--save", by_em, "gaussian_mixture and mixture"),
          refuse(arguments, "--estimate", gaussian, "gaussian_mixture")})
        if (!checked) return checked;
    for (const char* option : {"--decay", "--batch"})
        if (arguments.has(option) && !arguments.has("--online"))
            return Error(ErrorKind::usage, std::string(option) + " is for --online");
    if (arguments.has("--online")) {
        auto steps = online_steps(arguments);
        if (!steps) return steps.error();
        options.online = *steps;
    }
    constexpr std::array<std::string_view, 5> shapes{"full", "tied", "diagonal", "spherical", "any"};
    const auto shape = arguments.choice("--covariance", shapes);
    if (!shape) return shape.error();
    if (*shape == 4)
        options.shapes = {ComponentShape::full, ComponentShape::tied, ComponentShape::diagonal,
                          ComponentShape::spherical};
    else if (*shape >= 0)
        options.shapes = {static_cast<ComponentShape>(*shape)};
    constexpr std::array<std::string_view, 5> distances{"cosine", "manhattan", "euclidean", "chebyshev", "squared"};
    const auto distance = arguments.choice("--distance", distances);
    if (!distance) return distance.error();
    if (*distance >= 0 && *distance < 4) options.distance = static_cast<ClusterDistance>(*distance);
    constexpr std::array<std::string_view, 2> estimates{"likelihood", "map"};
    const auto estimate = arguments.choice("--estimate", estimates);
    if (!estimate) return estimate.error();
    options.with_prior = *estimate == 1;
    if (auto read = read_prior(arguments, options); !read) return read;
    options.hard = arguments.has("--hard");
    options.saved = arguments.has("--save");
    const auto starts = arguments.whole("--starts", 1), steps = arguments.whole("--steps", 0);
    if (!starts) return starts.error();
    if (!steps) return steps.error();
    options.starts = *starts;
    options.step_limit = *steps;
    if (!arguments.has("--tolerance")) return {};
    const auto tolerance = arguments.number("--tolerance", 0);
    if (!tolerance) return tolerance.error();
    options.tolerance = *tolerance;
    return {};
}

Result<ClusterOptions> options_of(const Arguments& arguments) {
    ClusterOptions options;
    if (!arguments.has("--k")) return Error(ErrorKind::usage, "say how many groups there are with --k");
    if (auto read = read_range(arguments.text("--k"), options); !read) return read.error();
    auto model = cluster_model(arguments.text("--model", options.model));
    if (!model) return model.error();
    options.model = std::move(*model);
    if (auto read = read_search(arguments, options); !read) return read.error();
    options.posteriors = arguments.has("--proba");
    const auto read = read_options(arguments);
    if (!read) return read.error();
    options.fit.read = *read;
    options.fit.weight = arguments.text("--weight");
    if (const auto exclude = arguments.given("--exclude")) options.fit.exclude = {*exclude};
    if (auto families = read_families(arguments, options.fit); !families) return families.error();
    return options;
}

// What BIC chose from, best first.
std::string candidates_text(std::vector<MixtureCandidate> all) {
    std::ranges::stable_sort(
        all, [](const auto& a, const auto& b) { return std::isnan(b.bic) ? !std::isnan(a.bic) : a.bic < b.bic; });
    TextTable table({TextTable::Side::left, TextTable::Side::left, TextTable::Side::right, TextTable::Side::right});
    table.row({"groups", "covariance", "log-likelihood", "BIC"});
    for (const MixtureCandidate& each : all)
        table.row({std::to_string(each.components),
                   std::string(component_shape_names[static_cast<std::size_t>(each.shape)]),
                   std::isnan(each.bic) ? "-" : short_number(each.log_likelihood, 8),
                   std::isnan(each.bic) ? "-" : short_number(each.bic, 8)});
    return "\n" + table.text();
}

std::string summary(const Clustered& found) {
    TextTable table({TextTable::Side::left, TextTable::Side::right});
    table.row({"group", "rows"});
    for (std::size_t k = 0; k < found.weight.size(); ++k) {
        const double weight = found.weight[k];
        table.row({std::to_string(k), weight == std::floor(weight) ? whole_number(weight) : short_number(weight, 6)});
    }
    std::string text = std::to_string(found.groups) + " groups after " + std::to_string(found.steps) + " steps, " +
                       found.objective_name + " " + short_number(found.objective, 8);
    if (found.has_likelihood)
        text += ", AIC " + short_number(found.aic, 8) + ", BIC " + short_number(found.bic, 8) + ", ICL " +
                short_number(found.icl, 8);
    text += "\n\n" + table.text();
    return found.candidates.size() > 1 ? text + candidates_text(found.candidates) : text;
}

Result<void> run(const Arguments& arguments, const Context& context) {
    const auto options = options_of(arguments);
    if (!options) return options.error();
    if (arguments.files().empty()) return Error(ErrorKind::usage, "name the data to cluster (- is standard input)");
    const std::string model = arguments.text("--save");
    if (!model.empty())
        if (auto checked = check_model_output(model); !checked) return checked;
    auto output = Output::open(arguments.text("--output"));
    if (!output) return output.error();
    RowOutput rows(*output, arguments.has("--json"));
    const auto found =
        cluster(arguments.files(), *options, [&](std::string_view lines) { return rows.write(lines); }, context);
    end_progress();
    if (!found) return found.error();
    if (auto written = rows.finish(); !written) return written;
    say_notes(found->notes);
    if (!arguments.has("--quiet")) say(summary(*found));
    return model.empty() ? Result<void>{} : write_model(*found->model, model);
}

}  // namespace

const Verb cluster_verb{
    "cluster",
    "DATA... --k K [--model M] [-o FILE]",
    "Puts rows into groups that nobody has named. CSV comes out, one line per row in the same "
    "order, with the header cluster.\nGroups are numbered from 0, the heaviest first.\n"
    "--distance holds all rows in memory; everything else reads the data again for each step.\n"
    "With --online the first batch is fitted, and each row is put into the group that the batches before make most "
    "probable;\nwithout --decay the t-th batch counts for a share t^-0.7.",
    "  suffice cluster customers.csv --k 5 --exclude id -o groups.csv\n"
    "  suffice cluster customers.csv --k 1-9 --covariance diagonal --proba\n"
    "  suffice cluster points.csv --k 15 --model k_means --seed 1\n"
    "  suffice cluster customers.csv --k 1..9 --covariance any\n"
    "  suffice cluster documents.csv --k 8 --model k_means --distance cosine\n"
    "  zcat sensors.csv.gz | suffice cluster - --k 3 --online --decay 0.95 --save sensors.suf\n",
    {own_options, reading_options, running_options, {}},
    run};

}  // namespace suffice::cli
