// Lines along which a function on a grid is level (marching squares), and the boundaries between classes on it.
#pragma once
#include <span>
#include <vector>

#include "suffice/report/svg.hpp"

namespace suffice {

// Values at the corners of equal cells; row 0 lies at y_low, column 0 at x_low.
struct PlaneGrid {
    std::size_t columns = 0, rows = 0;
    double x_low = 0, x_high = 1, y_low = 0, y_high = 1;

    std::size_t size() const { return columns * rows; }
    PlotPoint corner(std::size_t column, std::size_t row) const {
        return {x_low + (x_high - x_low) * static_cast<double>(column) / static_cast<double>(columns - 1),
                y_low + (y_high - y_low) * static_cast<double>(row) / static_cast<double>(rows - 1)};
    }
};

using Polyline = std::vector<PlotPoint>;

// Where `values` (row by row) cross `level`, linear between corners, joined into lines as long as possible. Cells with
// a corner that is not finite have none.
std::vector<Polyline> contour_lines(const PlaneGrid& grid, std::span<const double> values, double level);

// `scores`: corner by corner, class_count each. The line between classes a and b, only where the two lead all others.
std::vector<Polyline> boundary_lines(const PlaneGrid& grid, std::span<const double> scores, std::size_t class_count,
                                     std::size_t a, std::size_t b);

}  // namespace suffice
