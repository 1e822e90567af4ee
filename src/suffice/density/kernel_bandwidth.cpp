// Chooses the bandwidths of kernel densities.
#include <algorithm>
#include <array>
#include <cmath>

#include "suffice/accumulate/for_each_unit.hpp"
#include "suffice/base/limits.hpp"
#include "suffice/density/kernel_density.hpp"
#include "suffice/density/kernel_value.hpp"
#include "suffice/density/weighted_quantile.hpp"
#include "suffice/math/golden_section.hpp"
#include "suffice/math/log_sum_exp.hpp"

namespace suffice {
namespace {

// Leave-one-out takes no more rows than these, evenly spaced, against all points.
constexpr std::size_t most_left_out = 4096;

}  // namespace

// Silverman's rule of thumb (1986, eq. 3.31), in units of the standard deviation; where the quartiles meet, that alone.
double KernelDensity::normal_reference() const {
    const double spread = settings_.scale == BandwidthScale::unit ? 1.0 : factor_[0];
    const auto sorted = sorted_by_value(points_.values, weight_);
    const double quartiles = weighted_quantile(sorted, 0.75) - weighted_quantile(sorted, 0.25);
    const double robust = quartiles > 0 ? std::min(1.0, quartiles / (1.34 * spread)) : 1.0;
    return 0.9 * robust * std::pow(effective_count_, -0.2);
}

// Golden section on the logarithm of the bandwidth, after a coarse look.
void KernelDensity::choose_bandwidth(const Context& context) {
    const double d = static_cast<double>(points_.column_count), n = effective_count_;
    const double scott = std::pow(n, -1 / (d + 4));
    if (settings_.rule == BandwidthRule::given) return set_bandwidth(settings_.bandwidth);
    if (settings_.rule == BandwidthRule::scott) return set_bandwidth(scott);
    if (settings_.rule == BandwidthRule::silverman) return set_bandwidth(std::pow(n * (d + 2) / 4, -1 / (d + 4)));
    if (settings_.rule == BandwidthRule::nrd0) return set_bandwidth(normal_reference());
    const auto gain = [&](double log_bandwidth) -> Result<double> {
        set_bandwidth(std::exp(log_bandwidth));
        const double value = leave_one_out(context);
        return std::isnan(value) ? -infinity : value;
    };
    constexpr double stride = 0.5;
    double best = std::log(scott), most = -infinity;
    for (int step = -8; step <= 4; ++step) {
        const double at = std::log(scott) + stride * step, value = *gain(at);
        if (value > most) {
            most = value;
            best = at;
        }
    }
    set_bandwidth(std::exp(*golden_section(gain, best - stride, best + stride, 1e-4)));
}

// Rows are left out some at a time: to all the others as usual, among themselves one by one. Nothing is subtracted, so
// no digit is lost.
double KernelDensity::leave_one_out(const Context& context) const {
    constexpr std::size_t together = 32;
    const std::size_t n = points_.row_count, d = points_.column_count, left_out = std::min(n, most_left_out);
    std::vector<double> gain(left_out);
    const kernel::Rows all = rows_of_matrix(scaled_);
    for_each_unit(
        (left_out + together - 1) / together, context.thread_count, context, [&](std::size_t unit, Workspace&) {
            const std::size_t first = unit * together, count = std::min(together, left_out - first);
            const auto row_at = [&](std::size_t at) { return (first + at) * n / left_out; };
            std::vector<double> others = log_weight_, queries, terms(count + 1);
            for (std::size_t at = 0; at < count; ++at) {
                others[row_at(at)] = -infinity;
                queries.insert(queries.end(), all.row(row_at(at)), all.row(row_at(at)) + d);
            }
            std::array<double, together> sums{};
            log_kernel_sums(settings_.kernel, {queries.data(), count, d, static_cast<std::ptrdiff_t>(d)}, all,
                            others.data(), sums.data());
            for (std::size_t at = 0; at < count; ++at) {
                for (std::size_t other = 0; other < count; ++other)
                    terms[other] = log_weight_[row_at(other)] +
                                   log_kernel(settings_.kernel,
                                              squared_distance_of(all.row(row_at(at)), all.row(row_at(other)), d));
                terms[at] = sums[at];
                const double copies = settings_.importance ? 0 : std::max(weight_[row_at(at)] - 1, 0.0);
                terms[count] = std::log(copies / largest_weight_) + log_kernel(settings_.kernel, 0);
                gain[first + at] =
                    log_sum_exp(terms) + log_norm_ - std::log(total_weight_ - weight_[row_at(at)] + copies);
            }
        });
    double sum = 0, total = 0;
    for (std::size_t at = 0; at < left_out; ++at) {
        const double weight = weight_[at * n / left_out];
        if (weight > 0) sum += weight * gain[at];
        total += weight;
    }
    return sum / total;
}

}  // namespace suffice
