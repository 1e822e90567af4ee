// Singular values by Eigen. The matrices have as many rows as there are classes, so that one instruction set serves
// all; a file of its own, since its templates take as long to compile as all others together.
#include <algorithm>

#include <Eigen/SVD>

#include "suffice/kernel/linear_algebra.hpp"

namespace suffice::kernel {

#if defined(__wasm__)  // a page is loaded before it is run, and dividing and conquering is twice the code
using Decomposition = Eigen::JacobiSVD<Eigen::MatrixXd>;
#else
using Decomposition = Eigen::BDCSVD<Eigen::MatrixXd>;
#endif

bool singular_values(std::span<double> a, std::size_t rows, std::size_t columns, std::span<double> u,
                     std::span<double> values, std::span<double> vt) {
    using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    const auto view = [](std::span<double> of, std::size_t height, std::size_t width) {
        return Eigen::Map<Matrix>(of.data(), static_cast<Eigen::Index>(height), static_cast<Eigen::Index>(width));
    };
    const std::size_t rank = std::min(rows, columns);
    if (rank == 0) return true;
    const auto matrix = view(a, rows, columns);
    if (!matrix.allFinite()) return false;
    const Decomposition found{Eigen::MatrixXd(matrix), Eigen::ComputeThinU | Eigen::ComputeThinV};
    if (found.info() != Eigen::Success) return false;
    view(u, rows, rank) = found.matrixU();
    view(values, rank, 1) = found.singularValues();
    view(vt, rank, columns) = found.matrixV().transpose();
    return true;
}

}  // namespace suffice::kernel
