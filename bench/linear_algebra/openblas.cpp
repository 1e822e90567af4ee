// kernel/linear_algebra.hpp by OpenBLAS, the rival of Eigen in bench/linear_algebra/both: calls LAPACK and BLAS, whose
// column-major matrices are our row-major ones transposed: our lower is their upper.
#include <algorithm>
#include <cassert>
#include <cmath>
#include <vector>

#include "suffice/kernel/linear_algebra.hpp"

extern "C" {
void dpotrf_(const char* uplo, const int* n, double* a, const int* lda, int* info);
void dpotri_(const char* uplo, const int* n, double* a, const int* lda, int* info);
void dtrtri_(const char* uplo, const char* diag, const int* n, double* a, const int* lda, int* info);
void dtrsm_(const char* side, const char* uplo, const char* trans, const char* diag, const int* m, const int* n,
            const double* alpha, const double* a, const int* lda, double* b, const int* ldb);
void dsyevd_(const char* jobz, const char* uplo, const int* n, double* a, const int* lda, double* w, double* work,
             const int* lwork, int* iwork, const int* liwork, int* info);
void dgesdd_(const char* jobz, const int* m, const int* n, double* a, const int* lda, double* s, double* u,
             const int* ldu, double* vt, const int* ldvt, double* work, const int* lwork, int* iwork, int* info);
void dgemm_(const char* transa, const char* transb, const int* m, const int* n, const int* k, const double* alpha,
            const double* a, const int* lda, const double* b, const int* ldb, const double* beta, double* c,
            const int* ldc);
void dsyrk_(const char* uplo, const char* trans, const int* n, const int* k, const double* alpha, const double* a,
            const int* lda, const double* beta, double* c, const int* ldc);

// The one function that the static LAPACK archive wants from the Fortran run-time library, so that nobody needs that
// library. It stands here, where LAPACK is called, so that linkers take it along.
[[gnu::weak]] void _gfortran_concat_string(std::size_t size, char* into, std::size_t left_size, const char* left,
                                           std::size_t right_size, const char* right) {
    const std::size_t first = std::min(size, left_size), second = std::min(size - first, right_size);
    std::copy_n(left, first, into);
    std::copy_n(right, second, into + first);
    std::fill_n(into + first + second, size - first - second, ' ');
}
}

namespace suffice::kernel {
namespace {

// LAPACK refuses a leading dimension of zero.
int leading(std::size_t size) { return std::max(1, static_cast<int>(size)); }

bool finite_values(std::span<const double> values) {
    return std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); });
}

// X of  op(L) X = b  with row-major b is, transposed,  X' op(L)' = b'  with L' stored as upper.
void solve_triangular(const char* form, std::span<const double> factor, std::size_t dimension, std::span<double> b,
                      std::size_t count) {
    if (dimension == 0 || count == 0) return;
    assert(factor.size() >= dimension * dimension && b.size() >= dimension * count);
    const int n = static_cast<int>(dimension), m = static_cast<int>(count), lda = leading(dimension);
    const double one = 1;
    dtrsm_("R", "U", form, "N", &m, &n, &one, factor.data(), &lda, b.data(), &m);
}

}  // namespace

std::size_t cholesky(std::span<double> a, std::size_t dimension) {
    assert(a.size() >= dimension * dimension);
    const int n = static_cast<int>(dimension), lda = leading(dimension);
    int info = 0;
    dpotrf_("U", &n, a.data(), &lda, &info);
    for (std::size_t i = 0; i < dimension; ++i) {
        // OpenBLAS lets a NaN on the diagonal pass.
        if (info == 0 && !(a[i * dimension + i] > 0)) info = static_cast<int>(i) + 1;
        std::fill(a.begin() + static_cast<std::ptrdiff_t>(i * dimension + i + 1),
                  a.begin() + static_cast<std::ptrdiff_t>((i + 1) * dimension), 0.0);
    }
    return static_cast<std::size_t>(info);
}

bool invert_lower(std::span<double> factor, std::size_t dimension) {
    const int n = static_cast<int>(dimension), lda = leading(dimension);
    int info = 0;
    dtrtri_("U", "N", &n, factor.data(), &lda, &info);
    return info == 0;
}

