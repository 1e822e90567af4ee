// Cholesky factorisation by rows, triangular solves and the rank-one changes of a factor.
#include "suffice/math/cholesky.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "suffice/kernel/linear_algebra.hpp"

namespace suffice {
namespace {

constexpr std::size_t largest_plain_dimension = 32;  // up to here a call of blocked routines costs more than it saves

double dot(const double* a, const double* b, std::size_t count) {
    double sum = 0;
    for (std::size_t i = 0; i < count; ++i) sum += a[i] * b[i];
    return sum;
}

}  // namespace

bool factorize(std::span<double> a, std::size_t d) {
    if (d > largest_plain_dimension) {
        if (kernel::cholesky(a, d) != 0) return false;
        for (std::size_t i = 0; i < d; ++i) {
            if (!std::isfinite(a[i * d + i])) return false;
        }
        return true;
    }
    for (std::size_t i = 0; i < d; ++i) {
        double* const row = a.data() + i * d;
        for (std::size_t j = 0; j < i; ++j) row[j] = (row[j] - dot(row, a.data() + j * d, j)) / a[j * d + j];
        const double pivot = row[i] - dot(row, row, i);
        if (!(pivot > 0) || !std::isfinite(pivot)) return false;
        row[i] = std::sqrt(pivot);
        std::fill(row + i + 1, row + d, 0.0);
    }
    return true;
}

void solve_lower(std::span<const double> factor, std::span<double> x) {
    const std::size_t d = x.size();
    if (d > largest_plain_dimension) return kernel::solve_lower(factor, d, x, 1);
    for (std::size_t i = 0; i < d; ++i) {
        x[i] = (x[i] - dot(factor.data() + i * d, x.data(), i)) / factor[i * d + i];
    }
}

void solve_upper(std::span<const double> factor, std::span<double> x) {
    const std::size_t d = x.size();
    if (d > largest_plain_dimension) return kernel::solve_lower_transposed(factor, d, x, 1);
    for (std::size_t i = d; i-- > 0;) {
        x[i] /= factor[i * d + i];
        for (std::size_t k = 0; k < i; ++k) x[k] -= factor[i * d + k] * x[i];  // along the row: memory order
    }
}

void solve_factorized(std::span<const double> factor, std::span<double> x) {
    solve_lower(factor, x);
    solve_upper(factor, x);
}

double log_determinant(std::span<const double> factor, std::size_t d) {
    double sum = 0;
    for (std::size_t i = 0; i < d; ++i) sum += std::log(factor[i * d + i]);
    return 2 * sum;
}

double squared_distance(std::span<const double> factor, std::span<const double> x) {
    std::vector<double> z(x.begin(), x.end());
    solve_lower(factor, z);
    return dot(z.data(), z.data(), z.size());
}

void inverse_lower(std::span<const double> factor, std::size_t d, std::span<double> out) {
    if (d > largest_plain_dimension) {
        std::ranges::copy(factor.first(d * d), out.begin());
        kernel::invert_lower(out, d);
        return;
    }
    for (std::size_t i = 0; i < d; ++i) {
        double* const row = out.data() + i * d;
        std::fill(row, row + d, 0.0);
        for (std::size_t k = 0; k < i; ++k) {
            for (std::size_t j = 0; j <= k; ++j) row[j] -= factor[i * d + k] * out[k * d + j];
        }
        for (std::size_t j = 0; j < i; ++j) row[j] /= factor[i * d + i];
        row[i] = 1 / factor[i * d + i];
    }
}

void inverse(std::span<const double> factor, std::size_t d, std::span<double> out) {
    if (d > largest_plain_dimension) {
        std::ranges::copy(factor.first(d * d), out.begin());
        kernel::invert_cholesky(out, d);
        return;
    }
    std::vector<double> lower(d * d);
    inverse_lower(factor, d, lower);
    std::fill(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(d * d), 0.0);
    for (std::size_t k = 0; k < d; ++k) {  // sum over rows k of L^-1 of row' row
        const double* const row = lower.data() + k * d;
        for (std::size_t i = 0; i <= k; ++i) {
            for (std::size_t j = 0; j <= i; ++j) out[i * d + j] += row[i] * row[j];
        }
    }
    for (std::size_t i = 0; i < d; ++i) {
        for (std::size_t j = 0; j < i; ++j) out[j * d + i] = out[i * d + j];
    }
}

void multiply_factor(std::span<const double> factor, std::size_t d, std::span<double> out) {
    if (d > largest_plain_dimension) {
        kernel::multiply(kernel::Form::plain, kernel::Form::transposed, d, d, d, 1, factor, factor, 0, out);
        return;
    }
    for (std::size_t i = 0; i < d; ++i) {
        for (std::size_t j = 0; j <= i; ++j) {
            out[i * d + j] = out[j * d + i] = dot(factor.data() + i * d, factor.data() + j * d, j + 1);
        }
    }
}

bool solve_symmetric(std::span<double> a, std::span<double> x) {
    if (!factorize(a, x.size())) return false;
    solve_factorized(a, x);
    return true;
}

// Gill, Golub, Murray, Saunders, "Methods for modifying matrix factorizations", 1974: one Givens rotation per column of
// L.
void update_factor(std::span<double> factor, std::span<const double> x) {
    const std::size_t d = x.size();
    std::vector<double> rest(x.begin(), x.end());
    for (std::size_t j = 0; j < d; ++j) {
        const double pivot = factor[j * d + j];
        const double length = std::hypot(pivot, rest[j]);
        const double cosine = pivot / length;
        const double sine = rest[j] / length;
        factor[j * d + j] = length;
        for (std::size_t i = j + 1; i < d; ++i) {
            const double old = factor[i * d + j];
            factor[i * d + j] = cosine * old + sine * rest[i];
            rest[i] = cosine * rest[i] - sine * old;
        }
    }
}

// LINPACK's dchdd: with L p = x, A - x x' is positive definite just where |p| < 1; the rotations that take (p, rho) to
// (0, 1), rho^2 = 1 - |p|^2, take (L, 0) to the new factor and x.
bool downdate_factor(std::span<double> factor, std::span<const double> x) {
    const std::size_t d = x.size();
    std::vector<double> p(x.begin(), x.end());
    solve_lower(factor, p);
    const double rest = 1 - dot(p.data(), p.data(), d);
    if (!(rest > static_cast<double>(d) * std::numeric_limits<double>::epsilon())) return false;
    double length = std::sqrt(rest);
    std::vector<double> cosine(d), sine(d), carried(d, 0.0);
    for (std::size_t j = d; j-- > 0;) {
        const double longer = std::hypot(length, p[j]);
        cosine[j] = length / longer;
        sine[j] = p[j] / longer;
        length = longer;
    }
    for (std::size_t j = d; j-- > 0;) {
        for (std::size_t i = j; i < d; ++i) {
            const double old = factor[i * d + j];
            factor[i * d + j] = cosine[j] * old - sine[j] * carried[i];
            carried[i] = cosine[j] * carried[i] + sine[j] * old;
        }
    }
    return true;
}

}  // namespace suffice
