// The laws of a conjugate prior: Bayes' theorem in every form it takes.
#pragma once
#include "laws/density_laws.hpp"

#include "suffice/family/credible_interval.hpp"
#include "suffice/persist/bytes.hpp"

namespace suffice::laws {

template <ConjugateFamily F>
void check_bayes(const F& family, const typename F::Parameter& parameter, Findings& findings) {
    const auto rows = draw_rows(family, parameter, 60, 31);
    const auto whole = gather(family, rows);
    const auto prior = family.default_prior();
    findings.require(family.valid(prior), "the default prior is valid");
    const auto posterior = family.posterior(prior, whole);
    findings.require(family.valid(posterior), "the posterior is valid");
    const auto returned = from_bytes<typename F::Prior>(to_bytes(posterior));
    findings.require(returned && *returned == posterior, "bytes give the prior back");
    findings.require(near_equal(family.posterior(prior, family.empty()), prior, 1e-14), "no rows leave the prior");
    findings.require(
        near_equal(family.posterior(family.posterior(prior, gather(family, rows, 0, 25)), gather(family, rows, 25, 60)),
                   posterior),
        "the posterior in two steps is the posterior in one");

    const double evidence = family.log_evidence(prior, whole);
    for (const bool backwards : {false, true}) {
        auto seen = family.empty();
        double chain = 0;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const auto& row = rows[backwards ? rows.size() - 1 - i : i];
            chain += family.log_predictive(family.posterior(prior, seen), row);
            family.observe(seen, row, 1);
        }
        findings.require_near(chain, evidence, 1e-9 * (1 + std::abs(evidence)),
                              "the evidence is the product of predictives, in any order");
    }
    findings.require_near(family.log_evidence(prior, family.empty()), 0, 1e-12, "the evidence of no rows is one");

    Rng rng(41, "laws");
    const auto start = family.posterior(prior, gather(family, rows, 0, 25));
    const auto rest = gather(family, rows, 25, 60);
    for (int i = 0; i < 20; ++i) {
        const auto drawn = family.draw(posterior, rng);
        findings.require(family.valid(drawn), "what is drawn from the prior is a parameter");
        const double joint = family.log_prior_density(start, drawn) + family.log_likelihood(drawn, rest);
        findings.require_near(joint - family.log_evidence(start, rest), family.log_prior_density(posterior, drawn),
                              1e-8 * (1 + std::abs(joint)), "prior times likelihood over evidence is the posterior");
    }
    auto many = whole;
    many.scale(1e6);
    const auto plug_in = family.most_likely(whole).value();
    for (int i = 0; i < 5; ++i)
        findings.require_near(family.log_predictive(family.posterior(prior, many), rows[i]),
                              family.log_density(plug_in, rows[i]), 1e-4,
                              "the predictive tends to the plug-in density");

    const auto mode = family.most_probable(posterior);
    findings.require(bool(mode), "the posterior has a mode");
    if (mode)
        for (int i = 0; i < 50; ++i)
            findings.require(family.log_prior_density(posterior, family.draw(posterior, rng)) <=
                                 family.log_prior_density(posterior, *mode) + 1e-9,
                             "no draw is more probable than the mode");

    const auto centre = family.expected(posterior).value();
    const auto mean = as_vector(family.mean(centre)), variance = as_vector(family.variance(centre));
    double total = 0;
    if constexpr (std::same_as<typename F::Value, double>)
        total = total_probability(family, mean[0], std::sqrt(variance[0]),
                                  [&](double x) { return family.log_predictive(posterior, x); });
    else
        total = total_probability_of_vectors(
            family, mean, variance, [&](std::span<const double> x) { return family.log_predictive(posterior, x); });
    findings.require_near(total, 1, 1e-6, "the predictive adds up to one");
}

