// How far a smoothed Bernoulli estimate may be from the truth, and what that costs.
// mu' = (k + 1) / (m + 2) is the mode under Beta(2, 2) and the mean under Beta(1, 1). It differs from k/m by at most
// 1 / (m + 2), so Hoeffding's inequality gives P(|mu' - mu| >= 1/(m + 2) + e) <= 2 exp(-2 m e^2).
#pragma once

namespace suffice {

// (k + 1) / (m + 2), which lies in [1/(m + 2), (m + 1)/(m + 2)].
double smoothed_probability(double ones, double trials);

// The bound on the probability that mu' misses mu by 1/(m + 2) + excess or more; at most 1.
double smoothed_miss_bound(double trials, double excess);

// The distance that mu' keeps from mu with at least the given probability: the bound above, solved for it.
double smoothed_margin(double trials, double confidence);

// KL(mu, mu') <= (mu - mu')^2 / (mu' (1 - mu')), in nats: the excess risk of using mu' where mu is true.
double excess_risk_bound(double truth, double estimate);

}  // namespace suffice
