// suffice cluster: rows into groups that nobody has named.
#include "suffice/flow/cluster.hpp"

#include <charconv>

#include "cli/options.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"

#include "suffice/report/number_text.hpp"
#include "suffice/report/text_table.hpp"

namespace suffice::cli {
namespace {

constexpr std::array own_options{
    OptionSpec{"--k", "K", "how many groups; A-B: as many as BIC likes best between A and B"},
    OptionSpec{"--model", "M", "gaussian_mixture (default; gmm), k_means (kmeans), or mixture: a family per column"},
    OptionSpec{"--covariance", "C", "of gaussian_mixture: full (default), tied, diagonal or spherical"},
    OptionSpec{"--starts", "N", "starts tried; the best counts"},
    OptionSpec{"--exclude", "COLUMNS", "columns to leave out"},
    OptionSpec{"--family", "LIST", "of mixture: families of columns, such as \"visits=poisson\""},
    OptionSpec{"--weight", "COLUMN", "how much each row counts"},
    OptionSpec{"--proba", "", "add p(GROUP) of every group"},
    OptionSpec{"--seed", "S", "of the random starts"},
    OptionSpec{"--quiet", "", "no summary", 'q'},
    OptionSpec{"--output", "FILE", "where the groups go (default: standard output)", 'o'},
};

Result<void> read_range(const std::string& text, ClusterOptions& options) {
    const auto number = [](std::string_view digits, std::size_t& into) {
        const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), into);
        return problem == std::errc{} && end == digits.data() + digits.size() && into > 0;
    };
    const auto dash = text.find('-');
    const std::string first = text.substr(0, dash), last = dash == std::string::npos ? first : text.substr(dash + 1);
    if (!number(first, options.least) || !number(last, options.most) || options.most < options.least)
        return Error(ErrorKind::usage, "--k takes a number from 1, or A-B, not \"" + text + "\"");
    return {};
}

Result<ClusterOptions> options_of(const Arguments& arguments) {
    ClusterOptions options;
    if (!arguments.has("--k")) return Error(ErrorKind::usage, "say how many groups there are with --k");
    if (auto read = read_range(arguments.text("--k"), options); !read) return read.error();
    auto model = cluster_model(arguments.text("--model", options.model));
    if (!model) return model.error();
    options.model = std::move(*model);
    constexpr std::array<std::string_view, 4> shapes{"full", "tied", "diagonal", "spherical"};
    const auto shape = arguments.choice("--covariance", shapes);
    if (!shape) return shape.error();
    if (*shape >= 0) options.shape = static_cast<ComponentShape>(*shape);
    const auto starts = arguments.whole("--starts", 1);
    if (!starts) return starts.error();
    options.starts = *starts;
    options.posteriors = arguments.has("--proba");
    const auto read = read_options(arguments);
    if (!read) return read.error();
    options.fit.read = *read;
    options.fit.weight = arguments.text("--weight");
    if (const auto exclude = arguments.given("--exclude")) options.fit.exclude = {*exclude};
    if (auto families = read_families(arguments, options.fit); !families) return families.error();
    return options;
}

std::string summary(const Clustered& found, bool mixture) {
    TextTable table({TextTable::Side::left, TextTable::Side::right});
    table.row({"group", "rows"});
    for (std::size_t k = 0; k < found.weight.size(); ++k)
        table.row({std::to_string(k), mixture ? short_number(found.weight[k], 6) : whole_number(found.weight[k])});
    std::string text = std::to_string(found.groups) + " groups after " + std::to_string(found.steps) + " steps, ";
    text += mixture ? "log-likelihood " + short_number(found.objective, 8) + ", BIC " + short_number(found.bic, 8)
                    : "inertia " + short_number(found.objective, 8);
    return text + "\n\n" + table.text();
}

Result<void> run(const Arguments& arguments, const Context& context) {
    const auto options = options_of(arguments);
    if (!options) return options.error();
    if (arguments.files().empty()) return Error(ErrorKind::usage, "name the data to cluster (- is standard input)");
    auto output = Output::open(arguments.text("--output"));
    if (!output) return output.error();
    const auto found =
        cluster(arguments.files(), *options, [&](std::string_view lines) { return output->write(lines); }, context);
    end_progress();
    if (!found) return found.error();
    say_notes(found->notes);
    if (!arguments.has("--quiet")) say(summary(*found, options->model != "k_means"));
    return output->finish();
}

}  // namespace

const Verb cluster_verb{"cluster",
                        "DATA... --k K [--model M] [-o FILE]",
                        "Puts rows into groups that nobody has named. CSV comes out, one line per row in the same "
                        "order, with the header cluster.\nGroups are numbered from 0, the heaviest first.",
                        "  suffice cluster customers.csv --k 5 --exclude id -o groups.csv\n"
                        "  suffice cluster customers.csv --k 1-9 --covariance diagonal --proba\n"
                        "  suffice cluster points.csv --k 15 --model k_means --seed 1\n",
                        {own_options, reading_options, running_options, {}},
                        run};

}  // namespace suffice::cli
