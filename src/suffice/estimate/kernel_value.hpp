// The value of a kernel, for those who sum it their own way.
#pragma once
#include "suffice/estimate/kernel_density.hpp"

namespace suffice {

// log K at a squared distance, for a bandwidth of one.
double log_kernel(KernelShape kernel, double square);

}  // namespace suffice
