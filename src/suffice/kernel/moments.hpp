// First and second moments of rows, per class: by label, or by the share that each class has in each row.
#pragma once
#include <cstddef>
#include <cstdint>

#include "suffice/kernel/rows.hpp"

namespace suffice::kernel {

// Adds w, w (x - centre) and w (x - centre)^2 to the entries of each row's class.
// code: class per row, negative = skip the row, nullptr = all rows are of class 0. weight: nullptr = 1, zero skips the
// row. class_weight: k; sum and square: k x d, row-major; square may be nullptr.
void class_moments(Rows rows, const std::int32_t* code, const double* weight, std::size_t class_count,
                   const double* centre, double* class_weight, double* sum, double* square);
void class_moments(FloatRows rows, const std::int32_t* code, const double* weight, std::size_t class_count,
                   const double* centre, double* class_weight, double* sum, double* square);

// The same with share[c * share_stride + row] as the weight of each row in each class.
void shared_moments(Rows rows, const double* share, std::size_t share_stride, std::size_t class_count,
                    const double* centre, double* class_weight, double* sum, double* square);

}  // namespace suffice::kernel
