// One pass of softmax regression: loss and gradient together, reading each row once.
#pragma once
#include <cstddef>
#include <cstdint>

#include "suffice/kernel/rows.hpp"

namespace suffice::kernel {

// With p = softmax(bias + coefficient . (x - centre)): returns sum_r w_r (-log p_code) and adds w_r (p_c - [c = code])
// (x - centre) to gradient (k x d, row-major) and w_r (p_c - [c = code]) to bias_gradient (k).
// coefficient: k x d, row-major. Rows with a code outside 0 .. k - 1 or of weight zero count for nothing.
// posterior (may be nullptr): class-major, posterior[c * row_count + row], for curvature.
double softmax_gradient(Rows rows, const std::int32_t* code, const double* weight, const double* centre,
                        const double* coefficient, const double* bias, std::size_t class_count, double* gradient,
                        double* bias_gradient, double* posterior);

}  // namespace suffice::kernel
