// The Gamma prior of a rate or of a precision: mode, density, quantiles, draws.
#include "suffice/family/gamma_prior.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "suffice/family/concepts.hpp"
#include "suffice/math/sampling.hpp"
#include "suffice/math/special.hpp"

namespace suffice {

bool GammaPrior::valid() const { return shape > 0 && rate > 0 && std::isfinite(shape) && std::isfinite(rate); }

Result<double> GammaPrior::mode(std::string_view family) const {
    if (!(shape >= 1 && rate > 0))
        return Error{std::string(family) + ": Gamma(" + std::to_string(shape) + ", " + std::to_string(rate) +
                     ") has no mode; the shape must be at least 1 and the rate positive"};
    return std::max((shape - 1) / rate, smallest_probability);
}

double GammaPrior::log_density(double value) const {
    return shape * std::log(rate) - log_gamma(shape) + (shape - 1) * std::log(value) - rate * value;
}

double GammaPrior::quantile(double p) const { return gamma_quantile(shape, p) / rate; }

double GammaPrior::draw(Rng& rng) const { return std::max(sample_gamma(shape, rng) / rate, smallest_probability); }

}  // namespace suffice
