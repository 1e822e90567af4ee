// A model seen in one dimension: scored along one column.
#pragma once
#include "suffice/report/line_figures.hpp"
#include "suffice/show/report_rows.hpp"

namespace suffice {

// Other columns are treated as in plane_of.
Result<LineView> line_of(const Model& model, const SeenRows& rows, std::uint32_t column);

}  // namespace suffice
