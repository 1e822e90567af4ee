// Cholesky with pivots (Higham, "Accuracy and Stability of Numerical Algorithms", 2002, section 10.3): the column with
// the largest rest comes next, so those left when the rank is reached are determined by those taken.
#include "suffice/math/collinear.hpp"

#include <algorithm>
#include <cmath>

#include "suffice/math/eigen.hpp"

namespace suffice {
namespace {

// A standardised coefficient below this share of the largest is rounding.
constexpr double negligible = 1e-5;

std::vector<double> correlations_of(std::span<const double> covariance, std::size_t d) {
    std::vector<double> scale(d), made(d * d);
    for (std::size_t i = 0; i < d; ++i) {
        const double own = covariance[i * (d + 1)];
        scale[i] = own > 0 ? 1 / std::sqrt(own) : 0;
    }
    for (std::size_t i = 0; i < d; ++i)
        for (std::size_t j = 0; j <= i; ++j)
            made[i * d + j] = made[j * d + i] = covariance[i * d + j] * scale[i] * scale[j];
    return made;
}

struct Elimination {
    std::vector<std::size_t> taken;  // columns in order of their pivots
    std::vector<double> factor;      // d x rank: column i by what was taken, in that order
    std::vector<bool> is_taken;
};

Elimination eliminate(const std::vector<double>& correlation, std::size_t d, std::size_t rank) {
    Elimination done{{}, std::vector<double>(d * rank), std::vector<bool>(d)};
    std::vector<double> rest(d);
    for (std::size_t i = 0; i < d; ++i) rest[i] = correlation[i * (d + 1)];
    for (std::size_t step = 0; step < rank; ++step) {
        std::size_t pivot = d;
        for (std::size_t i = 0; i < d; ++i)
            if (!done.is_taken[i] && (pivot == d || rest[i] > rest[pivot])) pivot = i;
        if (!(rest[pivot] > 0)) break;
        const double root = std::sqrt(rest[pivot]);
        const double* of_pivot = done.factor.data() + pivot * rank;
        for (std::size_t i = 0; i < d; ++i) {
            if (done.is_taken[i]) continue;
            double* row = done.factor.data() + i * rank;
            double left = correlation[i * d + pivot];
            for (std::size_t s = 0; s < step; ++s) left -= row[s] * of_pivot[s];
            row[step] = left / root;
            rest[i] -= row[step] * row[step];
        }
        done.is_taken[pivot] = true;
        done.taken.push_back(pivot);
    }
    return done;
}

// The coefficients of column i on those taken: L' w = its row of the factor.
std::vector<double> coefficients(const Elimination& e, std::size_t i, std::size_t rank) {
    std::vector<double> w(e.factor.begin() + static_cast<std::ptrdiff_t>(i * rank),
                          e.factor.begin() + static_cast<std::ptrdiff_t>(i * rank + e.taken.size()));
    for (std::size_t s = w.size(); s-- > 0;) {
        const double* row = e.factor.data() + e.taken[s] * rank;
        w[s] /= row[s];
        for (std::size_t t = 0; t < s; ++t) w[t] -= w[s] * row[t];
    }
    return w;
}

}  // namespace

Collinear find_collinear(std::span<const double> covariance, std::size_t d, double least) {
    const std::vector<double> correlation = correlations_of(covariance, d);
    std::vector<double> spoilt = correlation, value(d);
    Collinear found;
    if (!symmetric_eigen(spoilt, d, value)) return found;
    found.rank = static_cast<std::size_t>(std::ranges::count_if(value, [&](double v) { return v > least; }));
    const std::size_t rank = std::min(found.rank, d - 1);
    const Elimination e = eliminate(correlation, d, rank);
    std::vector<bool> determines(d);
    for (std::size_t i = 0; i < d; ++i) {
        if (e.is_taken[i]) continue;
        found.determined.push_back(i);
        const auto w = coefficients(e, i, rank);
        double largest = 0;
        for (double each : w) largest = std::max(largest, std::abs(each));
        for (std::size_t s = 0; s < w.size(); ++s)
            if (largest > 0 && std::abs(w[s]) > negligible * largest) determines[e.taken[s]] = true;
    }
    for (std::size_t i = 0; i < d; ++i)
        if (determines[i]) found.by.push_back(i);
    return found;
}

}  // namespace suffice
