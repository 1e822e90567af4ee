// Weights of the cells of a table with many axes, only those that were seen. A cell is its place in mixed radix: the
// last column's level runs fastest.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "suffice/base/fields.hpp"
#include "suffice/data/schema.hpp"

namespace suffice {

struct CellTable {
    std::vector<double> cell;         // ascending whole numbers; doubles, so that files hold plain runs of numbers
    std::vector<double> cell_weight;  // above zero
    static constexpr auto fields =
        FieldTuple{field("cell", &CellTable::cell), field("cell_weight", &CellTable::cell_weight)};
    bool operator==(const CellTable&) const = default;

    double weight() const;
    double weight_of(double which) const;  // zero: not seen
    void merge(const CellTable& from);
    void remove(const CellTable& rows);
    void scale(double factor);
    // Each level to its new code; the radix changes from the first shape to the second.
    void recode(std::span<const std::uint32_t> before, std::span<const CodeMap* const> levels,
                std::span<const std::uint32_t> after);
    bool valid(double cell_count) const;
};

// Number of cells; empty: above the limit, which keeps a mistake from taking all memory.
inline constexpr double most_cells = 1e6;
std::optional<std::uint64_t> cell_count(std::span<const std::uint32_t> level_count);
void write_levels(double cell, std::span<const std::uint32_t> level_count, std::span<std::uint32_t> levels);
double cell_of(std::span<const std::uint32_t> levels, std::span<const std::uint32_t> level_count);

}  // namespace suffice
