// The Gamma prior of a rate or of a precision, shared by the families that have one.
// log p(r) = (shape - 1) log r - rate r + shape log rate - log Gamma(shape) (Bishop 2006, eq. 2.146).
#pragma once
#include <string_view>

#include "suffice/base/fields.hpp"
#include "suffice/base/random.hpp"
#include "suffice/base/result.hpp"

namespace suffice {

struct GammaPrior {
    double shape = 1;
    double rate = 1;
    static constexpr auto fields = FieldTuple{field("shape", &GammaPrior::shape), field("rate", &GammaPrior::rate)};
    bool operator==(const GammaPrior&) const = default;

    bool valid() const;
    Result<double> mode(std::string_view family) const;  // the family is named in the error
    double mean() const { return shape / rate; }
    double variance() const { return shape / (rate * rate); }
    double log_density(double value) const;
    double quantile(double p) const;
    double draw(Rng& rng) const;
};

}  // namespace suffice
