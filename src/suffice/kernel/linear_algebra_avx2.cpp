// Linear algebra for processors with AVX2 and FMA. AVX-512 was tried and gained nothing (bench/linear_algebra).
#include "suffice/kernel/linear_algebra_routines.hpp"

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)  // clang has no such pragma

// Everything of the standard library comes before the pragma, so that no function of it which other files share is
// compiled for AVX2; Eigen's are kept apart by a namespace of their own.
#include <algorithm>
#include <array>
#include <cassert>
#include <cerrno>
#include <climits>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <immintrin.h>
#include <limits>
#include <sstream>

#pragma GCC push_options
#pragma GCC target("avx2,fma")
// g++ has read all lines before it looks at pragmas, so Eigen must be told.
#define __SSE3__ 1
#define __SSSE3__ 1
#define __SSE4_1__ 1
#define __SSE4_2__ 1
#define __AVX__ 1
#define __AVX2__ 1
#define __FMA__ 1
#define Eigen EigenAvx2
#define SUFFICE_EIGEN_TARGET avx2
#include "suffice/kernel/linear_algebra-inl.hpp"
#pragma GCC pop_options

namespace suffice::kernel {
const LinearAlgebraRoutines* avx2_linear_algebra() { return &avx2::routines; }
}  // namespace suffice::kernel

#else

namespace suffice::kernel {
const LinearAlgebraRoutines* avx2_linear_algebra() { return nullptr; }
}  // namespace suffice::kernel

#endif
