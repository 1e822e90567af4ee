// Kernel density estimation: p(x) = sum_i w_i K(|L^-1 (x - x_i)| / h) / (h^d |L| sum_i w_i). The state is the points
// themselves, so models merge by putting their points together. Silverman, "Density estimation", 1986.
#pragma once
#include <span>
#include <vector>

#include "suffice/base/context.hpp"
#include "suffice/base/matrix.hpp"
#include "suffice/base/random.hpp"
#include "suffice/base/result.hpp"
#include "suffice/density/density_settings.hpp"

namespace suffice {

class KernelDensity {
public:
    // A row per point; no weights: one each. `spread`: the standard deviation of each column that is taken where these
    // rows have none of their own; without it such a column is an Error.
    static Result<KernelDensity> from(Matrix points, std::vector<double> weight, const DensitySettings& settings,
                                      const Context& context = {}, std::span<const double> spread = {});

    const Matrix& points() const { return points_; }
    const std::vector<double>& weights() const { return weight_; }
    const DensitySettings& settings() const { return settings_; }
    double bandwidth() const { return bandwidth_; }
    double weight() const { return total_weight_; }
    // log p(x) of each row; -inf where no kernel reaches.
    Result<std::vector<double>> log_density(const Matrix& rows, const Context& context = {}) const;
    // One row, slowly: values that are NaN are integrated out of the kernel's covariance (exact for the Gaussian
    // kernel; the others keep their shape in fewer dimensions), and nothing overflows.
    long double log_density_of(std::span<const double> row) const;
    // log p(x) less its constant, shared among the columns: each point's log kernel in proportion to the squares that
    // make its distance, weighted by how much the point gives to p(x). Missing values get nothing.
    std::vector<double> explain(std::span<const double> row) const;
    // What a bandwidth of one means for each column, times the bandwidth.
    std::vector<double> column_bandwidths() const;
    // The mean over points of log p(x_i | the other points): what cross-validation makes large.
    double leave_one_out(const Context& context = {}) const;
    Matrix sample(std::size_t count, Rng& rng) const;

private:
    Result<void> set_scale(std::span<const double> spread);
    void set_bandwidth(double bandwidth);
    void choose_bandwidth(const Context& context);
    double normal_reference() const;
    void whiten(std::vector<double>& row) const;
    struct Reached;
    Reached reach(std::span<const double> row) const;

    DensitySettings settings_;
    Matrix points_;
    std::vector<double> weight_;
    double total_weight_ = 0, effective_count_ = 0;
    std::vector<double> factor_;  // L, d x d, lower
    std::vector<double> mean_;
    double bandwidth_ = 0, log_norm_ = 0;
    Matrix scaled_;                   // L^-1 (x_i - mean) / h
    std::vector<double> log_weight_;  // log(w_i / largest)
    double largest_weight_ = 1;
};

// The estimate from the points of both.
Result<KernelDensity> merge(const KernelDensity& left, const KernelDensity& right, const Context& context = {});

// log of the integral of K(|z|) over d dimensions, for a bandwidth of one.
double log_kernel_volume(KernelShape kernel, std::size_t dimension);

}  // namespace suffice
