// log Phi(a), the log of the standard normal's distribution function, and its slope; accurate where Phi underflows.
#pragma once

namespace suffice {

double log_probit(double a);
double log_probit_slope(double a);  // phi(a) / Phi(a)

}  // namespace suffice
