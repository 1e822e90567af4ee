// Compares counts in cells, and corrects for many tests.
#include "suffice/compare/change.hpp"

#include <functional>
#include <numeric>

namespace suffice {
namespace {

struct Cell {
    double before = 0, after = 0;
    double sum() const { return before + after; }
    void merge(const Cell& from) {
        before += from.before;
        after += from.after;
    }
};

constexpr double least_expected = 5;  // rows in a cell, of the smaller sample (Cochran 1954)
constexpr double most_groups = 10;    // of cells in order: more of them see less of a shift

std::vector<Cell> neighbours_together(const std::vector<Cell>& cells, double least) {
    std::vector<Cell> groups;
    Cell open;
    for (const Cell& cell : cells) {
        open.merge(cell);
        if (open.sum() < least) continue;
        groups.push_back(open);
        open = {};
    }
    if (open.sum() > 0) (groups.empty() ? groups.emplace_back() : groups.back()).merge(open);
    return groups;
}

std::vector<Cell> rare_together(std::vector<Cell> cells, double least) {
    std::ranges::sort(cells, std::greater{}, &Cell::sum);
    Cell rest;
    while (!cells.empty() && (cells.back().sum() < least || (rest.sum() > 0 && rest.sum() < least))) {
        rest.merge(cells.back());
        cells.pop_back();
    }
    if (rest.sum() > 0) cells.push_back(rest);
    return cells;
}

// -p log p of a share.
double surprise(double share) { return share > 0 ? -share * std::log(share) : 0; }

}  // namespace

std::optional<Change> change_of_cells(std::span<const double> before, std::span<const double> after, CellOrder order) {
    const double n = std::accumulate(before.begin(), before.end(), 0.0);
    const double m = std::accumulate(after.begin(), after.end(), 0.0);
    if (!(n > 0) || !(m > 0)) return std::nullopt;
    std::vector<Cell> cells;
    for (std::size_t at = 0; at < before.size(); ++at) cells.push_back({before[at], after[at]});
    // Of both samples together, so many rows of a cell are expected to be so many in the smaller one.
    const double fewer = std::min(n, m), all = n + m;
    const double wanted = order == CellOrder::none ? least_expected : std::max(least_expected, fewer / most_groups);
    const double least = wanted * all / fewer * (1 - 1e-9);
    const auto groups =
        order == CellOrder::none ? rare_together(std::move(cells), least) : neighbours_together(cells, least);
    double divergence = 0, statistic = 0;
    for (const Cell& group : groups) {
        const double p = group.before / n, q = group.after / m, expected = group.sum() / all;
        divergence += surprise((p + q) / 2) - (surprise(p) + surprise(q)) / 2;
        if (expected > 0)
            statistic += (n * (p - expected) * (p - expected) + m * (q - expected) * (q - expected)) / expected;
    }
    const double degrees = static_cast<double>(groups.size()) - 1;
    const double p_value = degrees > 0 ? incomplete_gamma_complement(degrees / 2, statistic / 2) : 1;
    return Change{std::max(divergence, 0.0), p_value};
}

std::vector<double> adjusted_for_many(std::span<const double> p_values) {
    std::vector<std::size_t> order(p_values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t at) { return p_values[at]; });
    std::vector<double> adjusted(p_values.size());
    double largest = 0;
    for (std::size_t rank = 0; rank < order.size(); ++rank) {
        const double raised = p_values[order[rank]] * static_cast<double>(order.size() - rank);
        largest = std::min(1.0, std::max(largest, raised));
        adjusted[order[rank]] = largest;
    }
    return adjusted;
}

}  // namespace suffice
