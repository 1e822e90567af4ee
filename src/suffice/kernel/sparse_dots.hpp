// Products of sparse rows with one vector of weights.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

namespace suffice::kernel {

// out[row] = sum over the row's entries of value * weight[column]; row_start has one more place than there are rows.
// Nothing beyond the weights is read; false: there is a column beyond them, and out means nothing.
bool sparse_dots(std::span<const std::int64_t> row_start, const std::int32_t* column, const double* value,
                 std::span<const double> weight, double* out);
bool sparse_dots(std::span<const std::int64_t> row_start, const std::int64_t* column, const double* value,
                 std::span<const double> weight, double* out);

}  // namespace suffice::kernel
