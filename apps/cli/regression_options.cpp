// What the options of logistic regression mean to the library.
#include <charconv>

#include "cli/options.hpp"

#include "suffice/flow/column_names.hpp"

namespace suffice::cli {

Result<void> read_regression(const Arguments& arguments, FitOptions& options) {
    if (const auto basis = arguments.given("--basis")) options.basis = split_list(*basis);
    const std::string rule = arguments.text("--penalty", "0");
    options.firth = rule == "firth";
    options.evidence = rule == "evidence";
    if (!options.firth && !options.evidence) {
        const auto penalty = arguments.number("--penalty", 0);
        if (!penalty)
            return Error(ErrorKind::usage, "--penalty takes a number, evidence or firth, not \"" + rule + "\"");
        options.penalty = *penalty;
    }
    const auto lasso = arguments.number("--lasso", 0);
    if (!lasso) return lasso.error();
    options.lasso = *lasso;
    constexpr std::array<std::string_view, 2> links{"logit", "probit"};
    const auto link = arguments.choice("--link", links);
    if (!link) return link.error();
    if (*link == 1) options.link = Link::probit;
    options.offset = arguments.text("--offset");
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
