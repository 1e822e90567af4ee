// Builds the tree, and walks it once per query, nearest boxes first.
#include "suffice/density/kernel_tree.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "suffice/accumulate/for_each_unit.hpp"
#include "suffice/density/kernel_value.hpp"
#include "suffice/kernel/bump_sum.hpp"

namespace suffice {
namespace {

constexpr std::size_t unit_tree_queries = 64;

// Points that are not worth a box of their own: many where they are summed by vectors.
std::size_t leaf_size(KernelShape shape) { return shape == KernelShape::gaussian ? 128 : 32; }

}  // namespace

Result<KernelTree> KernelTree::from(const KernelDensity& density) {
    if (density.settings().scale == BandwidthScale::covariance && density.points().column_count > 1)
        return Error(ErrorKind::usage, "a tree of points takes a bandwidth for each column, not their covariance");
    return KernelTree(density);
}

KernelTree::KernelTree(const KernelDensity& density)
    : density_(&density), dimension_(density.points().column_count), bandwidth_(density.column_bandwidths()) {
    log_peak_ = -log_kernel_volume(density.settings().kernel, dimension_);
    for (const double width : bandwidth_) log_peak_ -= std::log(width);
    const std::size_t n = density.points().row_count;
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), std::size_t{0});
    build(0, n, order);
    columns_.reserve(n * dimension_);
    for (std::size_t j = 0; j < dimension_; ++j)
        for (const std::size_t at : order) columns_.push_back(density.points()(at, j) / bandwidth_[j]);
    for (const std::size_t at : order) weight_.push_back(density.weights()[at]);
    for (Node& node : nodes_) {
        const auto first = weight_.begin() + static_cast<std::ptrdiff_t>(node.begin);
        node.weight = std::accumulate(first, first + static_cast<std::ptrdiff_t>(node.end - node.begin), 0.0);
    }
}

// Halves the points at the median of the box's longest side.
std::size_t KernelTree::build(std::size_t begin, std::size_t end, std::vector<std::size_t>& order) {
    const std::size_t number = nodes_.size();
    nodes_.push_back({begin, end, 0, 0, 0});
    const Matrix& points = density_->points();
    for (std::size_t j = 0; j < dimension_; ++j) {
        double low = points(order[begin], j), high = low;
        for (std::size_t at = begin; at < end; ++at) {
            low = std::min(low, points(order[at], j));
            high = std::max(high, points(order[at], j));
        }
        low_.push_back(low / bandwidth_[j]);
        high_.push_back(high / bandwidth_[j]);
    }
    if (end - begin <= leaf_size(density_->settings().kernel)) return number;
    std::size_t widest = 0;
    const auto side = [&](std::size_t j) { return high_[number * dimension_ + j] - low_[number * dimension_ + j]; };
    for (std::size_t j = 1; j < dimension_; ++j)
        if (side(j) > side(widest)) widest = j;
    if (!(side(widest) > 0)) return number;
    const std::size_t middle = begin + (end - begin) / 2;
    const auto at = [&](std::size_t place) { return order.begin() + static_cast<std::ptrdiff_t>(place); };
    std::nth_element(at(begin), at(middle), at(end),
                     [&](std::size_t a, std::size_t b) { return points(a, widest) < points(b, widest); });
    const std::size_t left = build(begin, middle, order), right = build(middle, end, order);
    nodes_[number].left = left;
    nodes_[number].right = right;
    return number;
}

KernelTree::Reach KernelTree::reach(std::size_t node, std::span<const double> query) const {
    Reach found;
    for (std::size_t j = 0; j < dimension_; ++j) {
        const double below = low_[node * dimension_ + j] - query[j], above = query[j] - high_[node * dimension_ + j];
        const double outside = std::max({below, above, 0.0}), across = std::max(-below, -above);
        found.nearest += outside * outside;
        found.farthest += across * across;
    }
    return found;
}

