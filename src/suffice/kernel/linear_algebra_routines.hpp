// The routines of linear_algebra.hpp that are compiled once for each instruction set.
#pragma once
#include <cstddef>
#include <span>

#include "suffice/kernel/linear_algebra.hpp"

namespace suffice::kernel {

struct LinearAlgebraRoutines {
    decltype(kernel::cholesky)* factor;
    decltype(kernel::invert_lower)* invert_lower;
    decltype(kernel::invert_cholesky)* invert_cholesky;
    decltype(kernel::solve_lower)* solve_lower;
    decltype(kernel::solve_lower_transposed)* solve_lower_transposed;
    decltype(kernel::symmetric_eigen)* symmetric_eigen;
    decltype(kernel::multiply)* multiply;
    decltype(kernel::self_product)* self_product;
};

// Null: not compiled for this kind of processor, or by this compiler.
const LinearAlgebraRoutines* avx2_linear_algebra();

}  // namespace suffice::kernel
