// Marginals, conditionals, affine maps and distances of Gaussian vectors.
#include "suffice/family/gaussian_vector_maps.hpp"

#include <algorithm>

#include "suffice/family/vectors.hpp"
#include "suffice/family/wishart.hpp"
#include "suffice/math/cholesky.hpp"

namespace suffice {

namespace {

using Columns = std::vector<std::uint32_t>;

Result<void> check_columns(std::span<const std::uint32_t> columns, std::size_t d) {
    Columns sorted(columns.begin(), columns.end());
    std::ranges::sort(sorted);
    if (!sorted.empty() && sorted.back() >= d)
        return Error{ErrorKind::usage, "gaussian_vector: column " + std::to_string(sorted.back()) + " of " +
                                           std::to_string(d) + " does not exist; columns count from 0"};
    const auto twice = std::ranges::adjacent_find(sorted);
    if (twice != sorted.end())
        return Error{ErrorKind::usage, "gaussian_vector: column " + std::to_string(*twice) + " is named twice"};
    return {};
}

std::vector<double> block(std::span<const double> covariance, std::size_t d, std::span<const std::uint32_t> rows,
                          std::span<const std::uint32_t> columns) {
    std::vector<double> out;
    for (auto i : rows)
        for (auto j : columns) out.push_back(covariance[i * d + j]);
    return out;
}

Matrix product(const Matrix& a, const Matrix& b) {
    Matrix out(a.row_count, b.column_count);
    for (std::size_t i = 0; i < a.row_count; ++i)
        for (std::size_t k = 0; k < a.column_count; ++k)
            for (std::size_t j = 0; j < b.column_count; ++j) out(i, j) += a(i, k) * b(k, j);
    return out;
}

Matrix as_matrix(const std::vector<double>& values, std::size_t rows, std::size_t columns) {
    Matrix out(rows, columns);
    if (!values.empty()) out.values = values;
    return out;
}

}  // namespace

Result<GaussianVector::Parameter> gaussian_from_covariance(std::vector<double> mean, std::vector<double> covariance) {
    const std::size_t d = mean.size();
    if (!all_finite(mean)) return Error{"gaussian_vector: the mean has a number that is not finite"};
    if (covariance.size() != d * d || !factorize(covariance, d))
        return Error{ErrorKind::singular, "gaussian_vector: the covariance must be square and positive definite"};
    return GaussianVector::Parameter{std::move(mean), std::move(covariance)};
}

Result<GaussianVector::Parameter> marginal(const GaussianVector::Parameter& p, std::span<const std::uint32_t> columns) {
    const std::size_t d = p.mean.size();
    if (auto checked = check_columns(columns, d); !checked) return checked.error();
    std::vector<double> mean;
    for (auto j : columns) mean.push_back(p.mean[j]);
    return gaussian_from_covariance(std::move(mean), block(GaussianVector{d}.variance(p), d, columns, columns));
}

Result<GaussianVector::Parameter> conditional(const GaussianVector::Parameter& p,
                                              std::span<const std::uint32_t> columns, std::span<const double> values) {
    const std::size_t d = p.mean.size();
    if (auto checked = check_columns(columns, d); !checked) return checked.error();
    if (values.size() != columns.size())
        return Error{ErrorKind::usage, "gaussian_vector: one value is needed for each given column"};
    if (!all_finite(values)) return Error{"gaussian_vector: given values must be finite numbers"};
    const auto given = marginal(p, columns);
    if (!given) return given.error();
    Columns others;
    for (std::uint32_t j = 0; j < d; ++j)
        if (std::ranges::find(columns, j) == columns.end()) others.push_back(j);

    const auto whole = GaussianVector{d}.variance(p);
    const std::size_t n = others.size(), m = columns.size();
    std::vector<double> cross = block(whole, d, others, columns), way = minus(values, given->mean);
    solve_lower(given->factor, way);
    for (std::size_t i = 0; i < n; ++i) solve_lower(given->factor, std::span(cross).subspan(i * m, m));
    std::vector<double> mean, covariance = block(whole, d, others, others);
    for (std::size_t i = 0; i < n; ++i) {
        mean.push_back(p.mean[others[i]]);
        for (std::size_t k = 0; k < m; ++k) mean[i] += cross[i * m + k] * way[k];
        for (std::size_t j = 0; j < n; ++j)
            for (std::size_t k = 0; k < m; ++k) covariance[i * n + j] -= cross[i * m + k] * cross[j * m + k];
    }
    return gaussian_from_covariance(std::move(mean), std::move(covariance));
}

Result<GaussianVector::Parameter> affine_map(const GaussianVector::Parameter& p, const AffineMap& map) {
    const std::size_t d = p.mean.size(), m = map.matrix.row_count;
    const auto fits = [](const std::vector<double>& values, std::size_t size) {
        return values.empty() || values.size() == size;
    };
    if (map.matrix.column_count != d || !fits(map.offset, m) || !fits(map.noise_mean, m) || !fits(map.noise, m * m) ||
        !fits(map.cross_covariance, d * m))
        return Error{ErrorKind::usage, "gaussian_vector: the sizes of the affine map do not fit the " +
                                           std::to_string(d) + " columns and each other"};
    std::vector<double> mean(m);
    for (std::size_t i = 0; i < m; ++i) {
        mean[i] = (map.offset.empty() ? 0 : map.offset[i]) + (map.noise_mean.empty() ? 0 : map.noise_mean[i]);
        for (std::size_t j = 0; j < d; ++j) mean[i] += map.matrix(i, j) * p.mean[j];
    }
    const Matrix spread = product(map.matrix, as_matrix(p.factor, d, d));  // A L, so that A S A' = (A L)(A L)'
    const Matrix mixed = product(map.matrix, as_matrix(map.cross_covariance, d, m));
    Matrix covariance = as_matrix(map.noise, m, m);
    for (std::size_t i = 0; i < m; ++i)
        for (std::size_t j = 0; j < m; ++j) {
            covariance(i, j) += mixed(i, j) + mixed(j, i);
            for (std::size_t k = 0; k < d; ++k) covariance(i, j) += spread(i, k) * spread(j, k);
        }
    return gaussian_from_covariance(std::move(mean), std::move(covariance.values));
}

double squared_mahalanobis(const GaussianVector::Parameter& p, std::span<const double> x) {
    return squared_distance(p.factor, minus(x, p.mean));
}

double divergence(const GaussianVector::Parameter& p, const GaussianVector::Parameter& q) {
    const std::size_t d = p.mean.size();
    return 0.5 * (trace_of_ratio(q.factor, GaussianVector{d}.variance(p), d) - static_cast<double>(d) +
                  squared_mahalanobis(q, p.mean) + log_determinant(q.factor, d) - log_determinant(p.factor, d));
}

}  // namespace suffice
