// Ward's hierarchy and quantiles.
#include "suffice/group/sample_groups.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "suffice/base/limits.hpp"
#include "suffice/math/eigen.hpp"

namespace suffice {
namespace {

constexpr std::size_t most_merged = 2000;  // the hierarchy takes the square of their number

double square_between(const double* a, const double* b, std::size_t d) {
    double sum = 0;
    for (std::size_t j = 0; j < d; ++j) sum += (a[j] - b[j]) * (a[j] - b[j]);
    return sum;
}

struct Merge {
    std::size_t into, from;
    double cost;
};

class Ward {
public:
    Ward(Matrix centres, std::vector<double> weight)
        : centre_(std::move(centres)), weight_(std::move(weight)), alive_(weight_.size(), true) {}

    // All merges, the cheapest first. The chain finds them in another order, but the tree is the same. None where a
    // cost is beyond all numbers, as between values or of weights near the largest one.
    std::vector<Merge> run() {
        std::vector<std::size_t> chain;
        for (std::size_t left = weight_.size(); left > 1;) {
            if (chain.empty()) chain.push_back(first_alive());
            const std::size_t last = chain.back();
            const auto [near, cost] = nearest(last, chain.size() > 1 ? chain[chain.size() - 2] : last);
            if (!std::isfinite(cost)) return {};
            if (chain.size() > 1 && near == chain[chain.size() - 2]) {
                chain.resize(chain.size() - 2);
                merge(std::min(last, near), std::max(last, near), cost);
                --left;
            } else {
                chain.push_back(near);
            }
        }
        std::ranges::stable_sort(merges_, {}, &Merge::cost);
        return std::move(merges_);
    }

private:
    std::size_t first_alive() const {
        return static_cast<std::size_t>(std::ranges::find(alive_, true) - alive_.begin());
    }
    double cost_of(std::size_t a, std::size_t b) const {
        const double share = weight_[a] * weight_[b] / (weight_[a] + weight_[b]);
        return share * square_between(centre_.row(a).data(), centre_.row(b).data(), centre_.column_count);
    }
    // `wanted` wins where it is as near as any.
    std::pair<std::size_t, double> nearest(std::size_t of, std::size_t wanted) const {
        std::size_t best = wanted;
        double least = wanted == of ? infinity : cost_of(of, wanted);
        for (std::size_t each = 0; each < weight_.size(); ++each) {
            if (!alive_[each] || each == of) continue;
            if (const double cost = cost_of(of, each); cost < least) {
                least = cost;
                best = each;
            }
        }
        return {best, least};
    }
    void merge(std::size_t into, std::size_t from, double cost) {
        const double total = weight_[into] + weight_[from];
        for (std::size_t j = 0; j < centre_.column_count; ++j)
            centre_(into, j) += (centre_(from, j) - centre_(into, j)) * weight_[from] / total;
        weight_[into] = total;
        alive_[from] = false;
        merges_.push_back({into, from, cost});
    }

    Matrix centre_;
    std::vector<double> weight_;
    std::vector<bool> alive_;
    std::vector<Merge> merges_;
};

std::size_t root_of(std::vector<std::size_t>& parent, std::size_t at) {
    while (parent[at] != at) at = parent[at] = parent[parent[at]];
    return at;
}

// Codes of the groups that are left after all but the last `count` - 1 merges.
std::vector<std::int32_t> cut(std::size_t size, const std::vector<Merge>& merges, std::size_t count) {
    std::vector<std::size_t> parent(size);
    std::iota(parent.begin(), parent.end(), std::size_t{0});
    for (std::size_t at = 0; at + count < size; ++at)
        parent[root_of(parent, merges[at].from)] = root_of(parent, merges[at].into);
    std::vector<std::int32_t> code(size, -1), group(size);
    std::int32_t next = 0;
    for (std::size_t at = 0; at < size; ++at) {
        auto& own = code[root_of(parent, at)];
        if (own < 0) own = next++;
        group[at] = own;
    }
    return group;
}

}  // namespace

std::vector<std::int32_t> ward_groups(const Matrix& points, const std::vector<double>& weight, std::size_t count) {
    const std::size_t d = points.column_count;
    std::vector<std::size_t> taken;
    const std::size_t step = (points.row_count + most_merged - 1) / most_merged;
    for (std::size_t row = 0; row < points.row_count; row += step)
        if (weight[row] > 0) taken.push_back(row);
    if (taken.size() < count) return {};
    Matrix some(taken.size(), d);
    std::vector<double> own;
    for (std::size_t at = 0; at < taken.size(); ++at) {
        std::ranges::copy(points.row(taken[at]), some.row(at).begin());
        own.push_back(weight[taken[at]]);
    }
    const auto merges = Ward(some, own).run();
    if (merges.size() + 1 < taken.size()) return {};
    if (count > 1 && merges.size() + 1 > count && !(merges[merges.size() - (count - 1)].cost > 0)) return {};
    const auto group = cut(taken.size(), merges, count);
    if (step == 1 && taken.size() == points.row_count) return group;
    Matrix mean(count, d);
    std::vector<double> total(count);
    for (std::size_t at = 0; at < taken.size(); ++at) {
        const auto c = static_cast<std::size_t>(group[at]);
        total[c] += own[at];
        for (std::size_t j = 0; j < d; ++j) mean(c, j) += (some(at, j) - mean(c, j)) * own[at] / total[c];
    }
    std::vector<std::int32_t> all(points.row_count);
    for (std::size_t row = 0; row < points.row_count; ++row) {
        double least = infinity;
        for (std::size_t c = 0; c < count; ++c)
            if (const double way = square_between(points.row(row).data(), mean.row(c).data(), d); way < least) {
                least = way;
                all[row] = static_cast<std::int32_t>(c);
            }
    }
    return all;
}

std::vector<std::int32_t> quantile_groups(const Matrix& points, const std::vector<double>& weight, std::size_t count) {
    const std::size_t d = points.column_count;
    std::vector<double> scatter(d * d), values(d), along(points.row_count);
    for (std::size_t row = 0; row < points.row_count; ++row)
        for (std::size_t i = 0; i < d; ++i)
            for (std::size_t j = 0; j <= i; ++j) scatter[i * d + j] += weight[row] * points(row, i) * points(row, j);
    if (!symmetric_eigen(scatter, d, values)) return {};
    const double* axis = &scatter[(d - 1) * d];
    for (std::size_t row = 0; row < points.row_count; ++row)
        along[row] = std::inner_product(axis, axis + d, points.row(row).data(), 0.0);
    std::vector<std::size_t> order(points.row_count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t row) { return along[row]; });
    const double total = std::accumulate(weight.begin(), weight.end(), 0.0);
    std::vector<std::int32_t> group(points.row_count);
    double before = 0;
    for (const std::size_t row : order) {
        const double middle = (before + weight[row] / 2) / total * static_cast<double>(count);
        group[row] = static_cast<std::int32_t>(std::min(static_cast<std::size_t>(middle), count - 1));
        before += weight[row];
    }
    return group;
}

}  // namespace suffice
