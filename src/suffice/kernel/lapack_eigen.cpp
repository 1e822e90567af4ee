// kernel/lapack.hpp by Eigen (header only), in the place of kernel/lapack.cpp where OpenBLAS is not to be had.
#include <algorithm>
#include <cassert>
#include <cmath>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/SVD>

#include "suffice/kernel/lapack.hpp"

namespace suffice::kernel {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Columns = Eigen::MatrixXd;  // the decompositions work on columns
using View = Eigen::Map<Matrix>;
using ConstView = Eigen::Map<const Matrix>;

Eigen::Index index(std::size_t size) { return static_cast<Eigen::Index>(size); }
View view(std::span<double> a, std::size_t rows, std::size_t columns) {
    assert(a.size() >= rows * columns);
    return {a.data(), index(rows), index(columns)};
}
ConstView view(std::span<const double> a, std::size_t rows, std::size_t columns) {
    assert(a.size() >= rows * columns);
    return {a.data(), index(rows), index(columns)};
}

}  // namespace

std::size_t cholesky(std::span<double> a, std::size_t dimension) {
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

bool invert_lower(std::span<double> factor, std::size_t dimension) {
    if (dimension == 0) return true;
    auto matrix = view(factor, dimension, dimension);
    if ((matrix.diagonal().array() == 0).any()) return false;
    Matrix inverse = Matrix::Identity(index(dimension), index(dimension));
    matrix.triangularView<Eigen::Lower>().solveInPlace(inverse);
    matrix.triangularView<Eigen::Lower>() = inverse;
    return true;
}

void solve_lower(std::span<const double> factor, std::size_t dimension, std::span<double> b, std::size_t count) {
    if (dimension == 0 || count == 0) return;
    auto right = view(b, dimension, count);
    view(factor, dimension, dimension).triangularView<Eigen::Lower>().solveInPlace(right);
}

void solve_lower_transposed(std::span<const double> factor, std::size_t dimension, std::span<double> b,
                            std::size_t count) {
    if (dimension == 0 || count == 0) return;
    auto right = view(b, dimension, count);
    view(factor, dimension, dimension).transpose().triangularView<Eigen::Upper>().solveInPlace(right);
}

void solve_cholesky(std::span<const double> factor, std::size_t dimension, std::span<double> b, std::size_t count) {
    solve_lower(factor, dimension, b, count);
    solve_lower_transposed(factor, dimension, b, count);
}

bool invert_cholesky(std::span<double> factor, std::size_t dimension) {
    if (!invert_lower(factor, dimension)) return false;
    if (dimension == 0) return true;
    auto matrix = view(factor, dimension, dimension);
    const Matrix lower = matrix.triangularView<Eigen::Lower>();
    matrix.setZero();
    matrix.selfadjointView<Eigen::Lower>().rankUpdate(lower.transpose());
    mirror_lower(factor, dimension);
    return true;
}

bool symmetric_eigen(std::span<double> a, std::size_t dimension, std::span<double> values) {
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

bool singular_values(std::span<double> a, std::size_t rows, std::size_t columns, std::span<double> u,
                     std::span<double> values, std::span<double> vt) {
    const std::size_t rank = std::min(rows, columns);
    if (rank == 0) return true;
    const auto matrix = view(a, rows, columns);
    if (!matrix.allFinite()) return false;
    const Eigen::JacobiSVD<Columns> found{Columns(matrix), Eigen::ComputeThinU | Eigen::ComputeThinV};
    if (found.info() != Eigen::Success) return false;
    view(u, rows, rank) = found.matrixU();
    view(values, rank, 1) = found.singularValues();
    view(vt, rank, columns) = found.matrixV().transpose();
    return true;
}

bool solve_general(std::span<double> a, std::size_t dimension, std::span<double> b, std::size_t count) {
    if (dimension == 0 || count == 0) return true;
    const Eigen::PartialPivLU<Columns> found{Columns(view(a, dimension, dimension))};
    if ((found.matrixLU().diagonal().array() == 0).any()) return false;
    auto right = view(b, dimension, count);
    right = found.solve(Columns(right));
    return true;
}

void multiply(Form a_form, Form b_form, std::size_t rows, std::size_t columns, std::size_t inner, double alpha,
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

void self_product(std::size_t rows, std::size_t columns, double alpha, std::span<const double> a, double beta,
                  std::span<double> c) {
    if (columns == 0) return;
    for (std::size_t i = 0; i < columns; ++i)
        for (std::size_t j = 0; j <= i; ++j) c[i * columns + j] = beta == 0 ? 0 : beta * c[i * columns + j];
    if (rows == 0) return;
    view(c, columns, columns).selfadjointView<Eigen::Lower>().rankUpdate(view(a, rows, columns).transpose(), alpha);
}

void mirror_lower(std::span<double> a, std::size_t dimension) {
    for (std::size_t i = 0; i < dimension; ++i)
        for (std::size_t j = 0; j < i; ++j) a[j * dimension + i] = a[i * dimension + j];
}

}  // namespace suffice::kernel
