// Reads terms and hands them to functions of numbers, or to families.
#include "suffice/flow/calculate.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>

#include "suffice/encode/names.hpp"
#include "suffice/family/handle.hpp"
#include "suffice/family/prior_text.hpp"
#include "suffice/flow/family_terms.hpp"
#include "suffice/math/log_sum_exp.hpp"
#include "suffice/math/sampling.hpp"
#include "suffice/math/sequential.hpp"
#include "suffice/math/sigmoid.hpp"
#include "suffice/math/softmax_jacobian.hpp"

namespace suffice {
namespace {

template <class Act>
std::vector<double> each_of(const std::vector<double>& values, Act act) {
    std::vector<double> out(values.size());
    std::ranges::transform(values, out.begin(), act);
    return out;
}

// A list of numbers without names, one or more.
Result<std::vector<double>> plain_numbers(const PriorText& term) {
    std::vector<double> numbers;
    for (const PriorArgument& each : term.arguments) {
        if (!each.name.empty()) return Error(ErrorKind::usage, term.name + " takes numbers without names");
        numbers.insert(numbers.end(), each.values.begin(), each.values.end());
    }
    if (numbers.empty())
        return Error(ErrorKind::usage, term.name + " takes numbers, such as " + term.name + "(0.5, 1)");
    return numbers;
}

Result<Calculation> sigmoid_told(const PriorText& term, const Context&) {
    const auto a = plain_numbers(term);
    if (!a) return a.error();
    Calculation told;
    told.list("a", *a);
    told.list("sigmoid", each_of(*a, [](double x) { return sigmoid(x); }));
    told.list("derivative", each_of(*a, [](double x) { return sigmoid_derivative(x); }));
    told.list("second derivative", each_of(*a, [](double x) { return sigmoid_second_derivative(x); }));
    told.list("log sigmoid", each_of(*a, [](double x) { return log_sigmoid(x); }));
    return told;
}

Result<Calculation> logit_told(const PriorText& term, const Context&) {
    const auto p = plain_numbers(term);
    if (!p) return p.error();
    if (!std::ranges::all_of(*p, [](double each) { return each >= 0 && each <= 1; }))
        return Error(ErrorKind::usage, "logit takes probabilities, from 0 to 1");
    Calculation told;
    told.list("p", *p);
    told.list("logit", each_of(*p, [](double x) { return logit(x); }));
    told.list("derivative", each_of(*p, [](double x) { return logit_derivative(x); }));
    return told;
}

Result<Calculation> softmax_told(const PriorText& term, const Context&) {
    const auto a = plain_numbers(term);
    if (!a) return a.error();
    Calculation told;
    told.list("a", *a);
    std::vector<double> shares = *a;
    softmax(shares);
    told.list("softmax", std::move(shares));
    told.number("log sum exp", log_sum_exp(*a));
    told.matrix("derivative", softmax_jacobian(*a), a->size());
    return told;
}

Result<Calculation> robbins_monro_told(const PriorText& term, const Context&) {
    const auto values = plain_numbers(term);
    if (!values) return values.error();
    std::vector<double> steps(values->size());
    for (std::size_t k = 0; k < steps.size(); ++k) steps[k] = 1 / static_cast<double>(k + 1);
    Calculation told;
    told.list("value", *values);
    told.list("step", std::move(steps));
    told.list("estimate", robbins_monro_path(*values, 0));
    return told;
}

// How often the worst of so many rules, each wrong with this probability, is seen `epsilon` or more from it.
double share_missed(double n, double epsilon, double rules, double risk, std::uint64_t seed) {
    constexpr int draws = 20'000;
    Rng rng(seed, "hoeffding");
    int missed = 0;
    for (int draw = 0; draw < draws; ++draw) {
        bool any = false;
        for (double rule = 0; rule < rules; ++rule)
            any |= std::abs(sample_binomial(n, risk, rng) / n - risk) >= epsilon;
        missed += any;
    }
    return static_cast<double>(missed) / draws;
}

Result<Calculation> hoeffding_told(const PriorText& term, const Context& context) {
    double n = 0, epsilon = std::nan(""), delta = std::nan(""), rules = 1, risk = std::nan("");
    PriorReader reader(term);
    reader.fill("n", n);
    reader.fill("epsilon", epsilon);
    reader.fill("delta", delta);
    reader.fill("rules", rules);
    reader.fill("risk", risk);
    if (!reader.fits() || std::isnan(epsilon) == std::isnan(delta))
        return Error(ErrorKind::usage,
                     "hoeffding takes n and either epsilon or delta, and maybe rules and risk: hoeffding(n=100, "
                     "epsilon=0.1)");
    if (!(n >= 1) || !(rules >= 1) || epsilon < 0 || !(std::isnan(delta) || (delta > 0 && delta <= 1)))
        return Error(ErrorKind::usage, "hoeffding: n and rules count from 1, epsilon from 0, delta is from 0 to 1");
    const bool simulated = !std::isnan(risk);
    if (simulated && (!(risk >= 0 && risk <= 1) || rules > 1000))
        return Error(ErrorKind::usage, "hoeffding: a simulation takes a risk from 0 to 1 and at most 1000 rules");
    if (std::isnan(epsilon)) epsilon = hoeffding_reach(n, delta, rules);
    Calculation told;
    told.number("n", n);
    told.number("epsilon", epsilon);
    if (rules > 1) told.number("rules", rules);
    told.number("probability at most", std::fmin(1.0, rules * hoeffding_bound(n, epsilon)));
    if (!simulated) return told;
    told.number("risk", risk);
    told.number("share of 20000 draws", share_missed(n, epsilon, rules, risk, context.seed));
    return told;
}

struct NamedFunction {
    std::string_view name;
    Result<Calculation> (*run)(const PriorText& term, const Context& context);
};

constexpr std::array functions{
    NamedFunction{"sigmoid", sigmoid_told},     NamedFunction{"logit", logit_told},
    NamedFunction{"softmax", softmax_told},     NamedFunction{"robbins_monro", robbins_monro_told},
    NamedFunction{"hoeffding", hoeffding_told},
};

Error unknown_function(const std::string& name) {
    std::vector<std::string> known;
    for (const auto& each : functions) known.emplace_back(each.name);
    for (const auto each : family_names()) known.emplace_back(each);
    for (const auto each : prior_terms()) known.emplace_back(each);
    const auto near = nearest_name(name, known);
    return {ErrorKind::usage, "there is no function or family " + name +
                                  (near.empty() ? "; known are sigmoid, logit, softmax, robbins_monro, hoeffding and "
                                                  "the families"
                                                : "; did you mean " + near + "?")};
}

}  // namespace

Result<Calculation> calculate(const std::vector<std::string>& terms, const Context& context) {
    std::vector<PriorText> read;
    for (const std::string& each : terms) {
        auto term = split_term(each);
        if (!term) return Error(ErrorKind::usage, "a term is written as name(number, ...), not as " + each);
        read.push_back(std::move(*term));
    }
    if (read.empty()) return Error(ErrorKind::usage, "name a function or a family, such as sigmoid(0, 1)");
    const auto function = std::ranges::find(functions, read[0].name, &NamedFunction::name);
    if (function != functions.end()) {
        if (read.size() > 1) return Error(ErrorKind::usage, read[0].name + " takes one term");
        return function->run(read[0], context);
    }
    if (!family_of_prior_term(read[0].name).empty()) {
        if (read.size() > 1) return Error(ErrorKind::usage, read[0].name + " takes one term");
        return calculate_prior(read[0], terms[0]);
    }
    const auto families = family_names();
    if (std::ranges::find(families, read[0].name) == families.end()) return unknown_function(read[0].name);
    return calculate_family(read);
}

}  // namespace suffice
