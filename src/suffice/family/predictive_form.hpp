// What one more row is expected to be under a prior or a posterior, by the usual name of that distribution and with its
// parameters: the form in which books and SciPy have the predictive that log_predictive computes.
#pragma once
#include <optional>
#include <string>

#include "suffice/family/handle.hpp"

namespace suffice {

// bernoulli(probability), categorical(probability), dirichlet_multinomial(trials, concentration),
// negative_binomial(successes, probability), beta_geometric(alpha, beta),
// beta_negative_binomial(successes, alpha, beta), lomax(shape, scale), gaussian(mean, variance or covariance),
// student_t(degrees, location, scale or scale_matrix), independent_student_t (lists), log_student_t (of the logarithm).
struct PredictiveForm {
    std::string name;
    Record parameters;
};

// Nothing where it has no such name, or `belief` is no prior of the family.
std::optional<PredictiveForm> predictive_form(const AnyFamily& family, const Record& belief);

}  // namespace suffice
