// Draws steps along the way of a search.
#include "suffice/report/trace_figures.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "suffice/report/lesson_figures.hpp"

namespace suffice {
namespace {

LessonPanel step_panel(const std::string& what, const std::vector<double>& values, bool by_powers) {
    LessonPanel panel{"", "step", what, 0, std::max(1.0, static_cast<double>(values.size()) - 1), INFINITY, -INFINITY};
    panel.log_y = by_powers;
    panel.whole_x = true;
    constexpr std::size_t most_marked = 60;  // more points than these run into a band
    LessonCurve curve{"", {}, values.size() > most_marked ? LessonCurve::Drawn::line : LessonCurve::Drawn::marked};
    for (std::size_t step = 0; step < values.size(); ++step) {
        const double y = by_powers ? std::log10(std::max(values[step], 1e-300)) : values[step];
        curve.points.push_back({static_cast<double>(step), y});
        panel.y_low = std::min(panel.y_low, y);
        panel.y_high = std::max(panel.y_high, y);
    }
    const double room = by_powers ? 0 : 0.06 * (panel.y_high - panel.y_low);
    panel.y_low -= room;
    panel.y_high += room;
    panel.curves.push_back(std::move(curve));
    return panel;
}

double last_digit(const LogisticTrace& trace) {
    double largest = std::numeric_limits<double>::min();
    for (const LogisticStep& step : trace.steps) largest = std::max(largest, step.gradient);
    return std::pow(10, std::ceil(std::log10(largest)) - 14);
}

std::string words_of(const LogisticTrace& trace) {
    if (!trace.descent)
        return "The log-likelihood rises to its one maximum, and near it each step squares the distance: the length of "
               "the gradient, on a scale of powers of ten, falls ever faster.";
    const bool astray = trace.steps.back().objective > trace.steps.front().objective;
    return std::string("The log-likelihood, and the length of the gradient on a scale of powers of ten: ") +
           (astray ? "steps of this rate leap across the maximum, and land lower than they began."
                   : "where columns are unlike, or the rate is small, many steps along the gradient do what a few of "
                     "Newton's do.");
}

}  // namespace

std::vector<double> told_gradients(const LogisticTrace& trace) {
    const double digit = last_digit(trace);
    std::vector<double> told;
    for (const LogisticStep& step : trace.steps) told.push_back(std::round(step.gradient / digit) * digit);
    return told;
}

Figure newton_figure(const LogisticTrace& trace) {
    std::vector<double> likelihood;
    for (const LogisticStep& step : trace.steps) likelihood.push_back(step.log_likelihood);
    auto gradient = told_gradients(trace);
    for (double& each : gradient) each = std::max(each, last_digit(trace));  // nothing has no place among powers of ten
    return curves_figure(
        trace.descent ? "Steps against the gradient" : "Newton's method, step by step", words_of(trace),
        {step_panel("log-likelihood", likelihood, false), step_panel("length of the gradient", gradient, true)}, 2);
}

Figure objective_figure(const std::string& objective, const std::vector<double>& path) {
    return curves_figure("Step by step", "The " + objective + " before each step; no step makes it worse.",
                         {step_panel(objective, path, false)}, 1);
}

}  // namespace suffice