// The one number that a scalar prior is about: the parameter, or the precision where the parameter is a variance.
template <class F>
double scalar_of(const typename F::Parameter& parameter) {
    const double number = numbers_of(parameter)[0];
    if constexpr (requires { parameter.variance; }) return 1 / number;
    return number;
}
template <class F>
typename F::Parameter parameter_at(double scalar) {
    typename F::Parameter parameter{scalar};
    if constexpr (requires { parameter.variance; }) parameter.variance = 1 / scalar;
    return parameter;
}

template <ScalarPrior F>
void check_scalar_prior(const F& family, const typename F::Parameter& parameter, Findings& findings) {
    const auto prior = family.posterior(family.default_prior(), gather(family, draw_rows(family, parameter, 12, 37)));
    const double low = family.prior_quantile(prior, 1e-7), high = family.prior_quantile(prior, 1 - 1e-7);
    const auto density = [&](double at) { return std::exp(family.log_prior_density(prior, parameter_at<F>(at))); };
    constexpr int steps = 4000;
    findings.require_near(integrate(low, high, steps, density), 1 - 2e-7, 1e-6, "the prior's density adds up to one");
    const double mean = integrate(low, high, steps, [&](double at) { return at * density(at); });
    const double variance =
        integrate(low, high, steps, [&](double at) { return (at - mean) * (at - mean) * density(at); });
    findings.require_near(scalar_of<F>(family.expected(prior).value()), mean, 1e-5 * (1 + std::abs(mean)),
                          "the expected parameter is the mean of the prior's density");
    findings.require_near(family.prior_variance(prior), variance, 1e-4 * variance,
                          "the prior's variance is that of its density");
    const auto interval = credible_interval(family, prior, 0.9).value();
    findings.require_near(integrate(interval.low, interval.high, steps, density), 0.9, 1e-6,
                          "a credible interval holds its mass");
    Rng rng(43, "laws");
    constexpr int count = 20000;
    double sum = 0;
    for (int i = 0; i < count; ++i) sum += scalar_of<F>(family.draw(prior, rng)) / count;
    findings.require_near(sum, mean, 6 * std::sqrt(variance / count), "draws from the prior have its mean");
}

// Draws from one prior, weighted by the ratio of another's density, average to one.
template <ConjugateFamily F>
void check_prior_ratio(const F& family, const typename F::Parameter& parameter, Findings& findings) {
    const auto rows = draw_rows(family, parameter, 60, 31);
    const auto wide = family.posterior(family.default_prior(), gather(family, rows, 0, 40));
    const auto narrow = family.posterior(wide, gather(family, rows, 40, 60));
    Rng rng(47, "laws");
    constexpr int count = 20000;
    double sum = 0, square = 0;
    for (int i = 0; i < count; ++i) {
        const auto drawn = family.draw(wide, rng);
        const double ratio = std::exp(family.log_prior_density(narrow, drawn) - family.log_prior_density(wide, drawn));
        sum += ratio / count;
        square += ratio * ratio / count;
    }
    findings.require_near(sum, 1, 6 * std::sqrt(square / count), "draws from the prior follow its density");
}

template <ConjugateFamily F>
void check_prior(Findings& findings) {
    const auto [family, parameter] = F::typical();
    check_bayes(family, parameter, findings);
    check_prior_ratio(family, parameter, findings);
    if constexpr (ScalarPrior<F>) check_scalar_prior(family, parameter, findings);
    const auto rows = draw_rows(family, parameter, 40, 53);
    const auto some = gather(family, rows, 0, 10), whole = gather(family, rows);
    if constexpr (SmoothedFamily<F>)
        findings.require(near_equal(family.most_probable(family.posterior(family.smoothing(2), some)).value(),
                                    family.expected(family.posterior(family.smoothing(1), some)).value()),
                         "add-one smoothing is the mode under two and the mean under one");
    if constexpr (PulledFamily<F>) {
        auto pulled = whole;
        pulled.scale(3 / whole.weight());
        pulled.merge(some);
        findings.require(near_equal(family.most_probable(family.posterior(family.pulled_prior(3, whole), some)).value(),
                                    family.most_likely(pulled).value()),
                         "pulling by three is three more rows at the overall mean");
    }
}

}  // namespace suffice::laws
