// Multinomial: counting, estimating, density, moments, draws and exponential form.
#include "suffice/family/multinomial.hpp"

#include <algorithm>
#include <limits>

#include "suffice/family/count_expectation.hpp"
#include "suffice/family/probability.hpp"
#include "suffice/math/sampling.hpp"
#include "suffice/math/special.hpp"

namespace suffice {

bool Multinomial::supports(Value x) const {
    return x.size() == level_count && std::ranges::all_of(x, is_count) &&
           (trial_count == 0 || total_of(x) == trial_count);
}

void Multinomial::observe(Statistic& into, Value x, double weight) const {
    into.total_weight += weight;
    for (std::size_t k = 0; k < x.size(); ++k) into.level_weight[k] += weight * x[k];
    into.log_carrier += weight * log_carrier(x);
}

bool Multinomial::valid(const Statistic& s) const {
    return s.total_weight >= 0 && std::isfinite(s.total_weight) && std::isfinite(s.log_carrier) &&
           s.level_weight.size() == level_count &&
           std::ranges::all_of(s.level_weight, [](double w) { return w >= 0 && std::isfinite(w); });
}

Result<Multinomial::Parameter> Multinomial::most_likely(const Statistic& s) const {
    const double total = total_of(s.level_weight);
    if (!(total > 0)) return Error{"multinomial: no counts to estimate from"};
    return Parameter{log_shares(s.level_weight, total)};
}

double Multinomial::log_density(const Parameter& p, Value x) const {
    double log_density = log_carrier(x);
    for (std::size_t k = 0; k < x.size(); ++k) log_density += x[k] * p.log_probability[k];
    return log_density;
}

double Multinomial::log_likelihood(const Parameter& p, const Statistic& s) const {
    double log_likelihood = s.log_carrier;
    for (std::size_t k = 0; k < s.level_weight.size(); ++k) log_likelihood += s.level_weight[k] * p.log_probability[k];
    return log_likelihood;
}

std::vector<double> Multinomial::mean(const Parameter& p) const {
    std::vector<double> mean(p.log_probability);
    for (double& each : mean) each = trials() * std::exp(each);
    return mean;
}

std::vector<double> Multinomial::variance(const Parameter& p) const {
    std::vector<double> covariance(std::size_t{level_count} * level_count);
    write_level_covariance(p.log_probability, trials(), level_count, covariance);
    return covariance;
}

// One binomial per level among the trials that are left.
std::vector<double> Multinomial::sample(const Parameter& p, Rng& rng) const {
    std::vector<double> counts(level_count, 0.0);
    double trials_left = trials(), probability_left = 1;
    for (std::size_t k = 0; k + 1 < level_count && trials_left > 0; ++k) {
        const double probability = std::exp(p.log_probability[k]);
        counts[k] = sample_binomial(trials_left, std::min(probability / probability_left, 1.0), rng);
        trials_left -= counts[k];
        probability_left = std::max(probability_left - probability, smallest_probability);
    }
    counts[level_count - 1] = trials_left;
    return counts;
}

Result<Multinomial::Parameter> Multinomial::most_probable(const Prior& prior) const {
    Result<std::vector<double>> mode = prior.log_mode(name);
    if (!mode) return mode.error();
    return Parameter{std::move(*mode)};
}

void Multinomial::write_features(Value x, std::span<double> out) const {
    for (std::size_t k = 0; k + 1 < level_count; ++k) out[k] = x[k];
}

Result<Multinomial::Parameter> Multinomial::from_natural(std::span<const double> natural) const {
    if (std::ranges::any_of(natural, [](double eta) { return !std::isfinite(eta); }))
        return Error{"multinomial: a natural parameter is not finite"};
    return Parameter{from_log_ratios(natural)};
}

void Multinomial::write_mean_features(const Parameter& p, std::span<double> out) const {
    for (std::size_t k = 0; k + 1 < level_count; ++k) out[k] = trials() * std::exp(p.log_probability[k]);
}

double Multinomial::log_carrier(Value x) const {
    double total = 0, log_carrier = 0;
    for (double count : x) {
        total += count;
        log_carrier -= log_gamma(count + 1);
    }
    return log_carrier + log_gamma(total + 1);
}

// Each count alone is binomial.
double Multinomial::expected_log_carrier(const Parameter& p) const {
    const double n = trials();
    if (n == 1) return 0;
    double expectation = log_gamma(n + 1);
    for (double log_probability : p.log_probability) {
        const double probability = std::exp(log_probability), log_other = log_complement(probability);
        const auto log_binomial = [&](double x) {
            if (x > n) return -std::numeric_limits<double>::infinity();
            return log_gamma(n + 1) - log_gamma(x + 1) - log_gamma(n - x + 1) + x * log_probability +
                   (x == n ? 0 : (n - x) * log_other);
        };
        expectation -= count_expectation(n * probability, std::sqrt(n * probability * (1 - probability)), log_binomial,
                                         [](double x) { return log_gamma(x + 1); });
    }
    return expectation;
}

}  // namespace suffice
