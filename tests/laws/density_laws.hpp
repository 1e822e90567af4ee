// The laws of a density: it sums or integrates to one, and draws from it have its moments.
#pragma once
#include <functional>

#include "laws/findings.hpp"

namespace suffice::laws {

// The integral over the line of f, which fades on both sides of a region of the given centre and width.
inline double integrate(double low, double high, int steps, const std::function<double(double)>& f) {
    const double step = (high - low) / steps;
    double sum = (f(low) + f(high)) / 2;
    for (int i = 1; i < steps; ++i) sum += f(low + i * step);
    return sum * step;
}

// The total of exp(log_density) over a support of single numbers: counts, the line, the half line or the unit interval.
template <class F>
double total_probability(const F& family, double centre, double deviation,
                         const std::function<double(double)>& log_density) {
    if (!family.supports(0.5) && !family.supports(-0.5)) {
        double sum = 0;
        for (double x = 0; x < 20000 && family.supports(x); ++x) sum += std::exp(log_density(x));
        return sum;
    }
    if (family.supports(-1.0))
        return integrate(centre - 60 * deviation, centre + 60 * deviation, 20000,
                         [&](double x) { return std::exp(log_density(x)); });
    if (family.supports(2.0))  // x = exp(u)
        return integrate(std::log(centre) - 60, std::log(centre) + 12, 20000,
                         [&](double u) { return std::exp(log_density(std::exp(u)) + u); });
    return integrate(-30, 30, 20000, [&](double u) {  // x = sigmoid(u)
        const double x = 1 / (1 + std::exp(-u));
        return x < 1 ? std::exp(log_density(x)) * x * (1 - x) : 0;
    });
}

// Of a plane: pairs of numbers, or counts of all levels.
template <class F>
double total_probability_of_vectors(const F& family, const std::vector<double>& mean,
                                    const std::vector<double>& variance,
                                    const std::function<double(std::span<const double>)>& log_density) {
    double sum = 0;
    if constexpr (requires { family.trial_count; }) {
        for (double a = 0; a <= family.trial_count; ++a)
            for (double b = 0; a + b <= family.trial_count; ++b) {
                const double counts[] = {a, b, family.trial_count - a - b};
                sum += std::exp(log_density(counts));
            }
        return sum;
    }
    const double width = std::sqrt(variance[0]), height = std::sqrt(variance[3]), step = 0.1;
    for (double a = -9; a <= 9; a += step)
        for (double b = -9; b <= 9; b += step) {
            const double point[] = {mean[0] + a * width, mean[1] + b * height};
            sum += std::exp(log_density(point));
        }
    return sum * step * step * width * height;
}

template <Family F>
void check_density(Findings& findings) {
    const auto typical = F::typical();
    const F& family = typical.first;
    const auto& parameter = typical.second;
    const auto mean = as_vector(family.mean(parameter)), variance = as_vector(family.variance(parameter));
    const std::size_t d = mean.size();
    findings.require(variance.size() == d * d, "there is a variance for each pair of means");

    double total = 0;
    if constexpr (std::same_as<typename F::Value, double>)
        total = total_probability(family, mean[0], std::sqrt(variance[0]),
                                  [&](double x) { return family.log_density(parameter, x); });
    else
        total = total_probability_of_vectors(
            family, mean, variance, [&](std::span<const double> x) { return family.log_density(parameter, x); });
    findings.require_near(total, 1, 1e-8, "the density adds up to one");

    constexpr int count = 40000;
    const auto rows = draw_rows(family, parameter, count, 11);
    std::vector<double> sum(d), product(d * d), product_square(d * d);
    for (const auto& row : rows) {
        findings.require(family.supports(row), "what is drawn is supported");
        const auto x = coordinates(family, row);
        for (std::size_t i = 0; i < d; ++i) {
            sum[i] += x[i];
            for (std::size_t j = 0; j < d; ++j) {
                const double term = (x[i] - mean[i]) * (x[j] - mean[j]);
                product[i * d + j] += term;
                product_square[i * d + j] += term * term;
            }
        }
    }
    for (std::size_t i = 0; i < d; ++i) {
        findings.require_near(sum[i] / count, mean[i], 6 * std::sqrt(variance[i * d + i] / count),
                              "the mean of draws is the mean");
        for (std::size_t j = 0; j < d; ++j) {
            const double average = product[i * d + j] / count;
            const double error = std::sqrt(product_square[i * d + j] / count / count);
            findings.require_near(average, variance[i * d + j], 6 * error, "the variance of draws is the variance");
        }
    }
}

// The average of many estimates from few rows is the truth: of the parameter's own numbers, or of the vector's moments.
template <UnbiasedFamily F>
void check_unbiased(Findings& findings) {
    const auto typical = F::typical();
    const F& family = typical.first;
    const auto numbers = [&](const typename F::Parameter& p) {
        if constexpr (std::same_as<typename F::Value, double>) return numbers_of(p);
        auto all = as_vector(family.mean(p));
        for (double each : as_vector(family.variance(p))) all.push_back(each);
        return all;
    };
    const auto truth = numbers(typical.second);
    std::vector<double> sum(truth.size()), square(truth.size());
    constexpr int repeats = 4000;
    for (int i = 0; i < repeats; ++i) {
        const auto rows = draw_rows(family, typical.second, 6, 1000 + i);
        const auto estimate = numbers(family.unbiased(gather(family, rows)).value());
        for (std::size_t k = 0; k < truth.size(); ++k) {
            sum[k] += estimate[k] - truth[k];
            square[k] += (estimate[k] - truth[k]) * (estimate[k] - truth[k]);
        }
    }
    for (std::size_t k = 0; k < truth.size(); ++k)
        findings.require_near(truth[k] + sum[k] / repeats, truth[k], 5 * std::sqrt(square[k]) / repeats + 1e-12,
                              "unbiased estimates average to the truth");
    findings.require(!family.unbiased(family.empty()), "no rows have no unbiased estimate");
}

}  // namespace suffice::laws
