// Which columns of a covariance are determined by the others, and by which of them.
#pragma once
#include <cstddef>
#include <span>
#include <vector>

namespace suffice {

struct Collinear {
    std::size_t rank = 0;                 // of the correlations, so that units do not matter
    std::vector<std::size_t> determined;  // d - rank columns without which nothing is lost, ascending
    std::vector<std::size_t> by;          // the columns that determine them, ascending; none: they are constant
};

// Reads the lower triangle of a covariance, d x d, row-major; eigenvalues of the correlations not above `least` are
// zero. At least one column is called determined, also where the rank is full but for rounding.
Collinear find_collinear(std::span<const double> covariance, std::size_t d, double least);

}  // namespace suffice
