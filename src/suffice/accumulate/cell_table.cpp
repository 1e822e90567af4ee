// Combines sparse tables cell by cell.
#include "suffice/accumulate/cell_table.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "suffice/family/sums.hpp"

namespace suffice {

double CellTable::weight() const { return std::accumulate(cell_weight.begin(), cell_weight.end(), 0.0); }

double CellTable::weight_of(double which) const {
    const auto found = std::ranges::lower_bound(cell, which);
    if (found == cell.end() || *found != which) return 0;
    return cell_weight[static_cast<std::size_t>(found - cell.begin())];
}

void CellTable::merge(const CellTable& from) {
    CellTable both;
    for (std::size_t a = 0, b = 0; a < cell.size() || b < from.cell.size();) {
        const bool mine = a < cell.size() && (b == from.cell.size() || cell[a] <= from.cell[b]);
        const bool theirs = b < from.cell.size() && (a == cell.size() || from.cell[b] <= cell[a]);
        both.cell.push_back(mine ? cell[a] : from.cell[b]);
        both.cell_weight.push_back((mine ? cell_weight[a++] : 0) + (theirs ? from.cell_weight[b++] : 0));
    }
    *this = std::move(both);
}

// A cell that was not here becomes negative, which valid() tells.
void CellTable::remove(const CellTable& rows) {
    CellTable gone = rows;
    for (double& each : gone.cell_weight) each = 0;
    merge(gone);
    CellTable rest;
    for (std::size_t at = 0; at < cell.size(); ++at) {
        const double left = difference(cell_weight[at], rows.weight_of(cell[at]));
        if (left == 0) continue;
        rest.cell.push_back(cell[at]);
        rest.cell_weight.push_back(left);
    }
    *this = std::move(rest);
}

void CellTable::scale(double factor) {
    if (factor == 0) *this = {};
    for (double& each : cell_weight) each *= factor;
}

void CellTable::recode(std::span<const std::uint32_t> before, std::span<const CodeMap* const> levels,
                       std::span<const std::uint32_t> after) {
    std::map<double, double> moved;
    std::vector<std::uint32_t> code(before.size());
    for (std::size_t at = 0; at < cell.size(); ++at) {
        write_levels(cell[at], before, code);
        bool kept = true;
        for (std::size_t k = 0; k < code.size(); ++k)
            if (levels[k] != nullptr) {
                code[k] = levels[k]->to[code[k]];
                kept = kept && code[k] != CodeMap::dropped;
            }
        if (kept) moved[cell_of(code, after)] += cell_weight[at];
    }
    *this = {};
    for (const auto& [place, each] : moved) {
        cell.push_back(place);
        cell_weight.push_back(each);
    }
}

bool CellTable::valid(double count) const {
    if (cell.size() != cell_weight.size()) return false;
    for (std::size_t at = 0; at < cell.size(); ++at) {
        if (!(cell[at] >= 0) || !(cell[at] < count) || cell[at] != std::floor(cell[at])) return false;
        if (at > 0 && !(cell[at] > cell[at - 1])) return false;
        if (!(cell_weight[at] > 0) || std::isinf(cell_weight[at])) return false;
    }
    return true;
}

std::optional<std::uint64_t> cell_count(std::span<const std::uint32_t> level_count) {
    double product = 1;
    for (auto levels : level_count) product *= levels;
    if (product > most_cells) return std::nullopt;
    return static_cast<std::uint64_t>(product);
}

void write_levels(double cell, std::span<const std::uint32_t> level_count, std::span<std::uint32_t> levels) {
    auto left = static_cast<std::uint64_t>(cell);
    for (std::size_t k = level_count.size(); k-- > 0; left /= level_count[k])
        levels[k] = static_cast<std::uint32_t>(left % level_count[k]);
}

double cell_of(std::span<const std::uint32_t> levels, std::span<const std::uint32_t> level_count) {
    std::uint64_t place = 0;
    for (std::size_t k = 0; k < levels.size(); ++k) place = place * level_count[k] + levels[k];
    return static_cast<double>(place);
}

}  // namespace suffice
