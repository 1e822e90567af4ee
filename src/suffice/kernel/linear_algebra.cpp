// Chooses the instruction set that linear algebra is done with.
#include "suffice/kernel/linear_algebra.hpp"

#include <algorithm>

#include <hwy/targets.h>

#include "suffice/kernel/linear_algebra-inl.hpp"

namespace suffice::kernel {
namespace {

#if HWY_ARCH_X86
constexpr std::int64_t with_avx2 = HWY_AVX2 | HWY_AVX3 | HWY_AVX3_DL;
#else
constexpr std::int64_t with_avx2 = 0;
#endif

const LinearAlgebraRoutines& chosen() {
    const LinearAlgebraRoutines* avx2 = avx2_linear_algebra();
    return avx2 != nullptr && (hwy::SupportedTargets() & with_avx2) != 0 ? *avx2 : portable::routines;
}

}  // namespace

std::size_t cholesky(std::span<double> a, std::size_t dimension) { return chosen().factor(a, dimension); }
bool invert_lower(std::span<double> factor, std::size_t dimension) { return chosen().invert_lower(factor, dimension); }

void solve_lower(std::span<const double> factor, std::size_t dimension, std::span<double> b, std::size_t count) {
    chosen().solve_lower(factor, dimension, b, count);
}

void solve_lower_transposed(std::span<const double> factor, std::size_t dimension, std::span<double> b,
                            std::size_t count) {
    chosen().solve_lower_transposed(factor, dimension, b, count);
}

void solve_cholesky(std::span<const double> factor, std::size_t dimension, std::span<double> b, std::size_t count) {
    solve_lower(factor, dimension, b, count);
    solve_lower_transposed(factor, dimension, b, count);
}

bool invert_cholesky(std::span<double> factor, std::size_t dimension) {
    return chosen().invert_cholesky(factor, dimension);
}

bool symmetric_eigen(std::span<double> a, std::size_t dimension, std::span<double> values) {
    return chosen().symmetric_eigen(a, dimension, values);
}

void multiply(Form a_form, Form b_form, std::size_t rows, std::size_t columns, std::size_t inner, double alpha,
              std::span<const double> a, std::span<const double> b, double beta, std::span<double> c) {
    chosen().multiply(a_form, b_form, rows, columns, inner, alpha, a, b, beta, c);
}

void self_product(std::size_t rows, std::size_t columns, double alpha, std::span<const double> a, double beta,
                  std::span<double> c) {
    chosen().self_product(rows, columns, alpha, a, beta, c);
}

std::string linear_algebra_version() {
    return std::to_string(EIGEN_WORLD_VERSION) + "." + std::to_string(EIGEN_MAJOR_VERSION) + "." +
           std::to_string(EIGEN_MINOR_VERSION);
}

// Square by square, so that what is written down a column stays in the first cache until its lines are full.
void mirror_lower(std::span<double> a, std::size_t dimension) {
    constexpr std::size_t side = 32;
    for (std::size_t top = 0; top < dimension; top += side)
        for (std::size_t left = 0; left <= top; left += side)
            for (std::size_t i = top; i < std::min(top + side, dimension); ++i)
                for (std::size_t j = left; j < std::min(left + side, i); ++j)
                    a[j * dimension + i] = a[i * dimension + j];
}

}  // namespace suffice::kernel
