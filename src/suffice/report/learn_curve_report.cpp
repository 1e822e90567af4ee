// Tells and draws learning curves, and where they cross.
#include "suffice/report/learn_curve_report.hpp"

#include <algorithm>
#include <cmath>

#include "suffice/base/visible.hpp"
#include "suffice/report/json_text.hpp"
#include "suffice/report/lesson_figures.hpp"
#include "suffice/report/number_text.hpp"
#include "suffice/report/text_table.hpp"

namespace suffice {
namespace {

struct Measure {
    const char* name;
    double CurvePoint::* value;
    double CurvePoint::* error;  // of that mean
};
constexpr Measure by_error{"error", &CurvePoint::error, &CurvePoint::error_se},
    by_log_loss{"log loss", &CurvePoint::log_loss, &CurvePoint::log_loss_se};

std::size_t leader(const LearnCurve& curve, std::size_t size, const Measure& by) {
    std::size_t best = 0;
    for (std::size_t m = 1; m < curve.models.size(); ++m)
        if (curve.at(size, m).*by.value < curve.at(size, best).*by.value) best = m;
    return best;
}

// "by log loss linear_discriminant leads from 10 rows on, logistic_regression from 640": the lead changes hands where
// the difference is more than the errors of the two means.
std::string leaders(const LearnCurve& curve, const Measure& by) {
    std::string text;
    std::size_t first = leader(curve, 0, by);
    for (std::size_t s = 0; s < curve.sizes.size(); ++s) {
        const std::size_t best = leader(curve, s, by);
        const CurvePoint &now = curve.at(s, best), &before = curve.at(s, first);
        if (s > 0 && !(before.*by.value - now.*by.value > now.*by.error + before.*by.error)) continue;
        first = best;
        text += (text.empty() ? "by " + std::string(by.name) + " " + now.model + " leads from "
                              : ", " + now.model + " from ") +
                whole_number(static_cast<double>(now.rows)) + (text.empty() ? " rows on" : "");
    }
    return text;
}

}  // namespace

std::string learn_curve_text(const LearnCurve& curve) {
    using enum TextTable::Side;
    const bool stated = !curve.points.empty() && curve.points.front().squared;
    std::vector sides{right, left, right, right, right, right, right};
    std::vector<std::string> head{"rows", "model", "error", "+-", "log loss", "+-", "parameters"};
    if (stated) sides.insert(sides.end(), 2, right), head.insert(head.end(), {"bias^2", "variance"});
    TextTable table(sides);
    table.row(head);
    for (std::size_t s = 0; s < curve.sizes.size(); ++s)
        for (std::size_t m = 0; m < curve.models.size(); ++m) {
            const CurvePoint& point = curve.at(s, m);
            std::vector<std::string> row{m == 0 ? whole_number(static_cast<double>(point.rows)) : "",
                                         point.model,
                                         short_number(point.error),
                                         short_number(point.error_se, 2),
                                         short_number(point.log_loss),
                                         short_number(point.log_loss_se, 2),
                                         short_number(point.parameters)};
            if (point.squared)
                row.insert(row.end(), {short_number(point.squared->bias, 3), short_number(point.squared->variance, 3)});
            table.row(row);
        }
    std::string text = table.text();
    if (curve.bayes_error)
        text += "  Bayes error " + short_number(*curve.bayes_error) + ", least log loss " +
                short_number(*curve.bayes_log_loss) + "\n";
    return visible_lines(text + "  " + leaders(curve, by_error) + "\n  " + leaders(curve, by_log_loss) + "\n");
}

std::string learn_curve_json(const LearnCurve& curve) {
    JsonText json;
    json.open_record();
    json.whole("repeats", curve.repeats);
    json.maybe("bayes_error", curve.bayes_error);
    json.maybe("bayes_log_loss", curve.bayes_log_loss);
    json.open_list("points", curve.points.size());
    for (const CurvePoint& point : curve.points) {
        json.open_record();
        json.whole("rows", point.rows);
        json.text("model", point.model);
        json.number("error", point.error);
        json.number("error_se", point.error_se);
        json.number("log_loss", point.log_loss);
        json.number("log_loss_se", point.log_loss_se);
        json.number("parameters", point.parameters);
        if (point.squared) {
            json.number("squared_bias", point.squared->bias);
            json.number("variance", point.squared->variance);
        }
        json.close();
    }
    json.close();
    json.text("leaders", leaders(curve, by_log_loss));
    json.text("leaders_by_error", leaders(curve, by_error));
    json.close();
    return json.take() + "\n";
}

Figure learn_curve_figure(const LearnCurve& curve) {
    std::vector<LessonPanel> panels;
    const auto panel_of = [&](const char* title, auto&& value, const std::optional<double>& floor) {
        LessonPanel panel{"", "rows learned from", title, 0, 1, INFINITY, 0};
        panel.log_x = true;
        panel.x_low = std::log10(static_cast<double>(curve.sizes.front()));
        panel.x_high = std::max(std::log10(static_cast<double>(curve.sizes.back())), panel.x_low + 0.3);
        std::vector<double> heights;
        for (std::size_t m = 0; m < curve.models.size(); ++m) {
            LessonCurve line{curve.models[m], {}, LessonCurve::Drawn::marked};
            for (std::size_t s = 0; s < curve.sizes.size(); ++s) {
                const double height = value(curve.at(s, m));
                line.points.push_back({std::log10(static_cast<double>(curve.sizes[s])), height});
                heights.push_back(height);
                panel.y_low = std::min(panel.y_low, height);
            }
            panel.curves.push_back(std::move(line));
        }
        // One model that is lost on few rows must not press the others flat.
        std::ranges::sort(heights);
        panel.y_high = std::min(heights.back(), 3 * heights[heights.size() / 2]);
        if (floor) panel.levels = {*floor}, panel.y_low = std::min(panel.y_low, *floor);
        const double room = 0.06 * (panel.y_high - panel.y_low);
        panel.y_low = std::max(0.0, panel.y_low - room);
        panel.y_high += room;
        panels.push_back(std::move(panel));
    };
    panel_of("error", [](const CurvePoint& point) { return point.error; }, curve.bayes_error);
    panel_of("log loss", [](const CurvePoint& point) { return point.log_loss; }, curve.bayes_log_loss);
    std::string words = "Error and log loss on rows not learned from, means of " + std::to_string(curve.repeats) +
                        " draws of each size.";
    if (curve.bayes_error) words += " The dashed line is what no model can beat: the Bayes error, and its log loss.";
    return curves_figure("Learning curves", words, panels, 2);
}

}  // namespace suffice
