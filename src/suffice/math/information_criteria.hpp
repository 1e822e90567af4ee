// Criteria that set a likelihood against its number of parameters; the lower the better.
#pragma once
#include <cmath>

namespace suffice {

// Schwarz (1978): -2 L + p log n.
inline double bayesian_criterion(double log_likelihood, double parameters, double rows) {
    return -2 * log_likelihood + parameters * std::log(rows);
}

// Akaike (1974): -2 L + 2 p.
inline double akaike_criterion(double log_likelihood, double parameters) {
    return -2 * log_likelihood + 2 * parameters;
}

}  // namespace suffice
