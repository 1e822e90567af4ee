// suffice cluster: rows into groups that nobody has named.
#include "suffice/flow/cluster.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

#include "cli/online_options.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "cli/row_output.hpp"
#include "cli/spelling.hpp"

#include "suffice/report/group_trace.hpp"
#include "suffice/report/json_text.hpp"
#include "suffice/report/number_text.hpp"
#include "suffice/report/text_table.hpp"
#include "suffice/report/trace_figures.hpp"

namespace suffice::cli {
namespace {

constexpr std::array cluster_options{
    OptionSpec{"--k", "K", "how many groups; A-B or A..B: as many as BIC likes best between A and B", 'k'},
    OptionSpec{"--model", "M",
               "gaussian_mixture (default; gmm), k_means, variational_mixture, or mixture: of families"},
    OptionSpec{
        "--covariance", "C",
        "of Gaussians: full (default), tied, diagonal, spherical, mclust's EII VII EEI VEI EVI VVI EEE VEE EVE VVE "
        "EEV VEV EVV VVV, or any: the best of these by BIC"},
    OptionSpec{"--distance", "D", "of k_means: squared (default), manhattan, cosine, or medoids: euclidean, chebyshev"},
    OptionSpec{"--hard", "", "classification EM: each row counts for its most probable group alone"},
    OptionSpec{
        "--estimate", "E",
        "likelihood (default), or map: of gaussian_mixture with a Normal-Wishart prior, of mixture with pseudo-counts"},
    OptionSpec{"--smoothing", "X",
               "of mixture with --estimate map: pseudo-count of categories, flags and counts (default 1)"},
    OptionSpec{
        "--prior", "LIST",
        "of --estimate map: strength of the prior, such as \"mean_weight=0.01,degrees=10\" in rows; its mean and "
        "scatter are the data's"},
    OptionSpec{"--starts", "N", "starts tried; the best counts (default 10; 1 for mixtures of more than 20,000 rows)"},
    OptionSpec{"--start", "FILE", "start from the groups that FILE has for the rows, as cluster writes them"},
    OptionSpec{"--trace", "",
               "tell every step: what it came to, and the groups' parameters; in JSON their covariances too"},
    OptionSpec{"--trace-picture", "FILE", "the same steps drawn as SVG"},
    OptionSpec{"--steps", "N", "at most so many steps; a warning tells when they were not enough"},
    OptionSpec{"--tolerance", "T", "the change that ends the steps"},
    OptionSpec{"--online", "", "of mixtures: read the data once, in batches, and group the rows as they come"},
    OptionSpec{"--decay", "F", "of --online: what earlier batches count for when a new one comes; 1 forgets nothing"},
    OptionSpec{"--batch", "N", "of --online: rows of each step (default 4096)"},
    OptionSpec{"--save", "MODEL", "of mixtures and k_means: where the model goes, for predict, export and sample"},
    OptionSpec{"--exclude", "COLUMNS", "columns to leave out"},
    OptionSpec{"--family", "LIST", "of mixture: families of columns, such as \"visits=poisson\""},
    OptionSpec{"--weight", "COLUMN", "how much each row counts"},
    weight_kind_option,
    OptionSpec{"--proba", "", "add p(GROUP) of every group"},
    OptionSpec{"--json", "", "for programs: the summary, and without -o a record for each row in `rows`"},
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

// Of a mixture of families under a posterior's mode.
Result<void> read_smoothing(const Arguments& arguments, bool by_map, ClusterOptions& options) {
    if (arguments.has("--smoothing") && !by_map) return Error(ErrorKind::usage, "--smoothing is for --estimate map");
    if (options.model != "mixture" || !by_map) return {};
    Settings& settings = options.fit.settings;
    settings.estimate = Estimate::map;
    const auto smoothing = arguments.number("--smoothing", settings.smoothing);
    if (!smoothing) return smoothing.error();
    if (!(*smoothing >= 0)) return Error(ErrorKind::usage, "--smoothing takes a number from zero");
    settings.smoothing = *smoothing;
    return {};
}

// Which options go with the model and with each other.
Result<void> check_search(const Arguments& arguments, const std::string& model) {
    const bool gaussian = model == "gaussian_mixture";
    const bool by_em = gaussian || model == "mixture", variational = model == "variational_mixture";
    for (const auto& checked :
         {refuse(arguments, "--covariance", gaussian || variational, "gaussian_mixture and variational_mixture"),
          refuse(arguments, "--distance", model == "k_means", "k_means"),
          refuse(arguments, "--hard", by_em, "gaussian_mixture and mixture"),
          refuse(arguments, "--online", by_em, "gaussian_mixture and mixture"),
          refuse(arguments, "--start", !variational && !arguments.has("--distance"),
                 "gaussian_mixture, mixture and k_means with squared distances"),
          refuse(arguments, "--starts", !variational, "gaussian_mixture, mixture and k_means"),
          refuse(arguments, "--save", by_em || model == "k_means", "gaussian_mixture, mixture and k_means"),
          refuse(arguments, "--estimate", by_em, "gaussian_mixture and mixture"),
          refuse(arguments, "--smoothing", model == "mixture", "mixture")})
        if (!checked) return checked;
    for (const char* option : {"--decay", "--batch"})
        if (arguments.has(option) && !arguments.has("--online"))
            return Error(ErrorKind::usage, std::string(option) + " is for --online");
    if (arguments.has("--starts") && arguments.has("--start"))
        return Error(ErrorKind::usage, "--start is the one start there is, so --starts says nothing");
    return {};
}

// How groups are looked for.
Result<void> read_search(const Arguments& arguments, ClusterOptions& options) {
    if (auto checked = check_search(arguments, options.model); !checked) return checked;
    if (arguments.has("--online")) {
        for (const char* option : {"--trace", "--trace-picture"})
            if (arguments.has(option))
                return Error(ErrorKind::usage,
                             std::string(option) + " tells the steps over all rows, and --online sees each row once");
        auto steps = online_steps(arguments);
        if (!steps) return steps.error();
        options.online = *steps;
    }
    const auto shape = arguments.choice("--covariance", enum_names<ComponentShape>);
    if (!shape) return shape.error();
    if (*shape >= 0) options.shapes = {static_cast<ComponentShape>(*shape)};
    constexpr auto& own = enum_names<ClusterDistance>;
    constexpr std::array<std::string_view, 5> distances{own[0], own[1], own[2], own[3], "squared"};
    const auto distance = arguments.choice("--distance", distances);
    if (!distance) return distance.error();
    if (*distance >= 0 && *distance < 4) options.distance = static_cast<ClusterDistance>(*distance);
    constexpr std::array<std::string_view, 2> estimates{"likelihood", "map"};
    const auto estimate = arguments.choice("--estimate", estimates);
    if (!estimate) return estimate.error();
    options.with_prior = *estimate == 1 && options.model == "gaussian_mixture";
    if (auto read = read_smoothing(arguments, *estimate == 1, options); !read) return read;
    if (auto read = read_prior(arguments, options); !read) return read;
    if (arguments.has("--save") && options.distance)
        return Error(ErrorKind::usage, "--save keeps the nearest centre by squared distance; leave --distance out");
    options.hard = arguments.has("--hard");
    options.follow = arguments.has("--trace");
    options.saved = arguments.has("--save");
    if (arguments.has("--start")) {
        auto start = read_start(arguments.text("--start"));
        if (!start) return start.error();
        options.start = std::move(*start);
    }
    const auto starts = arguments.whole("--starts", 0), steps = arguments.whole("--steps", 0);
    if (!starts) return starts.error();
    if (arguments.has("--starts") && *starts == 0)
        return Error(ErrorKind::usage, "the number of starts must be at least 1");
    if (!steps) return steps.error();
    options.starts = *starts;
    options.step_limit = *steps;
    if (!arguments.has("--tolerance")) return {};
    const auto tolerance = arguments.number("--tolerance", 0);
    if (!tolerance) return tolerance.error();
    options.tolerance = *tolerance;
    return {};
}

Result<ClusterOptions> cluster_options_of(const Arguments& arguments) {
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
    const auto kind = weight_kind(arguments);
    if (!kind) return kind.error();
    options.fit.weight_kind = *kind;
    if (const auto exclude = arguments.given("--exclude")) options.fit.exclude = {*exclude};
    if (auto families = read_families(arguments, options.fit); !families) return families.error();
    return options;
}

// What BIC chose from, best first.
std::string candidates_text(std::vector<MixtureCandidate> all) {
    const auto rank = [](const MixtureCandidate& each) {
        const bool none = std::isnan(each.bic);
        return std::tuple(none, each.degenerate, none ? 0 : each.bic);
    };
    std::ranges::stable_sort(all, {}, rank);
    TextTable table({TextTable::Side::left, TextTable::Side::left, TextTable::Side::right, TextTable::Side::right});
    table.row({"groups", "covariance", "log-likelihood", "BIC"});
    for (const MixtureCandidate& each : all)
        table.row({std::to_string(each.components), std::string(name_of(each.shape)),
                   std::isnan(each.bic) ? "-" : short_number(each.log_likelihood, 8),
                   std::isnan(each.bic) ? "-"
                   : each.degenerate    ? "degenerate"
                                        : short_number(each.bic, 8)});
    return "\n" + table.text();
}

std::string found_summary(const Clustered& found) {
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

GroupTrace trace_of(const Clustered& found) {
    return {found.has_likelihood ? "log_likelihood" : "objective",
            found.objective_name,
            found.path,
            found.first_step,
            found.followed,
            found.schema};
}

// Fields of a record that is open already.
void add_summary(JsonText& json, const Clustered& found, bool trace) {
    const double none = std::numeric_limits<double>::quiet_NaN();
    json.whole("k", found.groups);
    if (found.covariance.empty())
        json.number("covariance", none);
    else
        json.text("covariance", found.covariance);
    json.number("log_likelihood", found.has_likelihood ? found.objective : none);
    json.number("bic", found.has_likelihood ? found.bic : none);
    json.number("aic", found.has_likelihood ? found.aic : none);
    json.number("icl", found.has_likelihood ? found.icl : none);
    if (!found.has_likelihood) json.number("objective", found.objective);
    json.whole("steps", found.steps);
    json.numbers("sizes", found.weight);
    json.open_list("notes", found.notes.size());
    for (const auto& sentence : told(found.notes, spell_option)) json.text({}, sentence);
    json.close();
    if (found.candidates.size() > 1) {
        json.open_list("candidates", found.candidates.size());
        for (const MixtureCandidate& each : found.candidates) {
            json.open_record();
            json.whole("k", each.components);
            json.text("covariance", name_of(each.shape));
            json.number("log_likelihood", each.log_likelihood);
            json.number("bic", each.degenerate ? none : each.bic);
            json.close();
        }
        json.close();
    }
    if (trace) write_group_trace(json, trace_of(found));
}

// The summary behind the rows, which stand first because they come first.
Result<void> finish_json(RowOutput& rows, const Clustered& found, bool with_rows, bool trace) {
    JsonText json;
    json.open_record();
    add_summary(json, found, trace);
    json.close();
    if (!with_rows) {
        if (auto written = rows.finish(); !written) return written;
        return print(json.take());
    }
    return rows.finish(", " + json.take().substr(1));
}

Result<void> run_cluster(const Arguments& arguments, const Context& context) {
    const auto options = cluster_options_of(arguments);
    if (!options) return options.error();
    if (arguments.files().empty()) return Error(ErrorKind::usage, "name the data to cluster (- is standard input)");
    const std::string model = arguments.text("--save"), path = arguments.text("--output");
    if (!model.empty())
        if (auto checked = check_model_output(model); !checked) return checked;
    auto output = Output::open(path);
    if (!output) return output.error();
    const bool as_json = arguments.has("--json"), with_rows = as_json && (path.empty() || path == "-");
    RowOutput rows(*output, with_rows);
    bool begun = !with_rows;
    const auto found = cluster(
        arguments.files(), *options,
        [&](std::string_view lines) -> Result<void> {
            if (!std::exchange(begun, true))
                if (auto written = output->write("{\"rows\": "); !written) return written;
            return rows.write(lines);
        },
        context);
    end_progress();
    if (!found) return found.error();
    if (as_json) {
        if (auto written = finish_json(rows, *found, with_rows, arguments.has("--trace")); !written) return written;
    } else {
        if (auto written = rows.finish(); !written) return written;
        if (arguments.has("--trace")) say(group_trace_text(trace_of(*found)) + "\n");
        say_notes(found->notes);
        if (!arguments.has("--quiet")) say(found_summary(*found));
    }
    if (const auto picture = arguments.given("--trace-picture"))
        if (auto drawn = write_picture(objective_figure(found->objective_name, found->path), *picture); !drawn)
            return drawn;
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
    "probable;\nwithout --decay the t-th batch counts for a share t^-0.7.\n"
    "AIC and BIC are -2 log-likelihood plus 2, or log(rows), for each parameter; ICL is BIC less twice the sum over "
    "rows of\nlog p(own group), so that groups which overlap cost. Smaller is better. A group whose covariance rests "
    "on a floor\nis noted, and no choice by BIC takes one.",
    "  suffice cluster customers.csv --k 5 --exclude id -o groups.csv\n"
    "  suffice cluster customers.csv --k 1-9 --covariance diagonal --proba\n"
    "  suffice cluster points.csv --k 15 --model k_means --seed 1\n"
    "  suffice cluster customers.csv --k 1..9 --covariance any\n"
    "  suffice cluster documents.csv --k 8 --model k_means --distance cosine\n"
    "  zcat sensors.csv.gz | suffice cluster - --k 3 --online --decay 0.95 --save sensors.suf\n",
    {cluster_options, reading_options, running_options, {}},
    run_cluster};

}  // namespace suffice::cli
