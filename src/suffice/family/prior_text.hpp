// Priors as users write them: "beta(2, 5)", "normal_gamma(mean=0, mean_weight=1, shape=2, rate=2)".
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "suffice/family/concepts.hpp"

namespace suffice {

struct PriorText {
    std::string name;
    std::vector<std::pair<std::string, double>> arguments;  // names are empty where none is written
};
Result<PriorText> split_prior(std::string_view text);

// Members take the arguments by name or in order; a member that is a list takes all numbers, or one for each of its
// `family`'s levels.
template <ConjugateFamily F>
Result<typename F::Prior> read_prior(const F& family, std::string_view text) {
    const auto split = split_prior(text);
    if (!split) return split.error();
    const auto refuse = [&](const std::string& why) {
        return Error(ErrorKind::usage,
                     "the prior " + std::string(text) + " does not fit " + std::string(F::name) + ": " + why);
    };
    if (split->name != F::prior_name) return refuse("it takes " + std::string(F::prior_name) + "(...)");
    auto prior = family.default_prior();
    std::size_t next = 0, used = 0;
    for_each_field(prior, [&](const auto& each, auto& member) {
        if constexpr (std::same_as<std::remove_cvref_t<decltype(member)>, double>) {
            bool found = false;
            for (const auto& [name, value] : split->arguments)
                if (name == each.name) member = value, found = true, ++used;
            if (!found && next < split->arguments.size() && split->arguments[next].first.empty())
                member = split->arguments[next++].second, ++used;
        } else if constexpr (std::same_as<std::remove_cvref_t<decltype(member)>, std::vector<double>>) {
            const auto& given = split->arguments;
            if (given.size() == 1) member.assign(member.size(), given[0].second), used = 1;
            if (given.size() == member.size())
                for (std::size_t k = 0; k < member.size(); ++k) member[k] = given[k].second, used = k + 1;
        }
    });
    if (used != split->arguments.size()) return refuse("wrong number or names of arguments");
    if (!family.valid(prior)) return refuse("its numbers are out of range");
    return prior;
}

}  // namespace suffice
