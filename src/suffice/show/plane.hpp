// A model seen in two dimensions: scored on a grid over two columns or over its discriminant coordinates.
#pragma once
#include "suffice/report/plane_figures.hpp"
#include "suffice/show/report_rows.hpp"

namespace suffice {

struct PlaneOptions {
    std::vector<std::string> columns = {};  // two names; empty: chosen by the model and the rows
    bool discriminant = true;               // use discriminant coordinates where there are any and no column was named
    std::size_t grid_columns = 161, grid_rows = 121;
    std::size_t most_rows = 600;  // drawn as points
};

// Whole numbers, flags and levels are drawn at their own values. Other columns are integrated out exactly: the scorer
// takes them as missing. A model without densities cannot do that; there they are held at their means, and at their
// most frequent levels.
Result<PlaneView> plane_of(const Model& model, const SeenRows& rows, const PlaneOptions& options);

// Columns that can be an axis: all but text.
std::vector<std::uint32_t> drawable_columns(const Schema& schema);
Result<std::uint32_t> drawable_column(const Schema& schema, const std::string& name);

// Rows drawn from the model itself, where there are no data to set the range. They are not for showing.
SeenRows invented_rows(const Predictor& model, std::size_t count, std::uint64_t seed);

}  // namespace suffice
