// Special functions of statistics: reentrant, never throwing; outside of their domain they are NaN.
#pragma once
#include <cstddef>
#include <cstdint>

namespace suffice {

double log_gamma(double x);  // log |Gamma(x)|; std::lgamma would write the global signgam
double digamma(double x);    // d/dx log Gamma(x)
double trigamma(double x);   // d2/dx2 log Gamma(x)

double log_factorial(std::uint64_t n);

// log B(a, b), without the cancellation of log_gamma(a) + log_gamma(b) - log_gamma(a + b); a, b > 0.
double log_beta(double a, double b);

// log Gamma_d(x) = d (d - 1)/4 log pi + sum_{j=0}^{d-1} log Gamma(x - j/2); x > (d - 1)/2.
double multivariate_log_gamma(std::size_t dimension, double x);

// The two small parts of a binomial or Poisson log probability that do not cancel: Loader, "Fast and accurate
// computation of binomial probabilities", 2000. log x! = (x + 1/2) log x - x + 1/2 log 2 pi + stirling_correction(x), x
// > 0.
double stirling_correction(double x);
// x log(x / mean) + mean - x; x >= 0, mean > 0.
double poisson_deviance(double x, double mean);

// Distribution functions and quantiles: a, b, shape and degrees from 1e-15 to 1e15 (degrees beyond that: the normal's).
double incomplete_beta(double a, double b, double x);             // I_x(a, b), regularised: the CDF of Beta(a, b)
double incomplete_beta_complement(double a, double b, double x);  // 1 - I_x(a, b)
double incomplete_gamma(double shape, double x);             // P(shape, x), regularised: the CDF of Gamma(shape, 1)
double incomplete_gamma_complement(double shape, double x);  // Q = 1 - P: a chi-square test's p is Q(df/2, x/2)
double student_t_cdf(double degrees, double x);

double beta_quantile(double a, double b, double p);
double gamma_quantile(double shape, double p);  // of Gamma(shape, rate 1)
double student_t_quantile(double degrees, double p);
double normal_quantile(double p);  // of the standard normal

}  // namespace suffice
