// Gathers and combines class scatters.
#include "suffice/accumulate/class_scatter.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "suffice/family/sums.hpp"
#include "suffice/kernel/gather.hpp"
#include "suffice/kernel/linear_algebra.hpp"
#include "suffice/kernel/moments.hpp"
#include "suffice/kernel/scatter.hpp"

namespace suffice {
namespace {

// Around a centre this many times farther from a class than the class is wide, sums of squares lose half their digits.
constexpr double far_from_centre = 1e6;

struct ScatterScratch {
    kernel::ClassScatter kernel;
    std::vector<double> centre, centred;
    std::vector<std::int32_t> code;
    std::vector<double> share;
    ClassScatterStatistic unit;  // what the last unit of rows came to

    // Of many columns and classes it is as large as the rows themselves: its memory is asked for once.
    ClassScatterStatistic& empty_unit(std::size_t class_count, std::size_t columns, bool pooled) {
        if (unit.class_count() != class_count || unit.dimension != columns || unit.pooled != pooled) {
            unit = ClassScatterStatistic(class_count, columns, pooled);
        } else {
            for (auto* sums : {&unit.class_weight, &unit.mean, &unit.scatter}) std::ranges::fill(*sums, 0.0);
        }
        return unit;
    }
};

bool rows_are_far(const ClassScatterStatistic& s, std::span<const double> centre) {
    const std::size_t d = s.dimension;
    for (std::size_t c = 0; c < s.class_count(); ++c)
        for (std::size_t i = 0; i < d; ++i) {
            const double way = s.mean[c * d + i] - centre[i];
            if (s.class_weight[c] * way * way > far_from_centre * s.scatter_of(c)[i * (d + 1)]) return true;
        }
    return false;
}

// Copies of the rows, each less the mean of its class.
kernel::Rows centre_by_class(kernel::Rows rows, const Membership& membership, const ClassScatterStatistic& s,
                             std::vector<double>& into) {
    const std::size_t d = rows.column_count;
    into.assign(rows.row_count * d, 0.0);
    for (std::size_t row = 0; row < rows.row_count; ++row) {
        const std::int32_t c = membership.code[row];
        if (c < 0) continue;
        for (std::size_t i = 0; i < d; ++i)
            into[row * d + i] = rows.row(row)[i] - s.mean[static_cast<std::size_t>(c) * d + i];
    }
    return {into.data(), rows.row_count, d, static_cast<std::ptrdiff_t>(d)};
}

// Weights and scatters, and in place of the means the sums around the centre; each row of one class, scatter per class.
template <class Rows>
void gather_by_code(Rows rows, const Membership& m, std::span<const double> centre, ClassScatterStatistic& into,
                    ScatterScratch& scratch) {
    scratch.kernel.add(rows, m.code.data(), m.weight.empty() ? nullptr : m.weight.data(), m.class_count, centre.data(),
                       into.class_weight.data(), into.mean.data(), into.scatter.data());
}

void gather(kernel::FloatRows rows, const Membership& m, std::span<const double> centre, ClassScatterStatistic& into,
            ScatterScratch& scratch) {
    gather_by_code(rows, m, centre, into, scratch);
}

// The same for every kind of membership, and also pooled.
void gather(kernel::Rows rows, const Membership& m, std::span<const double> centre, ClassScatterStatistic& into,
            ScatterScratch& scratch) {
    const std::size_t k = m.class_count, d = rows.column_count;
    const double* weight = m.weight.empty() ? nullptr : m.weight.data();
    if (!into.pooled) {
        if (m.share != nullptr) {
            scratch.kernel.add_shared(rows, m.share, m.share_stride, k, centre.data(), into.class_weight.data(),
                                      into.mean.data(), into.scatter.data());
        } else {
            gather_by_code(rows, m, centre, into, scratch);
        }
        return;
    }
    double total = 0;
    std::vector<double> total_sum(d);
    if (m.share != nullptr) {
        kernel::shared_moments(rows, m.share, m.share_stride, k, centre.data(), into.class_weight.data(),
                               into.mean.data(), nullptr);
        scratch.share.assign(rows.row_count, 0.0);
        for (std::size_t c = 0; c < k; ++c)
            for (std::size_t row = 0; row < rows.row_count; ++row)
                scratch.share[row] += m.share[c * m.share_stride + row];
        scratch.kernel.add(rows, nullptr, scratch.share.data(), 1, centre.data(), &total, total_sum.data(),
                           into.scatter.data());
    } else {
        kernel::class_moments(rows, m.code.data(), weight, k, centre.data(), into.class_weight.data(), into.mean.data(),
                              nullptr);
        scratch.code.resize(rows.row_count);
        for (std::size_t row = 0; row < rows.row_count; ++row) scratch.code[row] = m.code[row] < 0 ? -1 : 0;
        scratch.kernel.add(rows, scratch.code.data(), weight, 1, centre.data(), &total, total_sum.data(),
                           into.scatter.data());
    }
}

// sign * (rows' rows) added to the lower triangle, the rows coming from fill(class, row) for the classes that it takes:
// a few at a time, because those of a thousand classes together outweigh the statistic.
template <class Fill>
void add_products(std::size_t class_count, std::size_t d, double sign, std::span<double> scatter, const Fill& fill) {
    constexpr std::size_t at_once = 64;
    std::vector<double> rows(std::min(at_once, class_count) * d);
    std::size_t count = 0;
    for (std::size_t c = 0; c < class_count; ++c) {
        if (fill(c, std::span(rows).subspan(count * d, d))) ++count;
        if (count == 0 || (count < at_once && c + 1 < class_count)) continue;
        kernel::self_product(count, d, sign, std::span(rows).first(count * d), 1, scatter);
        count = 0;
    }
}

// Sums around the centre -> means and scatters around them.
void settle(ClassScatterStatistic& s, std::span<const double> centre) {
    const std::size_t d = s.dimension, k = s.class_count();
    if (s.pooled)
        add_products(k, d, -1, s.scatter, [&](std::size_t c, std::span<double> pull) {
            if (s.class_weight[c] == 0) return false;
            const double root = std::sqrt(s.class_weight[c]);
            for (std::size_t i = 0; i < d; ++i) pull[i] = s.mean[c * d + i] / root;
            return true;
        });
    for (std::size_t c = 0; c < k; ++c) {
        const double n = s.class_weight[c];
        if (n == 0) continue;
        double* of_class = s.mean.data() + c * d;
        for (std::size_t i = 0; !s.pooled && i < d; ++i) {
            const double pull = of_class[i] / n;
            double* scatter = s.scatter.data() + c * d * d;
            for (std::size_t j = 0; j <= i; ++j) scatter[i * d + j] -= pull * of_class[j];
        }
        for (std::size_t i = 0; i < d; ++i) of_class[i] = centre[i] + of_class[i] / n;
    }
    for (std::size_t at = 0; at < s.scatter.size(); at += d * d) {
        const auto one = std::span(s.scatter).subspan(at, d * d);
        for (std::size_t i = 0; i < d; ++i) one[i * (d + 1)] = std::max(one[i * (d + 1)], 0.0);
        kernel::mirror_lower(one, d);
    }
}

template <class Rows>
ClassScatterStatistic& around_first_row(Rows rows, const Membership& membership, bool pooled, ScatterScratch& scratch) {
    const std::size_t d = rows.column_count;
    ClassScatterStatistic& s = scratch.empty_unit(membership.class_count, d, pooled);
    scratch.centre.assign(d, 0.0);
    if (rows.row_count == 0) return s;
    scratch.centre.assign(rows.row(0), rows.row(0) + d);
    gather(rows, membership, scratch.centre, s, scratch);
    settle(s, scratch.centre);
    return s;
}

}  // namespace

ClassScatterStatistic::ClassScatterStatistic(std::size_t class_count, std::size_t columns, bool one_scatter)
    : dimension(columns),
      pooled(one_scatter),
      class_weight(class_count),
      mean(class_count * columns),
      scatter((one_scatter ? 1 : class_count) * columns * columns) {}

double ClassScatterStatistic::weight() const { return std::accumulate(class_weight.begin(), class_weight.end(), 0.0); }

bool ClassScatterStatistic::finite() const {
    const auto all = [](const std::vector<double>& values) { return kernel::all_finite(values.data(), values.size()); };
    bool squares = true;  // no product of two columns is larger than the larger of their squares
    for (std::size_t at = 0; at < scatter.size(); at += dimension * dimension)
        for (std::size_t i = 0; i < dimension; ++i) squares &= std::isfinite(scatter[at + i * (dimension + 1)]);
    return squares && all(class_weight) && all(mean);
}

const ClassScatterStatistic& ClassScatterStatistic::of_rows(kernel::Rows rows, const Membership& membership,
                                                            bool pooled, Workspace& workspace) {
    auto& scratch = workspace.of<ScatterScratch>();
    ClassScatterStatistic& s = around_first_row(rows, membership, pooled, scratch);
    if (membership.share != nullptr || !s.finite() || !rows_are_far(s, scratch.centre)) return s;

    const std::size_t d = rows.column_count;
    const kernel::Rows centred = centre_by_class(rows, membership, s, scratch.centred);
    const std::vector<double> mean = s.mean;
    scratch.empty_unit(membership.class_count, d, pooled);
    scratch.centre.assign(d, 0.0);
    gather(centred, membership, scratch.centre, s, scratch);
    settle(s, scratch.centre);
    for (std::size_t at = 0; at < s.mean.size(); ++at) s.mean[at] += mean[at];
    return s;
}

const ClassScatterStatistic* ClassScatterStatistic::of_floats(kernel::FloatRows rows, const Membership& membership,
                                                              Workspace& workspace) {
    auto& scratch = workspace.of<ScatterScratch>();
    const ClassScatterStatistic& s = around_first_row(rows, membership, false, scratch);
    return s.finite() && !rows_are_far(s, scratch.centre) ? &s : nullptr;
}

void ClassScatterStatistic::add_with_between(const ClassScatterStatistic& from, double sign,
                                             std::span<const double> spread) {
    const std::size_t d = dimension;
    const std::span<const double> to = from.mean;
    if (pooled) {
        for (std::size_t at = 0; at < scatter.size(); ++at) scatter[at] += sign * from.scatter[at];
        const bool taken_out = std::ranges::any_of(spread, [](double each) { return each < 0; });
        add_products(class_count(), d, taken_out ? -1 : 1, scatter, [&](std::size_t c, std::span<double> way) {
            const double root = std::sqrt(std::abs(spread[c]));
            for (std::size_t i = 0; i < d; ++i) way[i] = (to[c * d + i] - mean[c * d + i]) * root;
            return spread[c] != 0;
        });
        kernel::mirror_lower(scatter, d);
        return;
    }
    std::vector<double> ways(d);
    for (std::size_t c = 0; c < class_count(); ++c) {
        double* into = scatter.data() + c * d * d;
        const double* added = from.scatter.data() + c * d * d;
        for (std::size_t i = 0; i < d; ++i) ways[i] = spread[c] == 0 ? 0 : to[c * d + i] - mean[c * d + i];
        for (std::size_t i = 0; i < d; ++i, into += d, added += d) {
            const double way = ways[i] * spread[c];
            for (std::size_t j = 0; j < d; ++j) into[j] = (into[j] + sign * added[j]) + way * ways[j];
        }
    }
}

void ClassScatterStatistic::merge(const ClassScatterStatistic& from) {
    if (pooled != from.pooled) {
        if (!pooled) {
            pool();
            return merge(from);
        }
        ClassScatterStatistic other = from;
        other.pool();
        return merge(other);
    }
    std::vector<double> spread(class_count());
    for (std::size_t c = 0; c < spread.size(); ++c) {
        const double sum = class_weight[c] + from.class_weight[c];
        if (sum > 0) spread[c] = class_weight[c] * (from.class_weight[c] / sum);
    }
    add_with_between(from, 1, spread);
    for (std::size_t c = 0; c < spread.size(); ++c) {
        const double sum = class_weight[c] + from.class_weight[c];
        if (sum == 0) continue;
        const double share = from.class_weight[c] / sum;
        for (std::size_t i = c * dimension; i < (c + 1) * dimension; ++i) mean[i] += (from.mean[i] - mean[i]) * share;
        class_weight[c] = sum;
    }
}

void ClassScatterStatistic::remove(const ClassScatterStatistic& rows) {
    if (pooled != rows.pooled) {
        if (!pooled) {
            pool();
            return remove(rows);
        }
        ClassScatterStatistic other = rows;
        other.pool();
        return remove(other);
    }
    const std::vector<double> before = scatter;
    std::vector<double> spread(class_count()), rest(class_count());
    for (std::size_t c = 0; c < spread.size(); ++c) {
        rest[c] = difference(class_weight[c], rows.class_weight[c]);
        if (rest[c] != 0) spread[c] = -class_weight[c] * (rows.class_weight[c] / rest[c]);
    }
    add_with_between(rows, -1, spread);
    const std::size_t d = dimension;
    for (std::size_t at = 0; at < scatter.size(); at += d * d)
        for (std::size_t i = 0; i < d; ++i) {
            double& cell = scatter[at + i * (d + 1)];
            cell = square_difference(before[at + i * (d + 1)], before[at + i * (d + 1)] - cell);
        }
    for (std::size_t c = 0; c < rest.size(); ++c) {
        const double ratio = rest[c] == 0 ? 0 : rows.class_weight[c] / rest[c];
        for (std::size_t i = c * d; i < (c + 1) * d; ++i)
            mean[i] = rest[c] == 0 ? 0 : mean[i] - (rows.mean[i] - mean[i]) * ratio;
        if (rest[c] == 0 && !pooled) std::fill_n(scatter.begin() + static_cast<std::ptrdiff_t>(c * d * d), d * d, 0.0);
        class_weight[c] = rest[c];
    }
    if (weight() == 0) std::ranges::fill(scatter, 0.0);
}

void ClassScatterStatistic::scale(double factor) {
    for (double& w : class_weight) w *= factor;
    for (double& s : scatter) s *= factor;
    if (factor == 0) std::ranges::fill(mean, 0.0);
}

void ClassScatterStatistic::recode(const CodeMap& classes) {
    if (classes.is_identity()) return;
    ClassScatterStatistic fresh(classes.count, dimension, pooled);
    if (pooled) fresh.scatter = scatter;
    const std::size_t d = dimension;
    for (std::size_t c = 0; c < class_count(); ++c) {
        const std::size_t to = classes.to[c];
        if (to == CodeMap::dropped) continue;
        fresh.class_weight[to] = class_weight[c];
        std::copy_n(mean.begin() + static_cast<std::ptrdiff_t>(c * d), d,
                    fresh.mean.begin() + static_cast<std::ptrdiff_t>(to * d));
        if (!pooled)
            std::copy_n(scatter.begin() + static_cast<std::ptrdiff_t>(c * d * d), d * d,
                        fresh.scatter.begin() + static_cast<std::ptrdiff_t>(to * d * d));
    }
    *this = std::move(fresh);
}

void ClassScatterStatistic::pool() {
    if (pooled) return;
    const std::size_t cells = dimension * dimension;
    std::vector<double> one(cells);
    for (std::size_t at = 0; at < scatter.size(); ++at) one[at % cells] += scatter[at];
    scatter = std::move(one);
    pooled = true;
}

bool ClassScatterStatistic::valid() const {
    const std::size_t d = dimension, k = class_count();
    if (mean.size() != k * d || scatter.size() != (pooled ? 1 : k) * d * d || !finite()) return false;
    for (double w : class_weight)
        if (!(w >= 0)) return false;
    for (std::size_t at = 0; at < scatter.size(); at += d * d)
        for (std::size_t i = 0; i < d; ++i)
            if (!(scatter[at + i * (d + 1)] >= 0)) return false;
    return true;
}

}  // namespace suffice
