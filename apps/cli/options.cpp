// Turns shared options into what the library takes.
#include "cli/options.hpp"

#include <algorithm>
#include <charconv>

#include "suffice/encode/names.hpp"
#include "suffice/encode/stop_words.hpp"
#include "suffice/encode/text_options.hpp"
#include "suffice/estimate/histogram.hpp"
#include "suffice/flow/column_names.hpp"
#include "suffice/report/setting_names.hpp"

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

Result<void> read_shrinkage(const Arguments& arguments, FitOptions& options) {
    const auto value = arguments.given("--shrinkage");
    if (!value || *value == "none") return {};
    for (const auto kind : {Shrinkage::oas, Shrinkage::ledoit_wolf, Shrinkage::automatic})
        if (*value == name_of(shrinkage_names, kind)) {
            options.shrinkage_kind = kind;
            return {};
        }
    const auto amount = arguments.number("--shrinkage", 0);
    if (!amount || *amount < 0 || *amount > 1)
        return Error(ErrorKind::usage,
                     "--shrinkage takes none, auto, oas, ledoit_wolf or a number from 0 to 1, not \"" + *value + "\"");
    options.shrinkage = *amount;
    return {};
}

// How text is cut into words, and which of them tell something.
Result<void> read_text_options(const Arguments& arguments, FitOptions& options) {
    if (const auto range = arguments.given("--ngrams")) {
        const auto number = [&](std::string_view text, std::uint32_t& into) {
            const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), into);
            return problem == std::errc{} && end == text.data() + text.size();
        };
        const std::string_view text = *range;
        const auto dash = text.find('-');
        if (!number(text.substr(dash == text.npos ? 0 : dash + 1), options.text.ngram_max) ||
            (dash != text.npos && !number(text.substr(0, dash), options.text.ngram_min)))
            return Error(ErrorKind::usage, "--ngrams takes N or M-N, not \"" + *range + "\"");
    }
    if (const auto name = arguments.given("--analyzer")) {
        const auto known = analyzer(*name);
        if (!known) return known.error();
        options.text.analyzer = *known;
    }
    if (const auto words = arguments.given("--stop-words")) {
        const auto language = stop_words(*words);
        options.text.stop_words = language ? *language : split_list(*words);
        if (!language && words->find(',') == std::string::npos) return language.error();
    }
    options.text.stemmer = arguments.text("--stem");
    const auto least = arguments.number("--min-df", 1), most = arguments.number("--max-df", 1);
    const auto features = arguments.whole("--max-features", 0);
    if (!least) return least.error();
    if (!most) return most.error();
    if (!features) return features.error();
    options.min_documents = *least;
    options.max_documents = *most;
    options.max_words = static_cast<std::uint32_t>(std::min<std::uint64_t>(*features, 0xFFFFFFFFu));
    options.normalize_weights = arguments.has("--normalize");
    options.text.binary = arguments.has("--binary");
    options.idf = arguments.has("--idf");
    constexpr std::array<std::string_view, 2> norms = {"none", "l2"};
    const auto norm = arguments.choice("--document-norm", norms);
    if (!norm) return norm.error();
    options.unit_length = *norm == 1;
    if (arguments.has("--hash")) {
        const auto bits = arguments.whole("--hash", 18);
        if (!bits) return bits.error();
        if (*bits < 1 || *bits > 30) return Error(ErrorKind::usage, "--hash takes a number of bits from 1 to 30");
        options.text.hash_features = std::uint32_t{1} << *bits;
        options.text.alternate_sign = false;
    }
    const auto length = arguments.choice("--document-length", document_length_names);
    if (!length) return length.error();
    if (*length >= 0) options.document_length = static_cast<DocumentLength>(*length);
    const auto smoothing = arguments.choice("--ngram-smoothing", ngram_smoothing_names);
    if (!smoothing) return smoothing.error();
    if (*smoothing >= 0) options.ngram_smoothing = static_cast<NgramSmoothing>(*smoothing);
    const auto order = arguments.whole("--order", options.ngram_order);
    if (!order) return order.error();
    if (*order < 1 || *order > 5) return Error(ErrorKind::usage, "--order takes a number from 1 to 5");
    options.ngram_order = static_cast<std::uint32_t>(*order);
    return check(options.text);
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
    return options;
}

