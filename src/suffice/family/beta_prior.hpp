// The Beta prior of a probability, shared by the families that have one.
// log p(mu) = (alpha - 1) log mu + (beta - 1) log(1 - mu) - log B(alpha, beta) (Bishop 2006, eq. 2.13).
#pragma once

#include "suffice/base/fields.hpp"
#include "suffice/base/random.hpp"
#include "suffice/base/result.hpp"

namespace suffice {

struct BetaPrior {
    double alpha = 1;
    double beta = 1;
    static constexpr auto fields = FieldTuple{field("alpha", &BetaPrior::alpha), field("beta", &BetaPrior::beta)};
    bool operator==(const BetaPrior&) const = default;

    bool valid() const;
    Result<double> mode(std::string_view family) const;  // the family is named in the error
    double mean() const { return alpha / (alpha + beta); }
    double variance() const;
    double log_density(double probability) const;
    double quantile(double p) const;
    double draw(Rng& rng) const;
};

}  // namespace suffice
