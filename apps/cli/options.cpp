// Turns shared options into what the library takes.
#include "cli/options.hpp"

#include <algorithm>
#include <charconv>

#include "suffice/encode/names.hpp"
#include "suffice/flow/column_names.hpp"

namespace suffice::cli {
namespace {

Result<char> one_letter(const Arguments& arguments, const std::string& option) {
    const auto value = arguments.given(option);
    if (!value) return '\0';
    if (*value == "tab" || *value == "\\t") return '\t';
    if (*value == "space") return ' ';
    if (value->size() != 1)
        return Error(ErrorKind::usage, option + " takes one character, tab or space, not \"" + *value + "\"");
    return (*value)[0];
}

}  // namespace

Result<std::vector<std::pair<std::string, std::string>>> name_values(const std::string& option,
                                                                     const std::string& text) {
    std::vector<std::pair<std::string, std::string>> found;
    for (const auto& piece : split_list(text)) {
        const auto equals = piece.rfind('=');
        if (equals == std::string::npos || equals == 0)
            return Error(ErrorKind::usage, option + " takes NAME=VALUE, not \"" + piece + "\"");
        found.emplace_back(piece.substr(0, equals), piece.substr(equals + 1));
    }
    return found;
}

Result<ReadOptions> read_options(const Arguments& arguments) {
    ReadOptions options;
    const auto delimiter = one_letter(arguments, "--delimiter"), comment = one_letter(arguments, "--comment");
    if (!delimiter) return delimiter.error();
    if (!comment) return comment.error();
    options.delimiter = *delimiter;
    options.comment = *comment;
    if (arguments.has("--no-header") && arguments.has("--header"))
        return Error(ErrorKind::usage, "--header and --no-header contradict each other");
    if (arguments.has("--no-header")) options.header = false;
    if (arguments.has("--header")) options.header = true;
    constexpr std::array<std::string_view, 2> quotings{"rfc4180", "none"};
    const auto quoting = arguments.choice("--quoting", quotings);
    if (!quoting) return quoting.error();
    if (*quoting >= 0) options.quoting = *quoting == 0;
    if (const auto marks = arguments.given("--missing")) {
        options.missing = split_list(*marks);
        options.missing.emplace_back("");
    }
    constexpr std::array<std::string_view, 2> encodings{"utf-8", "latin-1"}, raggeds{"error", "skip"};
    const auto encoding = arguments.choice("--encoding", encodings), ragged = arguments.choice("--ragged", raggeds);
    if (!encoding) return encoding.error();
    if (!ragged) return ragged.error();
    options.latin1 = *encoding == 1;
    options.skip_ragged = *ragged == 1;
    options.missing_columns = arguments.has("--allow-missing-columns");
    options.query = arguments.text("--query");
    const auto decimal = one_letter(arguments, "--decimal");
    if (!decimal) return decimal.error();
    if (*decimal != 0 && *decimal != '.' && *decimal != ',') return Error(ErrorKind::usage, "--decimal takes . or ,");
    options.decimal = *decimal;
    return options;
}

Result<WeightKind> weight_kind(const Arguments& arguments) {
    const auto kind = arguments.choice("--weight-kind", enum_names<WeightKind>);
    if (!kind) return kind.error();
    if (*kind >= 0 && !arguments.has("--weight")) return Error(ErrorKind::usage, "--weight-kind goes with --weight");
    return *kind == 1 ? WeightKind::importance : WeightKind::frequency;
}

Result<ApplyOptions> apply_options(const Arguments& arguments) {
    const auto read = read_options(arguments);
    if (!read) return read.error();
    ApplyOptions options;
    options.read = *read;
    options.allow_missing_columns = read->missing_columns;
    options.weight = arguments.text("--weight");
    const auto kind = weight_kind(arguments);
    if (!kind) return kind.error();
    options.weight_kind = *kind;
    if (const auto keep = arguments.given("--keep")) options.keep = {*keep};
    return options;
}

Result<CostMatrix> cost_matrix(const std::string& given, const std::vector<std::string>& classes) {
    auto text = read_whole_file(given);
    if (!text && given.find('=') != std::string::npos) return parse_cost_matrix(classes, given);
    if (!text) return text.error();
    auto cost = parse_cost_table(classes, *text);
    if (!cost) return Error(cost.error()).in_file(given);
    return cost;
}

Result<ClassPriors> prior_choice(const std::string& text) {
    FitOptions options;
    if (auto read = find_setting("priors")->set_text(options, text); !read) return read.error();
    return std::move(options.settings.priors);
}

Result<void> read_families(const Arguments& arguments, FitOptions& options) {
    const auto families = arguments.given("--family");
    if (!families) return {};
    const auto given = name_values("--family", *families);
    if (!given) return given.error();
    for (const auto& [column, family] : *given) options.families.push_back({column, family});
    return {};
}

Result<void> read_settings(const Arguments& arguments, const Verb& verb, FitOptions& options) {
    for (const OptionSpec& option : all_options(verb)) {
        const auto setting = std::ranges::find(settings_table(), option.name, &Setting::option);
        if (setting == settings_table().end() || option.help != setting->told) continue;  // the verb's own of that name
        const auto text = arguments.given(setting->option);
        if (!text) continue;
        if (auto read = setting->set_text(options, *text); !read) return read;
    }
    return {};
}

Result<FitOptions> fit_options(const Arguments& arguments, const Verb& verb) {
    FitOptions options;
    options.model = arguments.text("--model", options.model);
    if (options.model != "auto") {
        const auto model = canonical_model(options.model);
        if (!model) return model.error();
        options.model = *model;
    }
    if (auto read = read_settings(arguments, verb, options); !read) return read.error();
    if (auto read = read_families(arguments, options); !read) return read.error();
    return options;
}

std::vector<OptionSpec> all_options(const Verb& verb) {
    std::vector<OptionSpec> first, all;
    for (const auto& group : std::span(verb.options).first(2)) first.insert(first.end(), group.begin(), group.end());
    all = first;
    for (const Setting& setting : settings_table())
        if (verb.takes != nullptr && verb.takes(setting) &&
            std::ranges::find(first, setting.option, &OptionSpec::name) == first.end())
            all.push_back({setting.option, setting.is_switch ? "" : setting.placeholder, setting.told});
    for (const auto& group : std::span(verb.options).subspan(2))
        for (const OptionSpec& option : group)  // what the verb means by a name wins
            if (std::ranges::find(first, option.name, &OptionSpec::name) == first.end()) all.push_back(option);
    return all;
}

Result<Context> with_threads(const Arguments& arguments, Context context) {
    const auto threads = arguments.whole("--threads", context.thread_count);
    const auto seed = arguments.whole("--seed", 0);
    if (!threads) return threads.error();
    if (!seed) return seed.error();
    if (*threads < 1 || *threads > 4095) return Error(ErrorKind::usage, "--threads takes a number from 1 to 4095");
    context.thread_count = static_cast<unsigned>(*threads);
    context.seed = *seed;
    return context;
}

Result<Model> load_model(const std::string& path) { return load(path == "-" ? "/dev/stdin" : path); }

Result<ModelAndData> model_and_data(const Arguments& arguments, bool needs_data) {
    const auto& files = arguments.files();
    if (files.empty()) return Error(ErrorKind::usage, "name the model file");
    if (needs_data && files.size() < 2)
        return Error(ErrorKind::usage, "name the data behind the model " + files[0] + " (- is standard input)");
    if (!needs_data && files.size() > 1)
        return Error(ErrorKind::usage, "one model file is enough; " + files[1] + " is not needed");
    auto model = load_model(files[0]);
    if (!model) return model.error();
    return ModelAndData{std::move(*model), {files.begin() + 1, files.end()}};
}

Result<std::size_t> class_named(const Model& model, const std::string& name) {
    const auto& classes = model.classes();
    const auto found = std::ranges::find(classes, name);
    if (found != classes.end()) return static_cast<std::size_t>(found - classes.begin());
    const auto near = nearest_name(name, classes);
    return Error(ErrorKind::usage,
                 "the model has no class " + name + (near.empty() ? "" : "; did you mean " + near + "?"));
}

}  // namespace suffice::cli
