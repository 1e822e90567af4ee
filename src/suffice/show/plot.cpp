// Finds the numbers of a picture and has it drawn.
#include "suffice/show/plot.hpp"

#include <cmath>

#include "suffice/flow/column_names.hpp"
#include "suffice/report/curve_figures.hpp"
#include "suffice/show/family_pictures.hpp"
#include "suffice/show/lessons.hpp"
#include "suffice/show/line.hpp"
#include "suffice/show/picture_data.hpp"
#include "suffice/show/plane.hpp"

namespace suffice {
namespace {

struct Drawn {
    Figure figure;
    std::string data;
};

// Two columns of numbers, all rows of them.
struct TwoColumns {
    std::string x_title, y_title;
    std::vector<PlotPoint> rows;
};

Result<TwoColumns> two_columns(const std::vector<std::string>& files, const PlotOptions& options) {
    auto reader = open_table(files, options.apply.read);
    if (!reader) return reader.error();
    const auto& found = (*reader)->columns();
    std::vector<std::uint32_t> chosen;
    if (options.columns.empty()) {
        for (std::uint32_t k = 0; k < found.size() && chosen.size() < 2; ++k)
            if (found[k].kind == ColumnKind::number) chosen.push_back(k);
    } else {
        auto named = find_columns(found, options.columns, (*reader)->files().front());
        if (!named) return named.error();
        chosen = std::move(*named);
    }
    if (chosen.size() != 2)
        return Error(ErrorKind::usage, "two columns of numbers make a plane")
            .advise({"columns", "a,b", "name them with"});
    for (const auto side : chosen)
        if (found[side].kind != ColumnKind::number && found[side].kind != ColumnKind::flag)
            return Error("the column does not hold numbers").in_file(files.front()).in_column(found[side].name);
    for (std::uint32_t k = 0; k < found.size(); ++k)
        (*reader)->want(k, k == chosen[0] || k == chosen[1], ColumnKind::number);
    TwoColumns made{found[chosen[0]].name, found[chosen[1]].name, {}};
    TableUnit unit;
    for (;;) {
        const auto more = (*reader)->draw(unit);
        if (!more) return more.error();
        if (!*more) return made;
        if (auto decoded = (*reader)->decode(unit); !decoded) return decoded.error();
        const auto &x = unit.columns[chosen[0]].numbers, &y = unit.columns[chosen[1]].numbers;
        for (std::size_t row = 0; row < unit.row_count; ++row)
            if (std::isfinite(x[row]) && std::isfinite(y[row])) made.rows.push_back({x[row], y[row]});
    }
}

// Of a model with one column, or of the one column that was named.
std::optional<Result<std::uint32_t>> only_column(const Model& model, const PlaneOptions& options) {
    if (options.columns.size() == 1) return drawable_column(model.schema(), options.columns[0]);
    const auto all = drawable_columns(model.schema());
    if (!options.columns.empty() || all.size() != 1) return std::nullopt;
    return all[0];
}

Result<Drawn> plane_picture(Plot what, const Model& model, const SeenRows& rows, const PlaneOptions& options) {
    if (what == Plot::density)
        if (auto has = model.predictor().check_density(); !has) return has.error();
    if (const auto column = only_column(model, options)) {
        if (!*column) return column->error();
        const auto view = line_of(model, rows, **column);
        if (!view) return view.error();
        return Drawn{line_figure(*view), data_of(*view)};
    }
    const auto view = plane_of(model, rows, options);
    if (!view) return view.error();
    Figure figure = what == Plot::boundary  ? boundary_figure(*view)
                    : what == Plot::density ? density_figure(*view)
                                            : posterior_figure(*view);
    return Drawn{std::move(figure), data_of(*view, bool(model.predictor().check_density()))};
}

constexpr ReportLimits no_rows_told{.mistakes = 0, .odd = 0, .words = 0};

Result<Plotted> picture(const Model& model, Result<ReportRows> rows, const PlotOptions& options) {
    if (!rows) return rows.error();
    if (!needs_rows(options.what)) {
        PlaneOptions plane;
        plane.columns = options.columns;
        auto figure = plane_picture(options.what, model, rows->sample, plane);
        if (!figure) return figure.error();
        return Plotted{std::move(figure->figure), std::move(rows->notes), std::move(figure->data)};
    }
    const Scores scores = rows->evaluation.scores();
    Figure figure = options.what == Plot::roc         ? roc_figure(rows->evaluation, scores, model.classes())
                    : options.what == Plot::confusion ? confusion_figure(scores, model.classes())
                                                      : reliability_figure(scores);
    return Plotted{std::move(figure), std::move(rows->notes),
                   data_of(options.what, rows->evaluation, scores, model.classes())};
}

}  // namespace

bool needs_model(Plot what) { return what <= Plot::confusion; }
bool needs_rows(Plot what) { return what == Plot::calibration || what == Plot::roc || what == Plot::confusion; }

Result<Plotted> plot(const Model& model, const std::vector<std::string>& files, const PlotOptions& options,
                     const Context& context) {
    if (!files.empty()) return picture(model, gather_rows(model, files, options.apply, no_rows_told, context), options);
    if (needs_rows(options.what))
        return Error(ErrorKind::usage, "this picture needs rows whose class is known; name them behind the model");
    if (auto has = model.predictor().check_density(); !has)
        return Error(ErrorKind::usage, "without densities the model cannot say where its classes lie; name some data");
    PlaneOptions plane;
    plane.columns = options.columns;
    plane.most_rows = 0;
    auto figure = plane_picture(options.what, model, invented_rows(model.predictor(), 400, context.seed), plane);
    if (!figure) return figure.error();
    return Plotted{std::move(figure->figure), {}, std::move(figure->data)};
}

Result<Plotted> plot(const Model& model, const LabeledBlock& rows, const PlotOptions& options, const Context& context) {
    return picture(model, gather_rows(model, rows, no_rows_told, context), options);
}

Result<Plotted> plot_lesson(const std::vector<std::string>& files, const PlotOptions& options, const Context& context) {
    if (options.of_family() || (options.what == Plot::simplex && !files.empty()))
        return plot_families(files, options, context);
    const auto finished = [](Result<Figure> figure) -> Result<Plotted> {
        if (!figure) return figure.error();
        return Plotted{std::move(*figure), {}};
    };
    if (!files.empty() && options.what != Plot::em)
        return Error(ErrorKind::usage, "without a family this picture needs no data; " + files[0] + " is not read")
            .advise({"model", "poisson", "name a family with"});
    switch (options.what) {
        case Plot::sigmoid:
            return finished(sigmoid_lesson());
        case Plot::family:
            return finished(family_lesson());
        case Plot::prior:
            return finished(prior_lesson(context.seed));
        case Plot::simplex:
            return finished(simplex_lesson(context.seed));
        default:
            break;
    }
    TwoColumns rows;
    if (!files.empty()) {
        auto found = two_columns(files, options);
        if (!found) return found.error();
        rows = std::move(*found);
    }
    return finished(em_lesson(std::move(rows.rows), std::move(rows.x_title), std::move(rows.y_title), context));
}

}  // namespace suffice
