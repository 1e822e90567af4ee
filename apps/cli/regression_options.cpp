// What the options of logistic regression mean to the library.
#include <algorithm>
#include <charconv>

#include "cli/options.hpp"

#include "suffice/flow/column_names.hpp"

namespace suffice::cli {

namespace {

Result<double> number_in(const std::string& option, const std::string& text) {
    double value = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (problem != std::errc{} || end != text.data() + text.size())
        return Error(ErrorKind::usage, option + " takes a number, a list of them or auto" +
                                           (option == "--penalty" ? ", evidence or firth" : "") + ", not \"" + text +
                                           "\"");
    return value;
}

// A number, or what to choose it from.
Result<void> read_strength(const Arguments& arguments, const std::string& option, double& strength, bool& chosen,
                           PenaltySearch& search) {
    const std::string text = arguments.text(option, "0");
    const std::vector<std::string> pieces = split_list(text);
    chosen = text == "auto" || pieces.size() > 1;
    if (text == "auto") return {};
    if (chosen && !search.strengths.empty())
        return Error(ErrorKind::usage,
                     "one list of strengths is for --penalty or for --lasso; the other is a number or auto");
    for (const std::string& piece : pieces) {
        const auto value = number_in(option, piece);
        if (!value) return value.error();
        if (chosen)
            search.strengths.push_back(*value);
        else
            strength = *value;
    }
    return {};
}

Result<void> read_penalties(const Arguments& arguments, FitOptions& options) {
    const std::string rule = arguments.text("--penalty");
    options.firth = rule == "firth";
    options.evidence = rule == "evidence";
    PenaltySearch& search = options.search;
    if (!options.firth && !options.evidence)
        if (auto read = read_strength(arguments, "--penalty", options.penalty, search.squares, search); !read)
            return read;
    if (auto read = read_strength(arguments, "--lasso", options.lasso, search.lasso, search); !read) return read;
    const auto count = arguments.whole("--path", search.count), folds = arguments.whole("--folds", search.fold_count);
    if (!count) return count.error();
    if (!folds) return folds.error();
    constexpr std::array<std::string_view, 2> rules{"best", "simplest"};
    const auto rule_number = arguments.choice("--choose", rules);
    if (!rule_number) return rule_number.error();
    search.simplest = *rule_number == 1;
    for (const std::string option : {"--path", "--choose"})
        if (arguments.has(option) && !search.wanted())
            return Error(ErrorKind::usage, option + " goes with --penalty auto or --lasso auto");
    if (search.wanted() && options.evidence)
        return Error(ErrorKind::usage, "the penalty is chosen by its evidence or along a path, not by both");
    search.count = static_cast<std::uint32_t>(std::min<std::uint64_t>(*count, 10'000));
    search.fold_count = static_cast<std::uint32_t>(std::min<std::uint64_t>(*folds, 10'000));
    return {};
}

}  // namespace

Result<void> read_regression(const Arguments& arguments, FitOptions& options) {
    if (const auto basis = arguments.given("--basis")) options.basis = split_list(*basis);
    if (auto read = read_penalties(arguments, options); !read) return read;
    constexpr std::array<std::string_view, 2> links{"logit", "probit"};
    const auto link = arguments.choice("--link", links);
    if (!link) return link.error();
    if (*link == 1) options.link = Link::probit;
    if (const auto offset = arguments.given("--offset")) options.offset = {*offset};
    const auto weights = arguments.given("--class-weight");
    if (!weights) return {};
    options.balanced = *weights == "balanced";
    if (options.balanced) return {};
    const auto given = name_values("--class-weight", *weights);
    if (!given) return given.error();
    for (const auto& [name, text] : *given) {
        double weight = 0;
        const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), weight);
        if (problem != std::errc{} || end != text.data() + text.size())
            return Error(ErrorKind::usage, "--class-weight takes balanced or CLASS=NUMBER, not \"" + *weights + "\"");
        options.class_weights.emplace_back(name, weight);
    }
    return {};
}

}  // namespace suffice::cli
