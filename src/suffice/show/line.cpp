// Scores models along a column.
#include "suffice/show/line.hpp"

#include "suffice/show/column_axis.hpp"
#include "suffice/show/grid_scores.hpp"

namespace suffice {

Result<LineView> line_of(const Model& model, const SeenRows& rows, std::uint32_t column) {
    const Predictor& predictor = model.predictor();
    const ColumnAxis axis = column_axis(predictor, column, rows.column(column));
    LineView view{axis.drawn(), other_columns(predictor, 1), std::string(predictor.name()), predictor.schema().classes};
    view.at = axis.values;
    view.bars = axis.is_discrete();
    constexpr std::size_t steps = 400;
    for (std::size_t k = 0; k <= steps && !view.bars; ++k)
        view.at.push_back(axis.low + (axis.high - axis.low) * static_cast<double>(k) / steps);
    const std::vector<double> held = held_columns(predictor, rows);
    Matrix line(view.at.size(), held.size());
    for (std::size_t k = 0; k < view.at.size(); ++k) {
        std::ranges::copy(held, line.row(k).begin());
        line(k, column) = view.at[k];
    }
    auto scored = score_places(predictor, line);
    if (!scored) return scored.error();
    view.posterior = std::move(scored->posterior);
    if (predictor.check_density()) view.log_density = std::move(scored->log_density);
    return view;
}

}  // namespace suffice