double KernelTree::sum_of_leaf(const Node& leaf, std::span<const double> query) const {
    const KernelShape shape = density_->settings().kernel;
    const std::size_t n = weight_.size();
    if (shape == KernelShape::gaussian)
        return kernel::bump_sum(query.data(), dimension_, columns_.data() + leaf.begin, n, weight_.data() + leaf.begin,
                                leaf.end - leaf.begin);
    double sum = 0;
    for (std::size_t at = leaf.begin; at < leaf.end; ++at) {
        double square = 0;
        for (std::size_t j = 0; j < dimension_; ++j) {
            const double z = query[j] - columns_[j * n + at];
            square += z * z;
        }
        sum += weight_[at] * std::exp(log_kernel(shape, square));
    }
    return sum;
}

// sum_i w_i K; each unit of weight may be off by `absolute` + `relative` times the mean of what is surely there.
double KernelTree::sum_at(std::span<const double> query, double absolute, double relative) const {
    const KernelShape shape = density_->settings().kernel;
    const auto value = [shape](double square) { return std::exp(log_kernel(shape, square)); };
    double sum = 0, sure = 0;
    std::vector<std::pair<std::size_t, Reach>> open{{0, reach(0, query)}};
    while (!open.empty()) {
        const auto [number, distance] = open.back();
        open.pop_back();
        const Node& node = nodes_[number];
        const double most = value(distance.nearest), least = value(distance.farthest);
        if ((most - least) / 2 <= absolute + relative * sure / nodes_[0].weight) {
            sum += node.weight * (most + least) / 2;
            sure += node.weight * least;
        } else if (node.left == 0) {
            const double exact = sum_of_leaf(node, query);
            sum += exact;
            sure += exact;
        } else {
            const std::pair left{node.left, reach(node.left, query)}, right{node.right, reach(node.right, query)};
            const bool left_first = left.second.nearest <= right.second.nearest;
            open.push_back(left_first ? right : left);
            open.push_back(left_first ? left : right);
        }
    }
    return sum;
}

Result<std::vector<double>> KernelTree::log_density(const Matrix& rows, const DensityTolerance& tolerance,
                                                    const Context& context) const {
    if (rows.column_count != dimension_)
        return Error(ErrorKind::usage, "the rows have " + std::to_string(rows.column_count) +
                                           " columns and the points " + std::to_string(dimension_));
    if (!(tolerance.absolute >= 0) || !(tolerance.relative >= 0))
        return Error(ErrorKind::usage, "tolerances must be zero or positive numbers");
    for (std::size_t row = 0; row < rows.row_count; ++row)
        for (const double v : rows.row(row))
            if (!std::isfinite(v)) return Error("a kernel density needs finite numbers").at_row(row + 1);
    const double absolute = tolerance.absolute / std::exp(log_peak_), scale = log_peak_ - std::log(nodes_[0].weight);
    std::vector<double> out(rows.row_count);
    std::vector<std::uint8_t> vanished(rows.row_count);
    for_each_unit((rows.row_count + unit_tree_queries - 1) / unit_tree_queries, context.thread_count, context,
                  [&](std::size_t unit, Workspace&) {
                      std::vector<double> z(dimension_);
                      const std::size_t end = std::min((unit + 1) * unit_tree_queries, rows.row_count);
                      for (std::size_t row = unit * unit_tree_queries; row < end; ++row) {
                          for (std::size_t j = 0; j < dimension_; ++j) z[j] = rows(row, j) / bandwidth_[j];
                          const double sum = sum_at(z, absolute, tolerance.relative);
                          vanished[row] = sum == 0;
                          out[row] = std::log(sum) + scale;
                      }
                  });
    if (context.stopped()) return Error(ErrorKind::cancelled, "the computation was stopped");
    const KernelShape shape = density_->settings().kernel;
    if (shape != KernelShape::gaussian && shape != KernelShape::exponential) return out;
    // Kernels without end reach everywhere: where their sum is too small for a number, its logarithm is not.
    for (std::size_t row = 0; row < rows.row_count; ++row) {
        if (vanished[row] == 0) continue;
        Matrix one(1, dimension_);
        std::ranges::copy(rows.row(row), one.row(0).begin());
        auto exact = density_->log_density(one, context);
        if (!exact) return exact.error();
        out[row] = exact->front();
    }
    return out;
}

}  // namespace suffice
