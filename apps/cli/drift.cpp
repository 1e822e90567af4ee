// suffice drift: what has changed from one set of rows to another, told from statistics.
#include "suffice/flow/drift.hpp"

#include <filesystem>

#include "cli/options.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"

#include "suffice/flow/fit.hpp"
#include "suffice/report/drift_report.hpp"

namespace suffice::cli {
namespace {

constexpr std::array<std::string_view, 4> drift_formats{"text", "json", "html", "svg"};

constexpr std::array drift_options{
    OptionSpec{"--json", "", "for programs"},
    OptionSpec{"--format", "F", "text (default), json, html: a page, svg: the picture alone"},
    OptionSpec{"--target", "COLUMN", "of two data files: the column that holds the classes"},
    OptionSpec{"--model", "M",
               "of two data files: a model file whose columns are compared (default: one fitted to OLD)"},
    OptionSpec{"--weight", "COLUMN", "how much each row of data counts"},
    OptionSpec{"--seed", "S", "of the rows drawn for the expected accuracy (default 0)"},
    OptionSpec{"--output", "FILE", "where it goes (default: standard output)", 'o'},
};

bool is_model(const std::string& path) { return path.ends_with(".suf") || looks_like_model(path); }

struct TwoModels {
    Model before, after;
};

Result<Model> first_of_data(const Arguments& arguments, const Context& context) {
    if (const auto given = arguments.given("--model")) return load_model(*given);
    FitOptions options;
    options.target = arguments.text("--target");
    options.weight = arguments.text("--weight");
    if (options.target.empty())
        return Error(ErrorKind::usage,
                     "two data files are compared under a model: name it with --model, or the column of the classes "
                     "with --target");
    auto read = read_options(arguments);
    if (!read) return read.error();
    options.read = *read;
    return fit({arguments.files()[0]}, options, context);
}

Result<TwoModels> both_sides(const Arguments& arguments, const Context& context) {
    const auto& files = arguments.files();
    const auto apply = apply_options(arguments);
    if (!apply) return apply.error();
    const bool models[] = {is_model(files[0]), is_model(files[1])};
    std::optional<Model> like;
    if (!models[0] && !models[1]) {
        auto made = first_of_data(arguments, context);
        if (!made) return made.error();
        like = std::move(*made);
    } else if (arguments.has("--model") || arguments.has("--target")) {
        return Error(ErrorKind::usage,
                     "--model and --target are for two data files; here a model says what is compared");
    }
    std::vector<Model> sides;
    for (std::size_t k = 0; k < 2; ++k) {
        if (!models[k]) {
            sides.emplace_back();
            continue;
        }
        auto loaded = load_model(files[k]);
        if (!loaded) return loaded.error();
        sides.push_back(std::move(*loaded));
    }
    for (std::size_t k = 0; k < 2; ++k) {
        if (models[k]) continue;
        auto counted = count_alike(like ? *like : sides[1 - k], {files[k]}, *apply, context);
        if (!counted) return counted.error();
        say_notes(counted->notes());
        sides[k] = std::move(*counted);
    }
    return TwoModels{std::move(sides[0]), std::move(sides[1])};
}

Result<void> run_drift(const Arguments& arguments, const Context& context) {
    const auto& files = arguments.files();
    if (files.size() != 2) return Error(ErrorKind::usage, "name what was and what is: two models, or a model and data");
    const auto format = arguments.choice("--format", drift_formats);
    if (!format) return format.error();
    auto output = Output::open(arguments.text("--output"));
    if (!output) return output.error();
    const auto sides = both_sides(arguments, context);
    end_progress();
    if (!sides) return sides.error();
    const auto found = drift(sides->before, sides->after, context);
    if (!found) return found.error();
    const auto name = [](const std::string& path) { return std::filesystem::path(path).filename().string(); };
    const std::string_view wanted = arguments.has("--json") ? "json"
                                    : *format < 0           ? "text"
                                                            : drift_formats[std::size_t(*format)];
    const std::string text = wanted == "json"   ? drift_json(*found)
                             : wanted == "html" ? html_page(drift_document(*found, name(files[0]), name(files[1])))
                             : wanted == "svg"  ? standalone_svg(drift_figure(*found))
                                                : drift_text(*found);
    if (auto written = output->write(text); !written) return written;
    return output->finish();
}

}  // namespace

const Verb drift_verb{
    "drift",
    "OLD NEW [--json]",
    "Tells what has changed from one set of rows to another. The shares of the classes, and each column over "
    "all rows and within each class, with a test, and the accuracy to be expected of the old model. Two models "
    "are compared by their statistics, without any rows; one of the two may be data, with or without classes.",
    "  suffice drift january.suf february.suf\n"
    "  suffice drift churn.suf today.csv --json | jq .columns[0]\n"
    "  suffice drift january.csv february.csv --target churned --format html -o drift.html\n",
    {drift_options, reading_options, running_options, {}},
    run_drift};

}  // namespace suffice::cli
