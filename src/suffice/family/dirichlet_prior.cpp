// The Dirichlet prior of level probabilities, and the arithmetic of level probabilities.
#include "suffice/family/dirichlet_prior.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "suffice/family/probability.hpp"
#include "suffice/math/log_sum_exp.hpp"
#include "suffice/math/sampling.hpp"
#include "suffice/math/special.hpp"

namespace suffice {

bool DirichletPrior::valid(std::size_t level_count) const {
    return concentration.size() == level_count &&
           std::ranges::all_of(concentration, [](double a) { return a > 0 && std::isfinite(a); });
}

DirichletPrior DirichletPrior::after(std::span<const double> level_weight) const {
    DirichletPrior posterior = *this;
    if (posterior.concentration.size() < level_weight.size()) posterior.concentration.resize(level_weight.size(), 0.0);
    for (std::size_t k = 0; k < level_weight.size(); ++k) posterior.concentration[k] += level_weight[k];
    return posterior;
}

Result<std::vector<double>> DirichletPrior::log_mode(std::string_view family) const {
    std::vector<double> mass(concentration);
    for (double& m : mass) {
        m -= 1;
        if (!(m >= 0))
            return Error{std::string(family) + ": a Dirichlet concentration of " + std::to_string(m + 1) +
                         " has no mode inside the simplex; it must be at least 1"};
    }
    const double total = total_of(mass);
    if (!(total > 0)) return Error{std::string(family) + ": a Dirichlet with every concentration 1 has no single mode"};
    return log_shares(mass, total);
}

std::vector<double> DirichletPrior::log_mean() const { return log_shares(concentration, total_of(concentration)); }

std::vector<double> DirichletPrior::covariance() const {
    const std::size_t size = concentration.size();
    std::vector<double> covariance(size * size);
    write_level_covariance(log_mean(), 1 / (total_of(concentration) + 1), size, covariance);
    return covariance;
}

double DirichletPrior::log_density(std::span<const double> log_probability) const {
    double log_density = log_gamma(total_of(concentration));
    for (std::size_t k = 0; k < concentration.size(); ++k)
        log_density += (concentration[k] - 1) * log_probability[k] - log_gamma(concentration[k]);
    return log_density;
}

double DirichletPrior::log_evidence(std::span<const double> level_weight) const {
    double log_evidence = 0;
    for (std::size_t k = 0; k < level_weight.size(); ++k)
        log_evidence += log_gamma(concentration[k] + level_weight[k]) - log_gamma(concentration[k]);
    const double total = total_of(concentration);
    return log_evidence + log_gamma(total) - log_gamma(total + total_of(level_weight));
}

std::vector<double> DirichletPrior::draw(Rng& rng) const {
    std::vector<double> log_probability(concentration.size());
    for (std::size_t k = 0; k < concentration.size(); ++k) log_probability[k] = sample_log_gamma(concentration[k], rng);
    log_softmax(log_probability);
    return log_probability;
}

double total_of(std::span<const double> terms) { return std::accumulate(terms.begin(), terms.end(), 0.0); }

std::vector<double> log_shares(std::span<const double> mass, double total) {
    std::vector<double> shares(mass.size());
    for (std::size_t k = 0; k < mass.size(); ++k) shares[k] = log_kept(mass[k] / total);
    return shares;
}

bool are_log_probabilities(std::span<const double> log_probability, std::size_t level_count) {
    if (log_probability.size() != level_count) return false;
    double total = 0;
    for (double log_p : log_probability) total += std::exp(log_p);
    return std::abs(total - 1) < 1e-6;  // false for NaN
}

void write_log_ratios(std::span<const double> log_probability, std::span<double> out) {
    for (std::size_t k = 0; k + 1 < log_probability.size(); ++k) out[k] = log_probability[k] - log_probability.back();
}

std::vector<double> from_log_ratios(std::span<const double> natural) {
    std::vector<double> log_probability(natural.begin(), natural.end());
    log_probability.push_back(0);
    log_softmax(log_probability);
    return log_probability;
}

void write_level_covariance(std::span<const double> log_probability, double scale, std::size_t size,
                            std::span<double> out) {
    std::vector<double> probability(size);
    for (std::size_t k = 0; k < size; ++k) probability[k] = std::exp(log_probability[k]);
    for (std::size_t row = 0; row < size; ++row)
        for (std::size_t column = 0; column < size; ++column)
            out[row * size + column] = row == column ? scale * probability[row] * -std::expm1(log_probability[row])
                                                     : -scale * probability[row] * probability[column];
}

bool excludes_a_level(std::span<const double> other, std::span<const double> truth) {
    const double zero = std::log(smallest_probability);
    for (std::size_t k = 0; k < truth.size(); ++k)
        if (other[k] <= zero && truth[k] > zero) return true;
    return false;
}

}  // namespace suffice
