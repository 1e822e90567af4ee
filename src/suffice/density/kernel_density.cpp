// Scales points, sums kernels, draws from them.
#include "suffice/density/kernel_density.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "suffice/accumulate/for_each_unit.hpp"
#include "suffice/density/kernel_value.hpp"
#include "suffice/density/sheather_jones.hpp"
#include "suffice/math/cholesky.hpp"
#include "suffice/math/log_sum_exp.hpp"
#include "suffice/math/sampling.hpp"

namespace suffice {
namespace {

constexpr std::size_t unit_queries = 256;
constexpr double dependent = 1e-11;  // a pivot of a covariance below this share of its column's variance is rounding

// Whether L L' is a covariance of full rank.
bool is_regular(const std::vector<double>& factor, std::size_t d) {
    for (std::size_t i = 0; i < d; ++i) {
        double variance = 0;
        for (std::size_t k = 0; k <= i; ++k) variance += factor[i * d + k] * factor[i * d + k];
        if (!(factor[i * (d + 1)] * factor[i * (d + 1)] > dependent * variance)) return false;
    }
    return true;
}

}  // namespace

Result<KernelDensity> KernelDensity::from(Matrix points, std::vector<double> weight, const DensitySettings& settings,
                                          const Context& context, std::span<const double> spread) {
    const std::size_t n = points.row_count, d = points.column_count;
    if (n == 0 || d == 0) return Error("a kernel density needs at least one row and one column");
    if (weight.empty()) weight.assign(n, 1.0);
    if (weight.size() != n) return Error(ErrorKind::usage, "there must be a weight for each row");
    KernelDensity made;
    double squares = 0;
    for (std::size_t row = 0; row < n; ++row) {
        if (!(weight[row] >= 0) || std::isinf(weight[row]))
            return Error("a weight must be zero or a positive number").at_row(row + 1);
        for (double v : points.row(row))
            if (!std::isfinite(v)) return Error("a kernel density needs finite numbers").at_row(row + 1);
        made.total_weight_ += weight[row];
        squares += weight[row] * weight[row];
    }
    if (!(made.total_weight_ > 0)) return Error("all rows have the weight zero");
    if (settings.rule == BandwidthRule::given && !(settings.bandwidth > 0 && std::isfinite(settings.bandwidth)))
        return Error(ErrorKind::usage, "the bandwidth must be a positive number");
    made.settings_ = settings;
    made.effective_count_ =
        settings.importance ? made.total_weight_ * made.total_weight_ / squares : made.total_weight_;
    made.largest_weight_ = *std::ranges::max_element(weight);
    for (double w : weight) made.log_weight_.push_back(std::log(w / made.largest_weight_));
    made.points_ = std::move(points);
    made.weight_ = std::move(weight);
    if (auto scaled = made.set_scale(spread); !scaled) return scaled.error();
    const bool of_one = settings.rule == BandwidthRule::sheather_jones || settings.rule == BandwidthRule::nrd0;
    if (of_one && d != 1)
        return Error(ErrorKind::usage, std::string("the bandwidth ") +
                                           (settings.rule == BandwidthRule::nrd0 ? "nrd0" : "of Sheather and Jones") +
                                           " is for one column, not for " + std::to_string(d));
    if (settings.rule != BandwidthRule::sheather_jones) {
        made.choose_bandwidth(context);
        return made;
    }
    const auto width = sheather_jones_bandwidth(made.points_.values, made.weight_);
    if (!width) return width.error();
    made.set_bandwidth(*width / made.factor_[0]);
    return made;
}

// The covariance divides by the effective number of rows less one, as SciPy does. Means are found about the first row,
// so that a constant column has no variance made of rounding.
Result<void> KernelDensity::set_scale(std::span<const double> spread) {
    const std::size_t n = points_.row_count, d = points_.column_count;
    mean_.assign(points_.row(0).begin(), points_.row(0).end());
    factor_.assign(d * d, 0.0);
    for (std::size_t j = 0; j < d; ++j) {
        double way = 0;
        for (std::size_t row = 0; row < n; ++row)
            way += weight_[row] / total_weight_ * (points_(row, j) - points_(0, j));
        mean_[j] += way;
    }
    if (settings_.scale == BandwidthScale::unit) {
        for (std::size_t j = 0; j < d; ++j) factor_[j * (d + 1)] = 1;
        return {};
    }
    if (!(effective_count_ > 1) && spread.empty())
        return Error("a bandwidth in proportion to the spread needs at least two rows");
    const bool whole = settings_.scale == BandwidthScale::covariance;
    for (std::size_t row = 0; row < n; ++row)
        for (std::size_t i = 0; i < d; ++i)
            for (std::size_t j = whole ? 0 : i; j <= i; ++j)
                factor_[i * d + j] +=
                    weight_[row] / total_weight_ * (points_(row, i) - mean_[i]) * (points_(row, j) - mean_[j]);
    const bool spreads = effective_count_ > 1;
    for (double& s : factor_) s *= spreads ? effective_count_ / (effective_count_ - 1) : 0;
    std::vector<double> own(d);
    for (std::size_t j = 0; j < d; ++j) own[j] = factor_[j * (d + 1)];
    if (factorize(factor_, d) && is_regular(factor_, d)) return {};
    if (!spread.empty()) {
        factor_.assign(d * d, 0.0);
        for (std::size_t j = 0; j < d; ++j) factor_[j * (d + 1)] = own[j] > 0 ? std::sqrt(own[j]) : spread[j];
        return {};
    }
    return Error(ErrorKind::singular, whole
                                          ? "the columns of these rows depend on each other, so that their covariance "
                                            "is no scale; take the scale of each column, or give a bandwidth"
                                          : "a column of these rows is constant, so that its spread is no scale; leave "
                                            "it out, or give a bandwidth");
}

void KernelDensity::whiten(std::vector<double>& row) const {
    for (std::size_t j = 0; j < row.size(); ++j) row[j] -= mean_[j];
    solve_lower(factor_, row);
    for (double& z : row) z /= bandwidth_;
}

void KernelDensity::set_bandwidth(double bandwidth) {
    const std::size_t d = points_.column_count;
    bandwidth_ = bandwidth;
    log_norm_ = std::log(largest_weight_) - log_kernel_volume(settings_.kernel, d) -
                static_cast<double>(d) * std::log(bandwidth) - log_determinant(factor_, d) / 2;
    scaled_ = Matrix(points_.row_count, d);
    std::vector<double> z(d);
    for (std::size_t row = 0; row < points_.row_count; ++row) {
        std::ranges::copy(points_.row(row), z.begin());
        whiten(z);
        std::ranges::copy(z, scaled_.row(row).begin());
    }
}

Result<std::vector<double>> KernelDensity::log_density(const Matrix& rows, const Context& context) const {
    const std::size_t d = points_.column_count;
    if (rows.column_count != d)
        return Error(ErrorKind::usage, "the rows have " + std::to_string(rows.column_count) +
                                           " columns and the points " + std::to_string(d));
    for (std::size_t row = 0; row < rows.row_count; ++row)
        for (double v : rows.row(row))
            if (!std::isfinite(v)) return Error("a kernel density needs finite numbers").at_row(row + 1);
    std::vector<double> out(rows.row_count);
    const std::size_t units = (rows.row_count + unit_queries - 1) / unit_queries;
    for_each_unit(units, context.thread_count, context, [&](std::size_t unit, Workspace&) {
        const std::size_t first = unit * unit_queries, count = std::min(unit_queries, rows.row_count - first);
        std::vector<double> z(d), queries;
        for (std::size_t row = first; row < first + count; ++row) {
            std::ranges::copy(rows.row(row), z.begin());
            whiten(z);
            queries.insert(queries.end(), z.begin(), z.end());
        }
        log_kernel_sums(settings_.kernel, {queries.data(), count, d, static_cast<std::ptrdiff_t>(d)},
                        rows_of_matrix(scaled_), log_weight_.data(), out.data() + first);
    });
    if (context.stopped()) return Error(ErrorKind::cancelled, "the computation was stopped");
    for (double& log_sum : out) log_sum += log_norm_ - std::log(total_weight_);
    return out;
}

// The columns of a row that are there, and what each point gives to its density.
struct KernelDensity::Reached {
    std::vector<std::size_t> columns;
    std::vector<long double> log_terms;  // of each point, without the kernel's volume
    std::vector<double> shares;          // points x columns: how the squared distance comes about; sums to one
    double log_volume = 0;
};

KernelDensity::Reached KernelDensity::reach(std::span<const double> row) const {
    const std::size_t d = points_.column_count;
    Reached found;
    for (std::size_t j = 0; j < d; ++j)
        if (!std::isnan(row[j])) found.columns.push_back(j);
    const std::size_t m = found.columns.size();
    std::vector<double> factor(m * m);  // of the covariance of the columns that are there
    for (std::size_t a = 0; a < m; ++a)
        for (std::size_t b = 0; b <= a; ++b) {
            const std::size_t i = found.columns[a], j = found.columns[b];
            for (std::size_t k = 0; k <= std::min(i, j); ++k)
                factor[a * m + b] += factor_[i * d + k] * factor_[j * d + k] * bandwidth_ * bandwidth_;
        }
    if (m > 0) {
        factorize(factor, m);
        found.log_volume = log_kernel_volume(settings_.kernel, m) + log_determinant(factor, m) / 2;
    }
    std::vector<long double> z(m);
    found.log_terms.reserve(points_.row_count);
    found.shares.reserve(points_.row_count * m);
    for (std::size_t point = 0; point < points_.row_count; ++point) {
        long double square = 0;
        for (std::size_t a = 0; a < m; ++a) {
            z[a] = static_cast<long double>(row[found.columns[a]]) - points_(point, found.columns[a]);
            for (std::size_t b = 0; b < a; ++b) z[a] -= factor[a * m + b] * z[b];
            z[a] /= factor[a * m + a];
            square += z[a] * z[a];
        }
        std::vector<long double> back = z;  // the row less the point, through the inverse of the covariance
        for (std::size_t a = m; a-- > 0;) {
            for (std::size_t b = a + 1; b < m; ++b) back[a] -= factor[b * m + a] * back[b];
            back[a] /= factor[a * m + a];
        }
        for (std::size_t a = 0; a < m; ++a) {
            const long double way = static_cast<long double>(row[found.columns[a]]) - points_(point, found.columns[a]);
            found.shares.push_back(square > 0 ? static_cast<double>(way * back[a] / square) : 0.0);
        }
        const long double log_weight = std::log(static_cast<long double>(weight_[point] / total_weight_));
        const long double log_height =
            settings_.kernel == KernelShape::gaussian      ? -square / 2
            : settings_.kernel == KernelShape::exponential ? -std::sqrt(square)
            : square < 1 ? static_cast<long double>(log_kernel(settings_.kernel, static_cast<double>(square)))
                         : -std::numeric_limits<long double>::infinity();
        found.log_terms.push_back(m == 0 ? log_weight : log_weight + log_height);
    }
    return found;
}

long double KernelDensity::log_density_of(std::span<const double> row) const {
    const Reached found = reach(row);
    return log_sum_exp(found.log_terms) - found.log_volume;
}

std::vector<double> KernelDensity::explain(std::span<const double> row) const {
    Reached found = reach(row);
    std::vector<double> contribution(points_.column_count);
    std::vector<long double> responsibility = found.log_terms;
    softmax(responsibility);
    const std::size_t m = found.columns.size();
    for (std::size_t point = 0; point < points_.row_count; ++point) {
        if (!(responsibility[point] > 0)) continue;
        const long double log_height =
            found.log_terms[point] - std::log(static_cast<long double>(weight_[point] / total_weight_));
        if (!std::isfinite(log_height)) continue;
        for (std::size_t a = 0; a < m; ++a)
            contribution[found.columns[a]] +=
                static_cast<double>(responsibility[point] * log_height) * found.shares[point * m + a];
    }
    return contribution;
}

std::vector<double> KernelDensity::column_bandwidths() const {
    const std::size_t d = points_.column_count;
    std::vector<double> all(d);
    for (std::size_t j = 0; j < d; ++j) {
        double variance = 0;
        for (std::size_t k = 0; k <= j; ++k) variance += factor_[j * d + k] * factor_[j * d + k];
        all[j] = bandwidth_ * std::sqrt(variance);
    }
    return all;
}

Matrix KernelDensity::sample(std::size_t count, Rng& rng) const {
    const std::size_t d = points_.column_count;
    Matrix drawn(count, d);
    std::vector<double> reached, z(d);
    double total = 0;
    for (double w : weight_) reached.push_back(total += w);
    for (std::size_t row = 0; row < count; ++row) {
        const auto found = std::ranges::upper_bound(reached, rng.uniform() * total);
        const auto from = static_cast<std::size_t>(std::min(found, reached.end() - 1) - reached.begin());
        double length = 0;
        for (double& v : z) {
            v = sample_normal(rng);
            length += v * v;
        }
        const double radius = bandwidth_ * sample_kernel_radius(settings_.kernel, static_cast<double>(d), rng);
        for (std::size_t i = 0; i < d; ++i) {
            double x = points_(from, i);
            for (std::size_t j = 0; j <= i; ++j) x += factor_[i * d + j] * z[j] * radius / std::sqrt(length);
            drawn(row, i) = x;
        }
    }
    return drawn;
}

Result<KernelDensity> merge(const KernelDensity& left, const KernelDensity& right, const Context& context) {
    if (left.settings() != right.settings() || left.points().column_count != right.points().column_count)
        return Error(ErrorKind::usage, "the kernel densities were made with different settings or columns");
    Matrix all(left.points().row_count + right.points().row_count, left.points().column_count);
    std::ranges::copy(right.points().values, std::ranges::copy(left.points().values, all.values.begin()).out);
    std::vector<double> weight = left.weights();
    weight.insert(weight.end(), right.weights().begin(), right.weights().end());
    return KernelDensity::from(std::move(all), std::move(weight), left.settings(), context);
}

}  // namespace suffice
