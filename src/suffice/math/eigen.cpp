// Symmetric eigen-decomposition by cyclic Jacobi rotations.
#include "suffice/math/eigen.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

namespace suffice {
namespace {

// Golub, Van Loan, "Matrix Computations", 8.5: rotates row and column p, q so that a[p][q] becomes 0; rows of `vectors`
// follow.
void rotate(std::vector<double>& a, std::vector<double>& vectors, std::size_t d, std::size_t p, std::size_t q) {
    const double off = a[p * d + q];
    if (off == 0) return;
    const double ratio = (a[q * d + q] - a[p * d + p]) / (2 * off);
    const double tangent = std::copysign(1.0, ratio) / (std::abs(ratio) + std::hypot(1.0, ratio));
    const double cosine = 1 / std::hypot(1.0, tangent);
    const double sine = tangent * cosine;
    for (std::size_t k = 0; k < d; ++k) {
        const double left = a[k * d + p];
        const double right = a[k * d + q];
        a[k * d + p] = cosine * left - sine * right;
        a[k * d + q] = sine * left + cosine * right;
    }
    for (std::size_t k = 0; k < d; ++k) {
        const double upper = a[p * d + k];
        const double lower = a[q * d + k];
        a[p * d + k] = cosine * upper - sine * lower;
        a[q * d + k] = sine * upper + cosine * lower;
        const double first = vectors[p * d + k];
        const double second = vectors[q * d + k];
        vectors[p * d + k] = cosine * first - sine * second;
        vectors[q * d + k] = sine * first + cosine * second;
    }
    a[p * d + q] = a[q * d + p] = 0;
}

bool jacobi(std::vector<double>& a, std::vector<double>& vectors, std::size_t d) {
    double total = 0;
    for (const double entry : a) total += entry * entry;
    for (int sweep = 0; sweep < 60; ++sweep) {
        double off = 0;
        for (std::size_t p = 0; p < d; ++p) {
            for (std::size_t q = 0; q < p; ++q) off += a[p * d + q] * a[p * d + q];
        }
        if (off <= 1e-34 * total) return true;
        for (std::size_t p = 0; p < d; ++p) {
            for (std::size_t q = p + 1; q < d; ++q) rotate(a, vectors, d, p, q);
        }
    }
    return false;
}

}  // namespace

bool symmetric_eigen(std::span<double> a, std::size_t d, std::span<double> values) {
    double largest = 0;
    for (std::size_t i = 0; i < d; ++i) {
        for (std::size_t j = 0; j <= i; ++j) {
            if (!std::isfinite(a[i * d + j])) return false;
            largest = std::max(largest, std::abs(a[i * d + j]));
        }
    }
    const double scale = largest > 0 ? largest : 1;  // so that no square overflows or vanishes
    std::vector<double> work(d * d), vectors(d * d, 0.0);
    for (std::size_t i = 0; i < d; ++i) {
        vectors[i * d + i] = 1;
        for (std::size_t j = 0; j <= i; ++j) work[i * d + j] = work[j * d + i] = a[i * d + j] / scale;
    }
    if (!jacobi(work, vectors, d)) return false;
    std::vector<std::size_t> order(d);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return work[i * d + i]; });
    for (std::size_t i = 0; i < d; ++i) {
        values[i] = work[order[i] * d + order[i]] * scale;
        const double* const from = vectors.data() + order[i] * d;
        const double* const peak =
            std::max_element(from, from + d, [](double l, double r) { return std::abs(l) < std::abs(r); });
        for (std::size_t k = 0; k < d; ++k) a[i * d + k] = *peak < 0 ? -from[k] : from[k];
    }
    return true;
}

}  // namespace suffice
