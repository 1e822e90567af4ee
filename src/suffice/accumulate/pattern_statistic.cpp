// Combines rows of the same pattern, giving them a scatter once they differ.
#include "suffice/accumulate/pattern_statistic.hpp"

#include <algorithm>

namespace suffice {
namespace {

using Rows = GaussianVector::Statistic;

bool has_scatter(const Rows& rows) { return !rows.scatter.empty(); }

void add_scatter(Rows& rows) { rows.scatter.resize(rows.mean.size() * rows.mean.size()); }

// A scatter without variances is zero.
void drop_zero_scatter(Rows& rows) {
    for (std::size_t i = 0; i < rows.scatter.size(); i += rows.mean.size() + 1)
        if (rows.scatter[i] != 0) return;
    rows.scatter = {};
}

// Rows that are all `values`.
void add_equal_rows(Rows& into, std::span<const double> values, double weight) {
    if (!has_scatter(into)) {
        if (std::ranges::equal(into.mean, values)) {
            into.total_weight += weight;
            return;
        }
        add_scatter(into);
    }
    GaussianVector{values.size()}.observe(into, values, weight);
}

}  // namespace

void PatternStatistic::observe(const Pattern& pattern, std::span<const double> present, double weight) {
    if (pattern.empty()) return;
    const auto [at, fresh] = by_pattern.try_emplace(pattern);
    if (fresh) {
        at->second = {weight, {present.begin(), present.end()}, {}};
    } else {
        add_equal_rows(at->second, present, weight);
    }
}

double PatternStatistic::weight() const {
    double sum = 0;
    for (const auto& [pattern, rows] : by_pattern) sum += rows.weight();
    return sum;
}

std::size_t PatternStatistic::bytes() const {
    constexpr std::size_t node = sizeof(decltype(by_pattern)::value_type) + 4 * sizeof(void*);
    std::size_t sum = 0;
    for (const auto& [pattern, rows] : by_pattern)
        sum +=
            node + pattern.size() * sizeof(std::uint32_t) + (rows.mean.size() + rows.scatter.size()) * sizeof(double);
    return sum;
}

void PatternStatistic::merge(const PatternStatistic& from) {
    for (const auto& [pattern, rows] : from.by_pattern) {
        const auto [at, fresh] = by_pattern.try_emplace(pattern, rows);
        if (fresh) continue;
        if (!has_scatter(rows)) {
            add_equal_rows(at->second, rows.mean, rows.total_weight);
        } else {
            if (!has_scatter(at->second)) add_scatter(at->second);
            at->second.merge(rows);
        }
    }
}

void PatternStatistic::remove(const PatternStatistic& rows) {
    for (const auto& [pattern, gone] : rows.by_pattern) {
        Rows& from = by_pattern.try_emplace(pattern, GaussianVector{pattern.size()}.empty()).first->second;
        if (!has_scatter(from)) add_scatter(from);
        if (has_scatter(gone)) {
            from.remove(gone);
        } else {
            Rows with_scatter = gone;
            add_scatter(with_scatter);
            from.remove(with_scatter);
        }
        drop_zero_scatter(from);
    }
    std::erase_if(by_pattern, [](const auto& item) { return item.second.weight() == 0; });
}

void PatternStatistic::scale(double factor) {
    if (factor == 0) return by_pattern.clear();
    for (auto& [pattern, rows] : by_pattern) rows.scale(factor);
}

bool PatternStatistic::valid(std::size_t column_count) const {
    for (const auto& [pattern, rows] : by_pattern) {
        const GaussianVector family{pattern.size()};
        if (pattern.empty()) return false;
        if (has_scatter(rows) ? !family.valid(rows) : !family.supports(rows.mean) || !(rows.total_weight >= 0))
            return false;
        for (std::size_t k = 0; k < pattern.size(); ++k)
            if (pattern[k] >= column_count || (k > 0 && pattern[k] <= pattern[k - 1])) return false;
    }
    return true;
}

}  // namespace suffice
