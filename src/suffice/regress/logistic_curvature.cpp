// Ranks, pins and factors.
#include "suffice/regress/logistic_curvature.hpp"

#include <algorithm>
#include <cmath>

#include "suffice/kernel/linear_algebra.hpp"
#include "suffice/math/cholesky.hpp"
#include "suffice/math/eigen.hpp"

namespace suffice {
namespace {

constexpr double singular = 1e-12;   // of the largest eigenvalue of a correlation matrix
constexpr double negligible = 1e-6;  // entry of a direction of length one

// Gram-Schmidt, twice over, of rows of length d.
void orthonormalize(std::vector<double>& rows, std::size_t d) {
    const std::size_t count = rows.size() / d;
    for (std::size_t r = 0; r < count; ++r) {
        double* row = rows.data() + r * d;
        double length = 0;
        for (int turn = 0; turn < 2; ++turn) {
            for (std::size_t q = 0; q < r; ++q) {
                const double* other = rows.data() + q * d;
                double along = 0;
                for (std::size_t j = 0; j < d; ++j) along += row[j] * other[j];
                for (std::size_t j = 0; j < d; ++j) row[j] -= along * other[j];
            }
            length = 0;
            for (std::size_t j = 0; j < d; ++j) length += row[j] * row[j];
            length = std::sqrt(length);
            for (std::size_t j = 0; j < d; ++j) row[j] /= length;
        }
    }
}

// Of rows that span the undetermined directions the reduced echelon form from the last feature on: the features that
// are left without a coefficient are then those that R leaves, each a combination of features before it.
void find_aliased(FeatureSpace& space, std::size_t d) {
    std::vector<double> rows = space.scaled_null;
    const std::size_t count = space.null_count();
    for (std::size_t j = d; j-- > 0 && space.aliased.size() < count;) {
        const std::size_t top = space.aliased.size();
        std::size_t best = top;
        for (std::size_t r = top; r < count; ++r)
            if (std::abs(rows[r * d + j]) > std::abs(rows[best * d + j])) best = r;
        const double pivot = rows[best * d + j];
        if (std::abs(pivot) < negligible) continue;
        std::swap_ranges(rows.begin() + static_cast<std::ptrdiff_t>(best * d),
                         rows.begin() + static_cast<std::ptrdiff_t>((best + 1) * d),
                         rows.begin() + static_cast<std::ptrdiff_t>(top * d));
        for (std::size_t i = 0; i < d; ++i) rows[top * d + i] /= pivot;
        for (std::size_t r = 0; r < count; ++r) {
            const double share = rows[r * d + j];
            if (r == top || share == 0) continue;
            for (std::size_t i = 0; i < d; ++i) rows[r * d + i] -= share * rows[top * d + i];
        }
        space.aliased.push_back(j);
    }
    rows.resize(space.aliased.size() * d);
    for (std::size_t e = 0; e < space.aliased.size(); ++e)
        for (std::size_t i = 0; i < d; ++i) rows[e * d + i] *= space.scale[space.aliased[e]] / space.scale[i];
    space.alias = std::move(rows);
}

}  // namespace

FeatureSpace FeatureSpace::of(std::span<const double> scatter, std::size_t d) {
    FeatureSpace space;
    space.rank = d;
    space.scale.assign(d, 1.0);
    std::vector<double> correlation(d * d);
    bool constant = false;
    for (std::size_t i = 0; i < d; ++i) {
        if (scatter[i * d + i] > 0)
            space.scale[i] = std::sqrt(scatter[i * d + i]);
        else
            constant = true;
    }
    for (std::size_t i = 0; i < d; ++i)
        for (std::size_t j = 0; j < d; ++j)
            correlation[i * d + j] = scatter[i * d + j] / space.scale[i] / space.scale[j];
    std::vector<double> factor = correlation;
    if (!constant && factorize(factor, d)) {
        double least = 1;
        for (std::size_t i = 0; i < d; ++i) least = std::min(least, factor[i * d + i] * factor[i * d + i]);
        if (least > 1e-8) return space;
    }
    std::vector<double> values(d);
    if (!symmetric_eigen(correlation, d, values)) return space;
    for (std::size_t e = 0; e < d; ++e) {
        if (values[e] > singular * values[d - 1]) break;
        --space.rank;
        for (std::size_t j = 0; j < d; ++j) {
            space.scaled_null.push_back(correlation[e * d + j]);
            space.null.push_back(correlation[e * d + j] / space.scale[j]);
        }
    }
    if (space.null_count() > 0) find_aliased(space, d);
    orthonormalize(space.null, d);
    return space;
}

void FeatureSpace::shorten(std::span<double> coefficient) const {
    const std::size_t d = scale.size();
    for (std::size_t e = 0; e < null_count(); ++e) {
        double along = 0;
        for (std::size_t j = 0; j < d; ++j) along += null[e * d + j] * coefficient[j];
        for (std::size_t j = 0; j < d; ++j) coefficient[j] -= along * null[e * d + j];
    }
}

void FeatureSpace::leave_out(std::span<double> coefficient) const {
    const std::size_t d = scale.size();
    std::vector<double> given;
    for (const std::size_t j : aliased) given.push_back(coefficient[j]);
    for (std::size_t e = 0; e < aliased.size(); ++e)
        for (std::size_t j = 0; j < d; ++j) coefficient[j] -= given[e] * alias[e * d + j];
    for (const std::size_t j : aliased) coefficient[j] = 0;
}

void FeatureSpace::leave_out_of_function(std::span<double> weight) const {
    const std::size_t d = scale.size();
    std::vector<double> along;
    for (std::size_t e = 0; e < aliased.size(); ++e) {
        along.push_back(0);
        for (std::size_t j = 0; j < d; ++j)
            if (j != aliased[e]) along.back() += weight[j] * alias[e * d + j];
    }
    for (std::size_t e = 0; e < aliased.size(); ++e) weight[aliased[e]] = -along[e];
}

void FeatureSpace::pin(double* block, std::size_t stride) const {
    const std::size_t d = scale.size();
    if (null_count() == 0) return;
    double size = 0;  // of the block in units of `scale`
    for (std::size_t j = 0; j < d; ++j) size = std::max(size, block[j * stride + j] / (scale[j] * scale[j]));
    if (size == 0) size = 1;
    for (std::size_t e = 0; e < null_count(); ++e) {
        const double* u = scaled_null.data() + e * d;
        for (std::size_t i = 0; i < d; ++i)
            for (std::size_t j = 0; j < d; ++j) block[i * stride + j] += size * (u[i] * scale[i]) * (u[j] * scale[j]);
    }
}

void FixedParameters::clear(std::span<double> vector) const {
    for (std::size_t i = 0; i < vector.size(); ++i)
        if (fixed[i % fixed.size()]) vector[i] = 0;
}

void FixedParameters::isolate(std::span<double> matrix, std::size_t side) const {
    for (std::size_t i = 0; i < side; ++i) {
        if (!fixed[i % fixed.size()]) continue;
        for (std::size_t j = 0; j < side; ++j) matrix[i * side + j] = matrix[j * side + i] = 0;
        matrix[i * side + i] = 1;
    }
}

CurvatureFactor CurvatureFactor::of(std::vector<double> matrix, std::size_t side) {
    CurvatureFactor made;
    made.side_ = side;
    double largest = 0;
    for (std::size_t i = 0; i < side; ++i) largest = std::max(largest, matrix[i * (side + 1)]);
    const double least = std::max(largest * 1e-300, 1e-300);
    for (double share = 0;; share = share == 0 ? 1e-14 : 10 * share) {
        made.values_ = matrix;
        for (std::size_t i = 0; i < side; ++i) {
            double& cell = made.values_[i * (side + 1)];
            cell = std::max(cell, least) * (1 + share);
        }
        made.raised_ = share;
        if (factorize(made.values_, side) || share > 1e6) return made;
    }
}

CurvatureFactor CurvatureFactor::diagonal(std::vector<double> values) {
    CurvatureFactor made;
    made.side_ = values.size();
    made.diagonal_ = true;
    made.values_ = std::move(values);
    return made;
}

void CurvatureFactor::solve(std::span<double> vector) const {
    if (diagonal_) {
        for (std::size_t i = 0; i < vector.size(); ++i) vector[i] /= values_[i % side_];
        return;
    }
    for (std::size_t first = 0; first < vector.size(); first += side_)
        solve_factorized(values_, vector.subspan(first, side_));
}

}  // namespace suffice
