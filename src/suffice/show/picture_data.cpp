// Writes the numbers of pictures.
#include "suffice/show/picture_data.hpp"

#include <array>

#include "suffice/report/curve_figures.hpp"
#include "suffice/report/json_text.hpp"

namespace suffice {
namespace {

void write_names(JsonText& json, std::string_view name, const std::vector<std::string>& names) {
    json.open_list(name, names.size());
    for (const std::string& each : names) json.text({}, each);
    json.close();
}

// A line of numbers for each place.
void write_places(JsonText& json, std::string_view name, std::span<const double> values, std::size_t width) {
    json.open_list(name, values.size() / width);
    for (std::size_t at = 0; at < values.size(); at += width) json.numbers({}, values.subspan(at, width));
    json.close();
}

void write_rows(JsonText& json, const PlaneView& view) {
    json.open_list("rows", view.rows.size());
    for (const PlaneView::Row& row : view.rows) json.numbers({}, std::array{row.at.x, row.at.y});
    json.close();
    json.open_list("classes_of_rows", view.rows.size());
    for (const PlaneView::Row& row : view.rows)
        json.text({}, row.label < 0 ? std::string_view{} : view.classes[static_cast<std::size_t>(row.label)]);
    json.close();
}

void write_roc(JsonText& json, const Evaluation& evaluation, const Scores& scores,
               const std::vector<std::string>& classes) {
    const auto shown = shown_classes(classes);
    json.open_list("curves", shown.size());
    for (const std::size_t c : shown) {
        json.open_record();
        json.text("class", classes[c]);
        json.maybe("area", c < scores.roc_auc.per_class.size() ? scores.roc_auc.per_class[c] : Defined{});
        const auto curve = roc_curve(evaluation.threshold_curve(c));
        json.open_list("points", curve.size());
        for (const RocPoint& point : curve)
            json.numbers({}, std::array{point.false_positive_rate, point.true_positive_rate});
        json.close();
        json.close();
    }
    json.close();
}

void write_confusion(JsonText& json, const Confusion& confusion) {
    json.open_list("confusion", confusion.class_count());
    for (std::size_t truth = 0; truth < confusion.class_count(); ++truth) {
        std::vector<double> line;
        for (std::size_t decision = 0; decision < confusion.class_count(); ++decision)
            line.push_back(confusion.at(truth, decision));
        json.numbers({}, line);
    }
    json.close();
}

void write_calibration(JsonText& json, const Scores& scores) {
    json.open_list("bins", scores.reliability.size());
    for (const ReliabilityBin& bin : scores.reliability) {
        if (bin.weight <= 0) continue;
        json.open_record();
        json.number("stated", bin.mean_score());
        json.number("observed", bin.frequency());
        json.number("weight", bin.weight);
        json.close();
    }
    json.close();
}

}  // namespace

std::string data_of(const LineView& view) {
    JsonText json;
    json.open_record();
    json.text("x", view.axis.title);
    json.numbers("at", view.at);
    if (!view.log_density.empty()) write_places(json, "log_density", view.log_density, view.classes.size());
    write_names(json, "classes", view.classes);
    write_places(json, "posterior", view.posterior, view.classes.size());
    json.close();
    return json.take();
}

std::string data_of(const PlaneView& view, bool densities) {
    JsonText json;
    json.open_record();
    json.text("x", view.x.title);
    json.text("y", view.y.title);
    json.open_record("grid");
    json.whole("columns", view.grid.columns);
    json.whole("rows", view.grid.rows);
    json.numbers("x", std::array{view.grid.x_low, view.grid.x_high});
    json.numbers("y", std::array{view.grid.y_low, view.grid.y_high});
    json.close();
    json.open_list("at", view.grid.columns * view.grid.rows);
    for (std::size_t row = 0; row < view.grid.rows; ++row)
        for (std::size_t column = 0; column < view.grid.columns; ++column) {
            const PlotPoint corner =
                view.places.empty() ? view.grid.corner(column, row) : view.places[row * view.grid.columns + column];
            json.numbers({}, std::array{corner.x, corner.y});
        }
    json.close();
    if (densities) write_places(json, "log_density", view.log_density, view.classes.size());
    write_names(json, "classes", view.classes);
    write_places(json, "posterior", view.posterior, view.classes.size());
    write_rows(json, view);
    json.close();
    return json.take();
}

std::string data_of(Plot what, const Evaluation& evaluation, const Scores& scores,
                    const std::vector<std::string>& classes) {
    JsonText json;
    json.open_record();
    write_names(json, "classes", classes);
    if (what == Plot::roc) write_roc(json, evaluation, scores, classes);
    if (what == Plot::confusion) write_confusion(json, scores.confusion);
    if (what == Plot::calibration) write_calibration(json, scores);
    json.close();
    return json.take();
}

}  // namespace suffice
