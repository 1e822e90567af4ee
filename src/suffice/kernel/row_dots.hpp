// Products of dense rows with one vector of weights, at the speed of memory.
#pragma once
#include "suffice/kernel/rows.hpp"

namespace suffice::kernel {

// out[row] = bias + weight . x. A row's number does not depend on the other rows.
void row_dots(Rows rows, const double* weight, double bias, double* out);
void row_dots(FloatRows rows, const double* weight, double bias, double* out);

}  // namespace suffice::kernel
