// Scores models on grids.
#include "suffice/show/plane.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "suffice/evaluate/separation.hpp"
#include "suffice/family/gaussian.hpp"
#include "suffice/math/log_sum_exp.hpp"
#include "suffice/math/sampling.hpp"
#include "suffice/model/discriminant_coordinates.hpp"
#include "suffice/report/number_text.hpp"
#include "suffice/report/score_terms.hpp"
#include "suffice/show/column_axis.hpp"
#include "suffice/show/grid_scores.hpp"

namespace suffice {
namespace {

struct Range {
    double low = INFINITY, high = -INFINITY;
    void include(double x) {
        if (!std::isfinite(x)) return;
        low = std::min(low, x);
        high = std::max(high, x);
    }
    void widen(double share) {
        if (!(high >= low)) low = 0, high = 1;
        const double more = high > low ? share * (high - low) : 1;
        low -= more;
        high += more;
    }
};

void set_ranges(PlaneView& view, std::span<const PlotPoint> points, const PlaneOptions& options) {
    Range x, y;
    for (const auto& point : points) {
        if (std::isnan(point.x) || std::isnan(point.y)) continue;
        x.include(point.x);
        y.include(point.y);
    }
    x.widen(0.12);
    y.widen(0.12);
    view.grid = {options.grid_columns, options.grid_rows, x.low, x.high, y.low, y.high};
    view.x = number_axis(view.x.title, x.low, x.high);
    view.y = number_axis(view.y.title, y.low, y.high);
}

void add_rows(PlaneView& view, std::span<const PlotPoint> points, const SeenRows& rows, std::size_t most) {
    const std::size_t step = std::max<std::size_t>(1, (points.size() + most - 1) / std::max<std::size_t>(most, 1));
    for (std::size_t k = 0; k < points.size() && most > 0; k += step)
        if (!std::isnan(points[k].x) && !std::isnan(points[k].y)) view.rows.push_back({points[k], rows.label[k]});
    view.row_count = std::max<std::size_t>(rows.row_count, points.size());
}

// From log densities: joint and posterior of every corner.
void set_scores(PlaneView& view, const std::vector<double>& log_prior) {
    const std::size_t classes = log_prior.size();
    view.log_joint.resize(view.log_density.size());
    view.posterior.resize(view.log_density.size());
    for (std::size_t at = 0; at < view.log_density.size(); at += classes) {
        const std::span joint = std::span(view.log_joint).subspan(at, classes);
        for (std::size_t c = 0; c < classes; ++c) joint[c] = view.log_density[at + c] + log_prior[c];
        const double all = log_sum_exp(std::span<const double>(joint));
        for (std::size_t c = 0; c < classes; ++c) view.posterior[at + c] = std::exp(joint[c] - all);
    }
}

PlaneView blank_view(const Predictor& model) {
    PlaneView view;
    view.model = model.name();
    view.classes = model.schema().classes;
    const auto form = model.form();
    view.straight = form && is_linear(*form);
    return view;
}

// Numbers first, those that separate the classes most; then flags and levels.
Result<std::array<std::uint32_t, 2>> chosen_columns(const Predictor& model, const SeenRows& rows,
                                                    const PlaneOptions& options) {
    const Schema& schema = model.schema();
    if (!options.columns.empty()) {
        if (options.columns.size() != 2) return Error(ErrorKind::usage, "two columns make a plane; name two");
        std::array<std::uint32_t, 2> chosen{};
        for (std::size_t side = 0; side < 2; ++side) {
            const auto found = drawable_column(schema, options.columns[side]);
            if (!found) return found.error();
            chosen[side] = *found;
        }
        if (chosen[0] == chosen[1]) return Error(ErrorKind::usage, "two different columns make a plane");
        return chosen;
    }
    auto columns = drawable_columns(schema);
    if (columns.size() < 2)
        return Error(ErrorKind::usage, "a picture in two dimensions needs two columns; the model has " +
                                           std::to_string(columns.size()) + " that can be drawn");
    std::vector<double> separation(schema.columns.size());
    for (const auto k : columns)
        separation[k] = schema.columns[k].kind == ColumnKind::number
                            ? class_separation(rows.column(k), rows.label, model.class_count())
                            : -1;
    std::ranges::stable_sort(columns, std::greater{}, [&](std::uint32_t k) { return separation[k]; });
    std::array<std::uint32_t, 2> best{columns[0], columns[1]};
    if (separation[best[1]] >= 0 && best[0] > best[1]) std::swap(best[0], best[1]);
    return best;
}

Result<PlaneView> over_columns(const Predictor& model, const SeenRows& rows, const PlaneOptions& options) {
    const auto chosen = chosen_columns(model, rows, options);
    if (!chosen) return chosen.error();
    const ColumnAxis x = column_axis(model, (*chosen)[0], rows.column((*chosen)[0]));
    const ColumnAxis y = column_axis(model, (*chosen)[1], rows.column((*chosen)[1]));
    PlaneView view = blank_view(model);
    view.straight = view.straight && !x.is_discrete() && !y.is_discrete();
    view.x = x.drawn();
    view.y = y.drawn();
    view.cells = x.is_discrete() || y.is_discrete();
    view.discrete = x.is_discrete() && y.is_discrete();
    view.others = other_columns(model, 2);
    std::vector<PlotPoint> points;
    for (std::size_t row = 0; row < rows.size(); ++row)
        points.push_back({rows.values(row, x.column), rows.values(row, y.column)});
    view.grid = {options.grid_columns, options.grid_rows, x.low, x.high, y.low, y.high};
    add_rows(view, points, rows, options.most_rows);
    const std::vector<double> held = held_columns(model, rows);
    Matrix line(view.grid.columns, held.size());  // one row of the grid at a time: a model may have many columns
    for (std::size_t row = 0; row < view.grid.rows; ++row) {
        for (std::size_t column = 0; column < view.grid.columns; ++column) {
            const PlotPoint corner = view.grid.corner(column, row);
            std::ranges::copy(held, line.row(column).begin());
            view.places.push_back({x.nearest(corner.x), y.nearest(corner.y)});
            line(column, x.column) = view.places.back().x;
            line(column, y.column) = view.places.back().y;
        }
        const auto scored = score_places(model, line);
        if (!scored) return scored.error();
        const auto append = [](std::vector<double>& to, const std::vector<double>& more) {
            to.insert(to.end(), more.begin(), more.end());
        };
        append(view.log_density, scored->log_density);
        append(view.log_joint, scored->log_joint);
        append(view.posterior, scored->posterior);
    }
    return view;
}

// In discriminant coordinates each class is a sphere of variance one around its mean.
Result<PlaneView> over_coordinates(const Classifier& model, const DiscriminantCoordinates& coordinates,
                                   const SeenRows& rows, const PlaneOptions& options) {
    PlaneView view = blank_view(model);
    const std::size_t classes = model.class_count(), width = coordinates.centre.size();
    const auto share = [&](std::size_t k) {
        return "discriminant coordinate " + std::to_string(k + 1) + " (" + percent(coordinates.explained[k]) + ")";
    };
    view.x.title = share(0);
    view.y.title = share(1);
    view.others = "The two discriminant coordinates in which the class means lie farthest apart" +
                  std::string(coordinates.count() > 2 ? "; further ones are integrated out." : ".");
    const auto point_of = [&](std::span<const double> row) {
        const auto z = coordinates.of_row(row);
        return PlotPoint{z[0], z[1]};
    };
    std::vector<PlotPoint> means(classes), points;
    const auto description = model.describe();
    for (std::size_t c = 0; c < classes; ++c) {
        std::vector<double> mean(width);
        for (std::size_t k = 0; k < width; ++k) mean[k] = description.columns[k].by_class[c].number("mean");
        means[c] = point_of(mean);
    }
    for (std::size_t row = 0; row < rows.size(); ++row) points.push_back(point_of(rows.values.row(row)));
    set_ranges(view, points, options);
    add_rows(view, points, rows, options.most_rows);
    for (std::size_t row = 0; row < view.grid.rows; ++row)
        for (std::size_t column = 0; column < view.grid.columns; ++column) {
            const PlotPoint corner = view.grid.corner(column, row);
            for (const auto& mean : means)
                view.log_density.push_back(-0.5 * (std::pow(corner.x - mean.x, 2) + std::pow(corner.y - mean.y, 2)) -
                                           log_two_pi);
        }
    set_scores(view, model.log_prior());
    return view;
}

}  // namespace

std::vector<std::uint32_t> drawable_columns(const Schema& schema) {
    std::vector<std::uint32_t> columns;
    for (std::uint32_t k = 0; k < schema.columns.size(); ++k)
        if (schema.columns[k].kind != ColumnKind::text) columns.push_back(k);
    return columns;
}

Result<std::uint32_t> drawable_column(const Schema& schema, const std::string& name) {
    const auto found = schema.column_named(name);
    if (!found) return Error(ErrorKind::usage, "the model has no column " + name);
    if (schema.columns[*found].kind == ColumnKind::text)
        return Error(ErrorKind::usage, "the column " + name + " holds text, which has no axis");
    return *found;
}

SeenRows invented_rows(const Predictor& model, std::size_t count, std::uint64_t seed) {
    SeenRows rows;
    const std::size_t width = model.schema().columns.size();
    rows.values = Matrix(count, width);
    std::vector<double> prior;
    for (const double each : model.log_prior()) prior.push_back(std::exp(each));
    const Rng streams(seed, "invented");
    for (std::size_t row = 0; row < count; ++row) {
        Rng rng = streams.fork(row);
        const std::size_t c = sample_index(prior, rng);
        std::ranges::copy(model.sample(c, rng).values, rows.values.row(row).begin());
        rows.label.push_back(static_cast<std::int32_t>(c));
    }
    return rows;
}

Result<PlaneView> plane_of(const Model& model, const SeenRows& rows, const PlaneOptions& options) {
    const auto* sum = model.as<Classifier>();
    if (options.columns.empty() && options.discriminant && sum != nullptr && model.schema().columns.size() > 2)
        if (const auto found = discriminant_coordinates(*sum);
            found && found->count() >= 2 && found->centre.size() == model.schema().columns.size())
            return over_coordinates(*sum, *found, rows, options);
    return over_columns(model.predictor(), rows, options);
}

}  // namespace suffice
