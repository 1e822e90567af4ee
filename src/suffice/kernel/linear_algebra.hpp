// Dense linear algebra, single-threaded. Matrices are row-major, packed without gaps.
#pragma once
#include <cstddef>
#include <span>
#include <string>

namespace suffice::kernel {

// A = L L': the lower triangle of `a` is read and replaced by L, zeros go above. Returns 0, or the order (from 1) of
// the first leading minor that is not positive; `a` is spoilt then.
std::size_t cholesky(std::span<double> a, std::size_t dimension);

// Lower-triangular L (what lies above is not read) in place: L := L^-1. False: a zero on the diagonal.
bool invert_lower(std::span<double> factor, std::size_t dimension);

// Right sides as the columns of b (dimension x count): L X = b, L' X = b, L L' X = b; b := X.
void solve_lower(std::span<const double> factor, std::size_t dimension, std::span<double> b, std::size_t count);
void solve_lower_transposed(std::span<const double> factor, std::size_t dimension, std::span<double> b,
                            std::size_t count);
void solve_cholesky(std::span<const double> factor, std::size_t dimension, std::span<double> b, std::size_t count);

// From the factor L: A^-1, both triangles, in place.
bool invert_cholesky(std::span<double> factor, std::size_t dimension);

// Symmetric A (lower triangle read) = V' diag(values) V: values ascending; the rows of `a` become the eigenvectors.
// False: no convergence, or a value that is not finite.
bool symmetric_eigen(std::span<double> a, std::size_t dimension, std::span<double> values);

// A (rows x columns, spoilt) = U diag(values) Vt; r = min(rows, columns); u: rows x r, values: r descending, vt: r x
// columns.
bool singular_values(std::span<double> a, std::size_t rows, std::size_t columns, std::span<double> u,
                     std::span<double> values, std::span<double> vt);

// That of Eigen, which is beneath: "3.4.0".
std::string linear_algebra_version();

enum class Form { plain, transposed };

// c := alpha op(a) op(b) + beta c; op(a): rows x inner, op(b): inner x columns, c: rows x columns.
void multiply(Form a_form, Form b_form, std::size_t rows, std::size_t columns, std::size_t inner, double alpha,
              std::span<const double> a, std::span<const double> b, double beta, std::span<double> c);

// c := alpha a' a + beta c, lower triangle only; a: rows x columns, c: columns x columns.
void self_product(std::size_t rows, std::size_t columns, double alpha, std::span<const double> a, double beta,
                  std::span<double> c);

// Copies the lower triangle over the upper one.
void mirror_lower(std::span<double> a, std::size_t dimension);

}  // namespace suffice::kernel
