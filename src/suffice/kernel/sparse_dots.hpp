// Products of sparse rows with one vector of weights.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

namespace suffice::kernel {

// out[row] = bias + sum over the row's entries of value * weight[column]; row_start has one more place than there are
// rows, and value and column are those of the whole matrix. Places and columns are 32 or 64 bits wide. Nothing beyond
// the entries and the weights is read; false: a row or a column is not among them, and out means nothing.
template <class Start, class Index>
bool sparse_dots(std::span<const Start> row_start, std::span<const Index> column, std::span<const double> value,
                 std::span<const double> weight, double bias, double* out);

}  // namespace suffice::kernel
