// Eigenvalues and eigenvectors of a dense symmetric matrix.
#pragma once
#include <cstddef>
#include <span>

namespace suffice {

// Reads the lower triangle of `a` (d x d, row-major). Leaves the eigenvalues in `values`, ascending, and the unit
// eigenvector of values[i] in row i of `a`, so that A = a' diag(values) a; each vector's largest entry is positive,
// which fixes its sign. False: an entry is not finite, or no convergence, and `a` is spoilt.
bool symmetric_eigen(std::span<double> a, std::size_t d, std::span<double> values);

}  // namespace suffice