void solve_lower(std::span<const double> factor, std::size_t dimension, std::span<double> b, std::size_t count) {
    solve_triangular("N", factor, dimension, b, count);
}

void solve_lower_transposed(std::span<const double> factor, std::size_t dimension, std::span<double> b,
                            std::size_t count) {
    solve_triangular("T", factor, dimension, b, count);
}

void solve_cholesky(std::span<const double> factor, std::size_t dimension, std::span<double> b, std::size_t count) {
    solve_lower(factor, dimension, b, count);
    solve_lower_transposed(factor, dimension, b, count);
}

bool invert_cholesky(std::span<double> factor, std::size_t dimension) {
    const int n = static_cast<int>(dimension), lda = leading(dimension);
    int info = 0;
    dpotri_("U", &n, factor.data(), &lda, &info);
    mirror_lower(factor, dimension);
    return info == 0;
}

bool symmetric_eigen(std::span<double> a, std::size_t dimension, std::span<double> values) {
    if (dimension == 0) return true;
    mirror_lower(a, dimension);
    if (!finite_values(a.first(dimension * dimension))) return false;  // LAPACK may not return
    const int n = static_cast<int>(dimension), ask = -1;
    int info = 0, integer_size = 0;
    double size = 0;
    dsyevd_("V", "U", &n, a.data(), &n, values.data(), &size, &ask, &integer_size, &ask, &info);
    std::vector<double> work(static_cast<std::size_t>(size));
    std::vector<int> integer_work(static_cast<std::size_t>(integer_size));
    const int work_size = static_cast<int>(work.size());
    dsyevd_("V", "U", &n, a.data(), &n, values.data(), work.data(), &work_size, integer_work.data(), &integer_size,
            &info);
    return info == 0;
}

bool singular_values(std::span<double> a, std::size_t rows, std::size_t columns, std::span<double> u,
                     std::span<double> values, std::span<double> vt) {
    const std::size_t rank = std::min(rows, columns);
    if (rank == 0) return true;
    if (!finite_values(a.first(rows * columns))) return false;
    // Row-major A is LAPACK's A' = V S U', so the two sides change places.
    const int m = static_cast<int>(columns), n = static_cast<int>(rows), r = static_cast<int>(rank), ask = -1;
    int info = 0;
    double size = 0;
    std::vector<int> integer_work(8 * rank);
    dgesdd_("S", &m, &n, a.data(), &m, values.data(), vt.data(), &m, u.data(), &r, &size, &ask, integer_work.data(),
            &info);
    std::vector<double> work(static_cast<std::size_t>(size));
    const int work_size = static_cast<int>(work.size());
    dgesdd_("S", &m, &n, a.data(), &m, values.data(), vt.data(), &m, u.data(), &r, work.data(), &work_size,
            integer_work.data(), &info);
    return info == 0;
}

void multiply(Form a_form, Form b_form, std::size_t rows, std::size_t columns, std::size_t inner, double alpha,
              std::span<const double> a, std::span<const double> b, double beta, std::span<double> c) {
    if (rows == 0 || columns == 0) return;
    assert(a.size() >= rows * inner && b.size() >= inner * columns && c.size() >= rows * columns);
    const int m = static_cast<int>(columns), n = static_cast<int>(rows), k = static_cast<int>(inner);
    const int ldb = leading(b_form == Form::plain ? columns : inner),
              lda = leading(a_form == Form::plain ? inner : rows);
    dgemm_(b_form == Form::plain ? "N" : "T", a_form == Form::plain ? "N" : "T", &m, &n, &k, &alpha, b.data(), &ldb,
           a.data(), &lda, &beta, c.data(), &m);
}

void self_product(std::size_t rows, std::size_t columns, double alpha, std::span<const double> a, double beta,
                  std::span<double> c) {
    if (columns == 0) return;
    const int n = static_cast<int>(columns), k = static_cast<int>(rows);
    dsyrk_("U", "N", &n, &k, &alpha, a.data(), &n, &beta, c.data(), &n);
}

void mirror_lower(std::span<double> a, std::size_t dimension) {
    for (std::size_t i = 0; i < dimension; ++i)
        for (std::size_t j = 0; j < i; ++j) a[j * dimension + i] = a[i * dimension + j];
}

}  // namespace suffice::kernel
