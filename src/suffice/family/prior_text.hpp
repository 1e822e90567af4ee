// Priors as users write them: "beta(2, 5)", "normal_gamma(mean=0, mean_weight=1, shape=2, rate=2)",
// "normal_wishart(mean=[0, 0], mean_weight=1, degrees=4, scatter=[1, 0, 0, 1])", or covariance in place of scatter.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "suffice/family/concepts.hpp"

namespace suffice {

struct PriorArgument {
    std::string name;  // empty where none is written
    std::vector<double> values;
    bool is_list = false;  // written in brackets
};
struct PriorText {
    std::string name;
    std::vector<PriorArgument> arguments;
};
Result<PriorText> split_prior(std::string_view text);
std::optional<PriorText> split_term(std::string_view text);  // the same of anything that is written so

// Hands the arguments of a prior's text to its members, by name or in order.
class PriorReader {
public:
    explicit PriorReader(const PriorText& text) : arguments_(text.arguments), used_(arguments_.size()) {}

    void fill(std::string_view name, double& member);
    // A list takes as many numbers as it has places, or one for all of them; without brackets it takes the numbers of
    // the whole text.
    void fill(std::string_view name, std::vector<double>& member);
    bool fits() const;  // every argument went to a member of its kind
    bool names(std::string_view name) const;

private:
    const PriorArgument* take(std::string_view name);

    const std::vector<PriorArgument>& arguments_;
    std::vector<bool> used_;
    bool fits_ = true;
};

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
    PriorReader reader(*split);
    std::string members;
    for_each_field(prior, [&](const auto& each, auto& member) {
        members += (members.empty() ? "" : ", ") + std::string(each.name);
        if constexpr (requires { reader.fill(each.name, member); }) reader.fill(each.name, member);
    });
    // A covariance is what the expected precision is the inverse of.
    if constexpr (requires { prior.scatter.size(), prior.degrees; }) {
        if (reader.names("covariance") && !reader.names("scatter")) {
            reader.fill("covariance", prior.scatter);
            for (double& each : prior.scatter) each *= prior.degrees;
        }
        members += " or covariance";
    }
    if (!reader.fits())
        return refuse("wrong number or names of arguments, and it takes " + std::string(F::prior_name) + "(" + members +
                      ")");
    if (!family.valid(prior)) return refuse("its numbers are out of range");
    return prior;
}

}  // namespace suffice
