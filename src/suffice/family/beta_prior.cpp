// The Beta prior of a probability: mode, moments, density, quantiles, draws.
#include "suffice/family/beta_prior.hpp"

#include <cmath>
#include <string>

#include "suffice/family/probability.hpp"
#include "suffice/math/sampling.hpp"
#include "suffice/math/special.hpp"

namespace suffice {

bool BetaPrior::valid() const { return alpha > 0 && beta > 0 && std::isfinite(alpha) && std::isfinite(beta); }

Result<double> BetaPrior::mode(std::string_view family) const {
    if (!(alpha >= 1 && beta >= 1 && alpha + beta > 2))
        return Error{std::string(family) + ": Beta(" + std::to_string(alpha) + ", " + std::to_string(beta) +
                     ") has no single mode; alpha and beta must be at least 1 and not both 1"};
    return kept((alpha - 1) / (alpha + beta - 2));
}

double BetaPrior::variance() const {
    const double total = alpha + beta;
    return alpha / total * (beta / total) / (total + 1);
}

double BetaPrior::log_density(double probability) const {
    return (alpha - 1) * log_kept(probability) + (beta - 1) * log_complement(probability) - log_beta(alpha, beta);
}

double BetaPrior::quantile(double p) const { return beta_quantile(alpha, beta, p); }

double BetaPrior::draw(Rng& rng) const { return sample_beta(alpha, beta, rng); }

}  // namespace suffice