Result<ApplyOptions> apply_options(const Arguments& arguments) {
    const auto read = read_options(arguments);
    if (!read) return read.error();
    ApplyOptions options;
    options.read = *read;
    options.allow_missing_columns = read->missing_columns;
    options.weight = arguments.text("--weight");
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

Result<PriorChoice> prior_choice(const std::string& text) {
    if (text == "empirical") return PriorChoice{ClassPriors::empirical, {}};
    if (text == "uniform") return PriorChoice{ClassPriors::uniform, {}};
    const auto given = name_values("--prior", text);
    if (!given) return given.error();
    PriorChoice choice{ClassPriors::given, {}};
    for (const auto& [name, value] : *given) {
        double probability = 0;
        const auto [end, problem] = std::from_chars(value.data(), value.data() + value.size(), probability);
        if (problem != std::errc{} || end != value.data() + value.size())
            return Error(ErrorKind::usage, "--prior takes empirical, uniform or CLASS=p,..., not \"" + text + "\"");
        choice.given.push_back({name, probability});
    }
    return choice;
}

Result<void> read_families(const Arguments& arguments, FitOptions& options) {
    const auto families = arguments.given("--family");
    if (!families) return {};
    const auto given = name_values("--family", *families);
    if (!given) return given.error();
    for (const auto& [column, family] : *given) options.families.push_back({column, family});
    return {};
}

Result<void> read_column_priors(const Arguments& arguments, FitOptions& options) {
    const auto priors = arguments.given("--column-prior");
    if (!priors) return {};
    const auto given = name_values("--column-prior", *priors);
    if (!given) return given.error();
    for (const auto& [column, prior] : *given) options.column_priors.push_back({column, prior});
    return {};
}

Result<void> read_points(const Arguments& arguments, FitOptions& options) {
    constexpr std::array<std::string_view, 6> kernels{"gaussian",    "tophat", "epanechnikov",
                                                      "exponential", "linear", "cosine"};
    const auto kernel = arguments.choice("--kernel", kernels);
    if (!kernel) return kernel.error();
    if (*kernel >= 0) options.points.kernel = static_cast<KernelShape>(*kernel);
    const auto bandwidth = arguments.text("--bandwidth", "scott");
    if (bandwidth == "silverman") {
        options.points.rule = BandwidthRule::silverman;
    } else if (bandwidth == "cv") {
        options.points.rule = BandwidthRule::cross_validated;
    } else if (bandwidth == "sheather_jones" || bandwidth == "sj") {
        options.points.rule = BandwidthRule::sheather_jones;
    } else if (bandwidth != "scott") {
        const auto width = arguments.number("--bandwidth", 1);
        if (!width || !(*width > 0))
            return Error(ErrorKind::usage,
                         "--bandwidth takes scott, silverman, cv, sheather_jones or a positive number, not \"" +
                             bandwidth + "\"");
        options.points.rule = BandwidthRule::given;
        options.points.scale = BandwidthScale::unit;
        options.points.bandwidth = *width;
    }
    const bool blocks = arguments.text("--bins") == "blocks";
    const auto neighbours = arguments.whole("--neighbors", 0);
    const auto bins = blocks ? Result<std::uint64_t>(0) : arguments.whole("--bins", 0);
    if (!neighbours) return neighbours.error();
    if (!bins) return bins.error();
    options.points.neighbours = static_cast<std::uint32_t>(std::min<std::uint64_t>(*neighbours, 0xFFFFFFFFu));
    options.points.bins = blocks ? block_bins : static_cast<std::uint32_t>(std::min<std::uint64_t>(*bins, 10'000));
    return {};
}

Result<FitOptions> fit_options(const Arguments& arguments) {
    FitOptions options;
    options.model = arguments.text("--model", options.model);
    if (options.model != "auto") {
        const auto model = canonical_model(options.model);
        if (!model) return model.error();
        options.model = *model;
    }
    if (const auto prior = arguments.given("--prior")) {
        auto choice = prior_choice(*prior);
        if (!choice) return choice.error();
        options.class_priors = choice->kind;
        options.given_priors = std::move(choice->given);
    }
    const auto estimate = arguments.choice("--estimate", estimate_names);
    if (!estimate) return estimate.error();
    if (*estimate >= 0) options.estimate = static_cast<Estimate>(*estimate);
    const auto smoothing = arguments.number("--smoothing", 1), alpha = arguments.number("--alpha", 1),
               gamma = arguments.number("--gamma", 0);
    for (const auto* number : {&smoothing, &alpha, &gamma})
        if (!*number) return number->error();
    options.smoothing = *smoothing;
    options.alpha = *alpha;
    options.gamma = *gamma;
    if (auto read = read_column_priors(arguments, options); !read) return read.error();
    if (auto read = read_points(arguments, options); !read) return read.error();
    const auto components = arguments.whole("--components", 0);
    if (!components) return components.error();
    options.components = *components;
    const auto shape = arguments.choice("--covariance", component_shape_names);
    if (!shape) return shape.error();
    if (*shape >= 0) options.component_shape = static_cast<ComponentShape>(*shape);
    if (const auto groups = arguments.given("--groups")) options.groups = split_lists(*groups);
    if (auto read = read_shrinkage(arguments, options); !read) return read.error();
    if (auto read = read_text_options(arguments, options); !read) return read.error();
    if (auto read = read_regression(arguments, options); !read) return read.error();
    options.strict = arguments.has("--strict");
    if (auto read = read_families(arguments, options); !read) return read.error();
    return options;
}

Result<void> check_options_of(const Arguments& arguments, std::string_view model) {
    for (const std::span<const OptionSpec> options : {std::span<const OptionSpec>(model_options), {regression_options}})
        for (const OptionSpec& option : options)
            if (!option.model.empty() && option.model != model && arguments.has(std::string(option.name)))
                return Error(ErrorKind::usage, std::string(option.name) + " is for --model " +
                                                   std::string(option.model) + "; " + std::string(model) +
                                                   " has no use for it");
    return {};
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
