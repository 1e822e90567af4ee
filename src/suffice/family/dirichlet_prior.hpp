// The Dirichlet prior of level probabilities, shared by categorical and multinomial, and what both do with
// probabilities. log p(mu) = sum_k (a_k - 1) log mu_k + log Gamma(sum a) - sum_k log Gamma(a_k) (Bishop 2006,
// eq. 2.38), as a density of all probabilities but the last.
#pragma once
#include <span>
#include <string_view>
#include <vector>

#include "suffice/base/fields.hpp"
#include "suffice/base/random.hpp"
#include "suffice/base/result.hpp"

namespace suffice {

struct DirichletPrior {
    std::vector<double> concentration;
    static constexpr auto fields = FieldTuple{field("concentration", &DirichletPrior::concentration, Axis::level)};
    bool operator==(const DirichletPrior&) const = default;

    bool valid(std::size_t level_count) const;
    DirichletPrior after(std::span<const double> level_weight) const;
    // Logarithms of the probabilities; the family is named in the error.
    Result<std::vector<double>> log_mode(std::string_view family) const;
    std::vector<double> log_mean() const;
    std::vector<double> covariance() const;  // of the probabilities, row by row
    double log_density(std::span<const double> log_probability) const;
    double log_evidence(std::span<const double> level_weight) const;  // of one order of the observations
    std::vector<double> draw(Rng& rng) const;                         // logarithms of the probabilities
};

double total_of(std::span<const double> terms);

// log(mass / total), zeros kept as the smallest probability.
std::vector<double> log_shares(std::span<const double> mass, double total);

bool are_log_probabilities(std::span<const double> log_probability, std::size_t level_count);

// Minimal natural parameters against the last level: eta_k = log(mu_k / mu_last), and back.
void write_log_ratios(std::span<const double> log_probability, std::span<double> out);
std::vector<double> from_log_ratios(std::span<const double> natural);

// scale * (diag(mu) - mu mu') of the first `size` levels, row by row.
void write_level_covariance(std::span<const double> log_probability, double scale, std::size_t size,
                            std::span<double> out);

// Does `other` give probability zero (kept as the smallest) to a level that `truth` allows?
bool excludes_a_level(std::span<const double> other, std::span<const double> truth);

}  // namespace suffice
