// From the columns of a block to the numbers of a regression: a number as it is, a category as one indicator per level
// but the first, or basis functions of a number. Fitted once, saved with the model.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "suffice/base/fields.hpp"
#include "suffice/base/result.hpp"
#include "suffice/data/block.hpp"
#include "suffice/data/schema.hpp"
#include "suffice/kernel/rows.hpp"

namespace suffice {

enum class Basis : std::uint8_t {
    number,      // x
    levels,      // [x = 1], [x = 2], ...; level 0 is what the others are compared with
    polynomial,  // t, t^2, ..., t^count with t = (x - shift) / scale
    spline,      // natural cubic, by its truncated powers: linear beyond the outer knots
    radial,      // exp(-((x - centre) / scale)^2 / 2)
    sigmoid,     // 1 / (1 + exp(-(x - centre) / scale))
    fourier,     // sin and cos of 2 pi j (x - shift) / scale
    b_spline,    // cubic, all but the first; constant beyond the outer knots
    product,     // x times the number in another column
    power,       // x^degree as it stands, so that its coefficient is that of phi = (1, x, x^2, ...)
    missing,     // 1 where x is missing, else 0
};

// What one column becomes.
struct ColumnBasis {
    static constexpr std::uint32_t most_degree = 30;
    std::uint32_t column = 0;
    Basis basis = Basis::number;
    std::uint32_t count = 1;      // how many numbers it gives
    double shift = 0, scale = 1;  // as the basis uses them
    std::vector<double> points;   // knots or centres, ascending
    std::uint32_t other = 0;      // the second column of a product
    std::uint32_t degree = 1;     // of a power
    // What stands for a missing x, and of a product for the missing number in the other column.
    bool fills = false;
    double fill = 0, fill_other = 0;
    static constexpr auto fields =
        FieldTuple{field("column", &ColumnBasis::column),        field("basis", &ColumnBasis::basis),
                   field("count", &ColumnBasis::count),          field("shift", &ColumnBasis::shift),
                   field("scale", &ColumnBasis::scale),          field("points", &ColumnBasis::points),
                   field("other", &ColumnBasis::other),          field("degree", &ColumnBasis::degree),
                   field("fills", &ColumnBasis::fills),          field("fill", &ColumnBasis::fill),
                   field("fill_other", &ColumnBasis::fill_other)};
    bool operator==(const ColumnBasis&) const = default;

    // NaN where x is missing and nothing stands for it; zeros for a level that was never seen. y: of a product, the
    // number in the other column.
    void write(double x, double y, double* out) const;
    bool valid(std::size_t column_count) const;
};

struct Features {
    std::vector<ColumnBasis> columns;
    static constexpr auto fields = FieldTuple{field("columns", &Features::columns)};
    bool operator==(const Features&) const = default;

    // Numbers as they are, categories by level. A text column has no numbers and is an Error.
    static Result<Features> of(const Schema& schema);

    std::size_t count() const;
    bool plain() const;  // every feature is a column as it is, in order
    std::vector<std::string> names(const Schema& schema) const;
    // Which column a feature comes from.
    std::vector<std::uint32_t> sources() const;

    // Row-major; views into the block where it is laid out so already, else into `scratch`.
    kernel::Rows rows_of(const Block& block, std::vector<double>& scratch) const;
};

}  // namespace suffice
