// Linear algebra by Eigen, compiled once for each instruction set: who includes this says in SUFFICE_EIGEN_TARGET which
// namespace it goes to, and has given Eigen's own namespace a name for that set.
#ifndef SUFFICE_EIGEN_TARGET
#define SUFFICE_EIGEN_TARGET portable
#endif
#include <algorithm>
#include <cassert>

#define EIGEN_MPL2_ONLY
#define EIGEN_DONT_PARALLELIZE
#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

#include "suffice/kernel/linear_algebra_routines.hpp"

namespace suffice::kernel::SUFFICE_EIGEN_TARGET {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Columns = Eigen::MatrixXd;  // the decompositions work on columns
using View = Eigen::Map<Matrix>;
using ConstView = Eigen::Map<const Matrix>;
using Piece = Eigen::Block<View>;

inline Eigen::Index index(std::size_t size) { return static_cast<Eigen::Index>(size); }
inline View view(std::span<double> a, std::size_t rows, std::size_t columns) {
    assert(a.size() >= rows * columns);
    return {a.data(), index(rows), index(columns)};
}
inline ConstView view(std::span<const double> a, std::size_t rows, std::size_t columns) {
    assert(a.size() >= rows * columns);
    return {a.data(), index(rows), index(columns)};
}

inline std::size_t factor(std::span<double> a, std::size_t dimension) {
    if (dimension == 0) return 0;
    auto matrix = view(a, dimension, dimension);
    auto failed = static_cast<std::size_t>(Eigen::internal::llt_inplace<double, Eigen::Lower>::blocked(matrix) + 1);
    for (std::size_t i = 0; i < dimension; ++i) {
        if (failed == 0 && !(a[i * dimension + i] > 0)) failed = i + 1;  // NaN
        std::fill(a.begin() + static_cast<std::ptrdiff_t>(i * dimension + i + 1),
                  a.begin() + static_cast<std::ptrdiff_t>((i + 1) * dimension), 0.0);
    }
    return failed;
}

// The inverse of (A 0; B C) is (A^-1 0; -C^-1 B A^-1 C^-1), by halves.
inline void invert_halves(View matrix, Eigen::Index first, Eigen::Index size) {
    if (size == 1) {
        matrix(first, first) = 1 / matrix(first, first);
        return;
    }
    const Eigen::Index half = size / 2, rest = size - half, middle = first + half;
    const Piece top(matrix, first, first, half, half), low(matrix, middle, middle, rest, rest);
    Piece below(matrix, middle, first, rest, half);
    low.triangularView<Eigen::Lower>().solveInPlace(below);
    top.triangularView<Eigen::Lower>().solveInPlace<Eigen::OnTheRight>(below);
    below = -below;
    invert_halves(matrix, first, half);
    invert_halves(matrix, middle, rest);
}

inline bool invert_lower(std::span<double> factor, std::size_t dimension) {
    if (dimension == 0) return true;
    auto matrix = view(factor, dimension, dimension);
    if ((matrix.diagonal().array() == 0).any()) return false;
    invert_halves(matrix, 0, index(dimension));
    return true;
}

inline void solve_lower(std::span<const double> factor, std::size_t dimension, std::span<double> b, std::size_t count) {
    if (dimension == 0 || count == 0) return;
    auto right = view(b, dimension, count);
    view(factor, dimension, dimension).triangularView<Eigen::Lower>().solveInPlace(right);
}

inline void solve_lower_transposed(std::span<const double> factor, std::size_t dimension, std::span<double> b,
                                   std::size_t count) {
    if (dimension == 0 || count == 0) return;
    auto right = view(b, dimension, count);
    view(factor, dimension, dimension).transpose().triangularView<Eigen::Upper>().solveInPlace(right);
}

// A^-1 = (L^-1)' L^-1, a few rows of L^-1 at a time: those further up end sooner.
inline bool invert_cholesky(std::span<double> factor, std::size_t dimension) {
    if (!invert_lower(factor, dimension)) return false;
    if (dimension == 0) return true;
    auto matrix = view(factor, dimension, dimension);
    const Matrix lower = matrix.triangularView<Eigen::Lower>();
    matrix.setZero();
    const Eigen::Index size = index(dimension), at_once = 64;
    for (Eigen::Index row = 0; row < size; row += at_once) {
        const Eigen::Index count = std::min(at_once, size - row), width = row + count;
        matrix.topLeftCorner(width, width)
            .selfadjointView<Eigen::Lower>()
            .rankUpdate(lower.block(row, 0, count, width).transpose());
    }
    mirror_lower(factor, dimension);
    return true;
}

inline bool symmetric_eigen(std::span<double> a, std::size_t dimension, std::span<double> values) {
    if (dimension == 0) return true;
    mirror_lower(a, dimension);
    auto matrix = view(a, dimension, dimension);
    if (!matrix.allFinite()) return false;
    const Eigen::SelfAdjointEigenSolver<Columns> found{Columns(matrix)};
    if (found.info() != Eigen::Success) return false;
    view(values, dimension, 1) = found.eigenvalues();
    matrix = found.eigenvectors().transpose();
    return true;
}

inline void multiply(Form a_form, Form b_form, std::size_t rows, std::size_t columns, std::size_t inner, double alpha,
                     std::span<const double> a, std::span<const double> b, double beta, std::span<double> c) {
    if (rows == 0 || columns == 0) return;
    auto out = view(c, rows, columns);
    if (beta == 0)
        out.setZero();  // also over NaN
    else if (beta != 1)
        out *= beta;
    if (inner == 0) return;
    const bool plain_a = a_form == Form::plain, plain_b = b_form == Form::plain;
    const auto left = plain_a ? view(a, rows, inner) : view(a, inner, rows);
    const auto right = plain_b ? view(b, inner, columns) : view(b, columns, inner);
    if (plain_a && plain_b)
        out.noalias() += alpha * left * right;
    else if (plain_a)
        out.noalias() += alpha * left * right.transpose();
    else if (plain_b)
        out.noalias() += alpha * left.transpose() * right;
    else
        out.noalias() += alpha * left.transpose() * right.transpose();
}

inline void self_product(std::size_t rows, std::size_t columns, double alpha, std::span<const double> a, double beta,
                         std::span<double> c) {
    if (columns == 0) return;
    for (std::size_t i = 0; i < columns; ++i)
        for (std::size_t j = 0; j <= i; ++j) c[i * columns + j] = beta == 0 ? 0 : beta * c[i * columns + j];
    if (rows == 0) return;
    view(c, columns, columns).selfadjointView<Eigen::Lower>().rankUpdate(view(a, rows, columns).transpose(), alpha);
}

inline constexpr LinearAlgebraRoutines routines{
    factor,          invert_lower, invert_cholesky, solve_lower, solve_lower_transposed,
    symmetric_eigen, multiply,     self_product};

}  // namespace suffice::kernel::SUFFICE_EIGEN_TARGET
