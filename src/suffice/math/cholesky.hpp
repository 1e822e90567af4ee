// Cholesky factor A = L L' of a dense symmetric matrix, row-major, and what one does with it. Large ones go to the
// kernels.
#pragma once
#include <cstddef>
#include <span>

namespace suffice {

// In place; reads the lower triangle, leaves the lower factor and zeros above it. False: not positive definite (or not
// finite), and `a` is spoilt.
bool factorize(std::span<double> a, std::size_t d);

void solve_lower(std::span<const double> factor, std::span<double> x);       // L z = x, in place
void solve_upper(std::span<const double> factor, std::span<double> x);       // L' z = x, in place
void solve_factorized(std::span<const double> factor, std::span<double> x);  // L L' z = x, in place

double log_determinant(std::span<const double> factor, std::size_t d);  // of A, not of L

// x' A^-1 x = |L^-1 x|^2: the squared Mahalanobis distance of x from 0.
double squared_distance(std::span<const double> factor, std::span<const double> x);

// L^-1, lower triangular with zeros above it; A^-1, both triangles. `out` may not overlap `factor`.
void inverse_lower(std::span<const double> factor, std::size_t d, std::span<double> out);
void inverse(std::span<const double> factor, std::size_t d, std::span<double> out);

// A = L L', both triangles. `out` may not overlap `factor`.
void multiply_factor(std::span<const double> factor, std::size_t d, std::span<double> out);

// A z = x for a symmetric positive definite A: factorises `a` in place and solves into `x`. False: not positive
// definite.
bool solve_symmetric(std::span<double> a, std::span<double> x);

// The factor of A + x x' and of A - x x'. The downdate returns false and leaves the factor alone where A - x x' would
// not be positive definite.
void update_factor(std::span<double> factor, std::span<const double> x);
bool downdate_factor(std::span<double> factor, std::span<const double> x);

}  // namespace suffice
