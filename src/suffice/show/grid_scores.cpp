// Asks the model's scorer.
#include "suffice/show/grid_scores.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace suffice {

Result<PlaceScores> score_places(const Predictor& model, const Matrix& places) {
    const std::size_t classes = model.class_count();
    const DenseBlock block = rows(places.values.data(), places.row_count, places.column_count);
    PlaceScores made;
    made.log_joint.resize(places.row_count * classes);
    ScoreSink sink;
    sink.form = ScoreSink::Form::log_joint;
    sink.scores = made.log_joint.data();
    sink.stride = static_cast<std::ptrdiff_t>(classes);
    if (auto scored = model.score(block, sink, {}); !scored) return scored.error();
    auto posterior = model.posteriors(block);
    if (!posterior) return posterior.error();
    made.posterior = std::move(posterior->values);
    made.log_density = made.log_joint;
    for (std::size_t at = 0; at < made.log_density.size(); ++at)
        made.log_density[at] -= model.log_prior()[at % classes];
    return made;
}

std::vector<double> held_columns(const Predictor& model, const SeenRows& rows) {
    const auto& columns = model.schema().columns;
    std::vector<double> held(columns.size(), std::numeric_limits<double>::quiet_NaN());
    if (model.check_density()) return held;
    for (std::size_t k = 0; k < columns.size(); ++k) {
        std::map<double, std::size_t> count;
        double sum = 0, seen = 0;
        for (const double value : rows.column(k))
            if (std::isfinite(value)) {
                ++count[value];
                sum += value;
                ++seen;
            }
        const auto most = std::ranges::max_element(count, {}, [](const auto& each) { return each.second; });
        if (seen > 0) held[k] = columns[k].kind == ColumnKind::number ? sum / seen : most->first;
    }
    return held;
}

std::string other_columns(const Predictor& model, std::size_t shown) {
    const std::size_t width = model.schema().columns.size();
    if (width <= shown) return {};
    return "The other " + std::to_string(width - shown) + (width == shown + 1 ? " column is" : " columns are") +
           (model.check_density() ? " integrated out." : " held at the mean, or at the most frequent level.");
}

}  // namespace suffice
