// Kernels of each shape: values, volumes, sums and draws.
#include "suffice/density/kernel_value.hpp"

#include <cmath>
#include <numbers>
#include <vector>

#include "suffice/kernel/exp_sum.hpp"
#include "suffice/math/log_sum_exp.hpp"
#include "suffice/math/sampling.hpp"
#include "suffice/math/special.hpp"

namespace suffice {
namespace {

double log_ball_volume(double d) { return d / 2 * std::log(std::numbers::pi) - log_gamma(d / 2 + 1); }
double log_sphere_area(double d) { return std::log(2 * std::numbers::pi) + log_ball_volume(d - 1); }

// K at the squared distance, of kernels that end at one.
double compact_kernel(KernelShape kernel, double square) {
    if (!(square < 1)) return 0;
    switch (kernel) {
        case KernelShape::epanechnikov:
            return 1 - square;
        case KernelShape::linear:
            return 1 - std::sqrt(square);
        case KernelShape::cosine:
            return std::cos(std::numbers::pi / 2 * std::sqrt(square));
        default:
            return 1;
    }
}

}  // namespace

double squared_distance_of(const double* a, const double* b, std::size_t d) {
    double sum = 0;
    for (std::size_t j = 0; j < d; ++j) sum += (a[j] - b[j]) * (a[j] - b[j]);
    return sum;
}

double log_kernel(KernelShape kernel, double square) {
    if (kernel == KernelShape::gaussian) return -square / 2;
    if (kernel == KernelShape::exponential) return -std::sqrt(square);
    return std::log(compact_kernel(kernel, square));
}

double log_kernel_volume(KernelShape kernel, std::size_t dimension) {
    const double d = static_cast<double>(dimension);
    switch (kernel) {
        case KernelShape::gaussian:
            return d / 2 * std::log(2 * std::numbers::pi);
        case KernelShape::tophat:
            return log_ball_volume(d);
        case KernelShape::epanechnikov:
            return log_ball_volume(d) + std::log(2 / (d + 2));
        case KernelShape::exponential:
            return log_sphere_area(d - 1) + log_gamma(d);
        case KernelShape::linear:
            return log_ball_volume(d) - std::log(d + 1);
        case KernelShape::cosine: {  // the integral of r^(d-1) cos(a r) from 0 to 1, as a series in a = pi / 2
            constexpr double square = std::numbers::pi * std::numbers::pi / 4;
            double sum = 0, term = 1;
            for (double k = 0; k < 30; k += 2) {
                sum += term / (d + k);
                term *= -square / ((k + 1) * (k + 2));
            }
            return std::log(sum) + log_sphere_area(d - 1);
        }
    }
    return 0;
}

void log_kernel_sums(KernelShape kernel, kernel::Rows queries, kernel::Rows points, const double* log_weight,
                     double* out) {
    if (kernel == KernelShape::gaussian) return kernel::exp_sum(queries, points, log_weight, out);
    std::vector<double> terms(points.row_count);
    for (std::size_t q = 0; q < queries.row_count; ++q) {
        double sum = 0;
        for (std::size_t i = 0; i < points.row_count; ++i) {
            const double square = squared_distance_of(queries.row(q), points.row(i), queries.column_count);
            if (kernel == KernelShape::exponential)
                terms[i] = log_weight[i] - std::sqrt(square);
            else
                sum += std::exp(log_weight[i]) * compact_kernel(kernel, square);
        }
        out[q] = kernel == KernelShape::exponential ? log_sum_exp(terms) : std::log(sum);
    }
}

double sample_kernel_radius(KernelShape kernel, double d, Rng& rng) {
    switch (kernel) {
        case KernelShape::gaussian:
            return std::sqrt(sample_chi_square(d, rng));
        case KernelShape::tophat:
            return std::pow(rng.uniform_open(), 1 / d);
        case KernelShape::epanechnikov:
            return std::sqrt(sample_beta(d / 2, 2, rng));
        case KernelShape::exponential:
            return sample_gamma(d, rng);
        case KernelShape::linear:
            return sample_beta(d, 2, rng);
        case KernelShape::cosine:
            for (;;) {  // cos(pi r / 2) <= 1 - r^2 on [0, 1]
                const double r = std::sqrt(sample_beta(d / 2, 2, rng));
                if (rng.uniform() * (1 - r * r) <= std::cos(std::numbers::pi / 2 * r)) return r;
            }
    }
    return 0;
}

}  // namespace suffice
