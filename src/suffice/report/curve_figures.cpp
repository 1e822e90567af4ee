// Draws the curves of an evaluation.
#include "suffice/report/curve_figures.hpp"

#include <algorithm>
#include <cmath>

#include "suffice/report/chart.hpp"
#include "suffice/report/number_text.hpp"
#include "suffice/report/theme.hpp"

namespace suffice {
namespace {

constexpr double curve_figure_width = 420, curve_figure_height = 400;
constexpr std::size_t all_points = 3200;  // of the lines of one chart: more cannot be seen

// The points that matter: corners stay as they are until there are too many.
std::vector<PlotPoint> thinned(std::vector<PlotPoint> points, std::size_t lines) {
    const std::size_t most_points = std::max<std::size_t>(60, all_points / lines);
    if (points.size() <= most_points) return points;
    std::vector<PlotPoint> some;
    for (std::size_t k = 0; k < most_points; ++k) some.push_back(points[k * (points.size() - 1) / (most_points - 1)]);
    return some;
}

std::string with_area(const std::string& name, const Defined& area) {
    return name + (area ? " (" + short_number(*area, 4) + ")" : "");
}

template <class PointsOf>
Figure class_curves(std::string title, std::string description, ChartAxis x, ChartAxis y,
                    const std::vector<std::string>& classes, const std::vector<Defined>& areas, PointsOf&& points_of,
                    bool chance_line) {
    SvgText svg;
    std::vector<LegendEntry> legend;
    const auto shown = shown_classes(classes);
    for (const std::size_t c : shown)
        legend.push_back({with_area(classes[c], c < areas.size() ? areas[c] : Defined{}),
                          "s" + std::to_string(c % class_colour_count), LegendEntry::Sign::line, c, dash_of(c)});
    const double height = curve_figure_height + legend_height(legend, curve_figure_width) - 20;
    {
        Chart chart(svg, {0, 0, curve_figure_width, height}, std::move(x), std::move(y), legend, true);
        if (chance_line) chart.line({{{0, 0}, {1, 1}}}, "faint dashed");
        for (const std::size_t c : shown)
            chart.line(thinned(points_of(c), shown.size()), "thick s" + std::to_string(c % class_colour_count),
                       dash_of(c));
    }
    return {std::move(title), std::move(description), curve_figure_width, height, svg.take()};
}

}  // namespace

std::vector<std::size_t> shown_classes(const std::vector<std::string>& classes) {
    std::vector<std::size_t> shown;
    for (std::size_t c = classes.size() == 2 ? 1 : 0; c < classes.size(); ++c) shown.push_back(c);
    return shown;
}

Figure roc_figure(const Evaluation& evaluation, const Scores& scores, const std::vector<std::string>& classes) {
    const auto points = [&](std::size_t c) {
        std::vector<PlotPoint> line;
        for (const auto& point : roc_curve(evaluation.threshold_curve(c)))
            line.push_back({point.false_positive_rate, point.true_positive_rate});
        return line;
    };
    return class_curves("ROC curves",
                        "Share of a class's rows found against share of other rows called by its name, over all "
                        "thresholds on its posterior. In brackets: area under the curve. Dashed: guessing.",
                        share_axis("false positive rate"), share_axis("true positive rate"), classes,
                        scores.roc_auc.per_class, points, true);
}

Figure precision_recall_figure(const Evaluation& evaluation, const Scores& scores,
                               const std::vector<std::string>& classes) {
    const auto points = [&](std::size_t c) {
        std::vector<PlotPoint> line;
        for (const auto& point : precision_recall_curve(evaluation.threshold_curve(c)))
            line.push_back({point.recall, point.precision});
        return line;
    };
    return class_curves("Precision and recall",
                        "How many of the rows called by a class's name belong to it, against how many of its rows are "
                        "found, over all thresholds. In brackets: average precision.",
                        share_axis("recall"), share_axis("precision"), classes, scores.average_precision.per_class,
                        points, false);
}

Figure reject_figure(const Evaluation& evaluation) {
    std::vector<PlotPoint> line;
    double largest = 0;
    for (const auto& point : evaluation.reject_curve()) {
        line.push_back({point.coverage, point.error});
        largest = std::max(largest, point.error);
    }
    SvgText svg;
    {
        Chart chart(svg, {0, 0, curve_figure_width, 300}, share_axis("share of rows answered"),
                    amount_axis("error among them", largest));
        chart.line(thinned(std::move(line), 1), "thick s0");
    }
    return {"Reject curve",
            "The error among the rows whose largest posterior is high enough, as fewer and fewer rows are answered.",
            curve_figure_width, 300, svg.take()};
}

Figure cost_figure(const Evaluation& evaluation, const std::vector<std::string>& classes) {
    SvgText svg;
    const auto shown = shown_classes(classes);
    std::vector<LegendEntry> legend;
    for (const std::size_t c : shown)
        legend.push_back(
            {classes[c], "s" + std::to_string(c % class_colour_count), LegendEntry::Sign::line, c, dash_of(c)});
    legend.push_back({"one answer always", "faint", LegendEntry::Sign::line, 0, "6 4"});
    const double height = 290 + legend_height(legend, curve_figure_width);
    {
        Chart chart(svg, {0, 0, curve_figure_width, height}, share_axis("weight of misses: prior times their cost"),
                    number_axis("cost at the best threshold", 0, 0.53), legend);
        chart.line({{{0, 0}, {0.5, 0.5}, {1, 0}}}, "faint dashed");
        for (const std::size_t c : shown) {
            std::vector<PlotPoint> line;
            for (const auto& point : cost_curve(evaluation.threshold_curve(c)))
                line.push_back({point.miss_weight, point.cost});
            chart.line(line, "thick s" + std::to_string(c % class_colour_count), dash_of(c));
        }
    }
    return {"Cost curves",
            "Expected cost (normalised) of telling one class from the rest at the best threshold, for every weight of "
            "a missed row against a false alarm. Below the dashed line the model beats giving one answer always.",
            curve_figure_width, height, svg.take()};
}

Figure reliability_figure(const Scores& scores) {
    SvgText svg;
    const double upper = 330, lower = 110;
    double heaviest = 0;
    for (const auto& bin : scores.reliability) heaviest = std::max(heaviest, bin.weight);
    {
        Chart chart(svg, {0, 0, curve_figure_width, upper}, share_axis(""), share_axis("observed frequency"));
        chart.line({{{0, 0}, {1, 1}}}, "faint dashed");
        std::vector<PlotPoint> line;
        for (const auto& bin : scores.reliability)
            if (bin.weight > 0) line.push_back({bin.mean_score(), bin.frequency()});
        chart.line(line, "thick s0");
        for (std::size_t k = 0, at = 0; k < scores.reliability.size(); ++k) {
            const auto& bin = scores.reliability[k];
            if (!(bin.weight > 0)) continue;
            const auto interval = wilson_interval(bin.positive_weight, bin.weight);
            chart.line({{{line[at].x, interval.low}, {line[at].x, interval.high}}}, "s0");
            chart.dot(line[at++], 0, 3.5);
        }
    }
    {
        Chart chart(svg, {0, upper, curve_figure_width, lower}, share_axis("largest posterior of a row"),
                    number_axis("rows", 0, 1.05 * heaviest, 3));
        const double wide = 1.0 / static_cast<double>(std::max<std::size_t>(scores.reliability.size(), 1));
        for (std::size_t k = 0; k < scores.reliability.size(); ++k)
            if (scores.reliability[k].weight > 0)
                chart.bar(static_cast<double>(k) * wide, static_cast<double>(k + 1) * wide, 0,
                          scores.reliability[k].weight, "f0", 0.7);
    }
    return {"Reliability",
            "How often the prediction was right, against the probability stated for it, with 95 % intervals; on the "
            "dashed line they agree. Below: rows per bin." +
                (scores.calibration_error ? " Calibration error " + short_number(*scores.calibration_error, 3) + "."
                                          : std::string()),
            curve_figure_width, upper + lower, svg.take()};
}

Figure confusion_figure(const Scores& scores, const std::vector<std::string>& classes) {
    const std::size_t count = classes.size();
    const double cell = count <= 4    ? 74
                        : count <= 8  ? 48
                        : count <= 12 ? 36
                                      : std::max(14.0, 480.0 / static_cast<double>(count));
    const double size = cell >= 44 ? 12 : cell >= 30 ? 11 : 10;
    double widest = 0;
    for (const auto& name : classes) widest = std::max(widest, std::min(150.0, text_width(name, 12)));
    const bool turned = widest > cell - 6;
    const double left = widest + 34, top = turned ? 0.72 * widest + 30 : 40;
    const double side = cell * static_cast<double>(count);
    const double width = left + side + (turned ? 0.72 * widest + 8 : 16), height = top + side + 8;
    SvgText svg;
    svg.text(left + side / 2, 15, "prediction", "soft mid");
    svg.text(16, top + side / 2, "truth", "soft mid",
             {{"transform", "rotate(-90 16 " + svg_number(top + side / 2) + ")"}});
    for (std::size_t truth = 0; truth < count; ++truth) {
        const double y = top + cell * static_cast<double>(truth), total = scores.confusion.truth_weight(truth);
        const double x = left + cell * static_cast<double>(truth);
        const std::string name = fitted_text(classes[truth], 150, 12);
        svg.text(left - 6, y + cell / 2 + 4, name, "end");
        if (turned)
            svg.text(x + cell / 2, top - 6, name, "",
                     {{"transform", "rotate(-45 " + svg_number(x + cell / 2) + " " + svg_number(top - 6) + ")"}});
        else
            svg.text(x + cell / 2, top - 8, name, "mid");
        for (std::size_t decision = 0; decision < count; ++decision) {
            const double weight = scores.confusion.at(truth, decision), share = total > 0 ? weight / total : 0;
            const double at = left + cell * static_cast<double>(decision);
            svg.open("g");
            svg.titled("title", classes[truth] + " called " + classes[decision] + ": " + whole_number(weight) + " (" +
                                    percent(share) + ")");
            svg.element("rect", {{"x", at + 0.5},
                                 {"y", y + 0.5},
                                 {"width", cell - 1},
                                 {"height", cell - 1},
                                 {"class", !(weight > 0)       ? "panel"
                                           : truth == decision ? "f0"
                                                               : "f1"},
                                 {"fill-opacity", weight > 0 ? 0.12 + 0.88 * share : 1}});
            if (cell >= 24 && weight > 0)
                svg.text(at + cell / 2, y + cell / 2 + 4, whole_number(weight), share > 0.55 ? "mid on-dark" : "mid",
                         {{"font-size", size}});
            svg.close();
        }
    }
    return {"Confusion matrix",
            "Rows are true classes, columns are predictions, in numbers of rows; the darker, the larger the share of "
            "the true class. Right answers lie on the diagonal.",
            std::max(width, 300.0), height, svg.take()};
}

}  // namespace suffice
