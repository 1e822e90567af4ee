// Draws columns.
#include "suffice/report/column_figures.hpp"

#include <algorithm>
#include <cmath>

#include "suffice/report/chart.hpp"
#include "suffice/report/number_text.hpp"
#include "suffice/report/theme.hpp"

namespace suffice {
namespace {

constexpr double column_figure_width = 380, column_figure_height = 232;
constexpr std::size_t most_classes = 8, most_levels = 16, most_bars = 4;

std::string colour(std::size_t c) { return std::to_string(c % class_colour_count); }

std::vector<std::string> first_classes(const std::vector<std::string>& classes) {
    return {classes.begin(), classes.begin() + static_cast<std::ptrdiff_t>(std::min(classes.size(), most_classes))};
}

std::vector<LegendEntry> small_legend(const std::vector<std::string>& classes, LegendEntry::Sign sign) {
    return class_legend(first_classes(classes), sign);
}

std::string family_words(const ColumnPicture& column, std::size_t classes) {
    std::string words = classes > most_bars ? "Lines are" : "Bars are the rows, lines";
    if (column.family.empty())
        words = classes > most_bars ? "Lines are the rows of each class." : "Bars are the rows of each class.";
    else
        words += " the fitted " + column.family + " of each class.";
    if (classes > most_classes) words += " The first " + std::to_string(most_classes) + " classes.";
    return words;
}

Figure number_figure(const ColumnPicture& column, const std::vector<std::string>& classes) {
    const auto few = first_classes(classes);
    double highest = 0;
    for (std::size_t c = 0; c < few.size(); ++c) {
        for (std::size_t bin = 0; bin < column.histogram.bin_count(); ++bin)
            highest = std::max(highest, column.histogram.density(c, bin));
    }
    double line_top = 0;
    for (std::size_t c = 0; c < few.size(); ++c)
        for (const auto& point : column.by_class[c].density)
            if (std::isfinite(point.y)) line_top = std::max(line_top, point.y);
    highest = std::max(highest, std::min(line_top, 3 * highest));  // a density may have a pole
    const double low = column.histogram.low, high = column.histogram.edge(column.histogram.bin_count());
    const double more = 0.03 * (high - low);
    const auto legend = small_legend(classes, LegendEntry::Sign::patch);
    const double height = column_figure_height + legend_height(legend, column_figure_width);
    SvgText svg;
    {
        Chart chart(svg, {0, 0, column_figure_width, height}, number_axis(column.name, low - more, high + more),
                    amount_axis(column.whole ? "probability" : "density", highest), legend);
        for (std::size_t c = 0; c < few.size() && few.size() <= most_bars; ++c)
            for (std::size_t bin = 0; bin < column.histogram.bin_count(); ++bin)
                if (const double density = column.histogram.density(c, bin); density > 0)
                    chart.bar(column.histogram.edge(bin), column.histogram.edge(bin + 1), 0, density, "f" + colour(c),
                              0.3);
        for (std::size_t c = 0; c < few.size(); ++c) {
            if (column.by_class[c].density.empty() && few.size() > most_bars) {
                std::vector<PlotPoint> outline;
                for (std::size_t bin = 0; bin < column.histogram.bin_count(); ++bin)
                    outline.push_back(
                        {column.histogram.edge(bin) + column.histogram.width / 2, column.histogram.density(c, bin)});
                chart.line(outline, "s" + colour(c), dash_of(c));
                continue;
            }
            chart.line(column.by_class[c].density, "thick s" + colour(c), dash_of(c));
            if (column.whole)
                for (const auto& point : column.by_class[c].density) chart.dot(point, c, 2.5);
        }
    }
    return {column.name, family_words(column, classes.size()), column_figure_width, height, svg.take()};
}

Figure level_figure(const ColumnPicture& column, const std::vector<std::string>& classes) {
    const auto few = first_classes(classes);
    const std::size_t levels = std::min(column.levels.size(), most_levels);
    const double bar = few.size() <= 3 ? 11 : few.size() <= 5 ? 8 : 5, gap = 10;
    const double group = bar * static_cast<double>(few.size()) + gap;
    double widest = 0;
    for (std::size_t level = 0; level < levels; ++level)
        widest = std::max(widest, std::min(130.0, text_width(column.levels[level], 12)));
    const auto legend = small_legend(classes, LegendEntry::Sign::patch);
    const double top = legend_height(legend, column_figure_width) + 10, left = widest + 14;
    const double width = column_figure_width - left - 56, height = top + group * static_cast<double>(levels) + 6;
    SvgText svg;
    draw_legend(svg, {0, 0, column_figure_width, 0}, legend);
    for (std::size_t level = 0; level < levels; ++level) {
        const double y = top + group * static_cast<double>(level);
        svg.text(left - 8, y + (group - gap) / 2 + 4, fitted_text(column.levels[level], 130, 12), "end");
        for (std::size_t c = 0; c < few.size(); ++c) {
            const auto& own = column.by_class[c];
            const double at = y + bar * static_cast<double>(c), share = level < own.seen.size() ? own.seen[level] : 0;
            svg.element("rect", {{"x", left},
                                 {"y", at},
                                 {"width", std::max(0.8, width * share)},
                                 {"height", bar - 1},
                                 {"class", "f" + colour(c)},
                                 {"fill-opacity", 0.75}});
            if (level < own.fitted.size()) {
                const double tick = left + width * own.fitted[level];
                svg.element("path",
                            {{"class", "inked thick"}, {"d", path_of({{{tick, at - 0.5}, {tick, at + bar - 0.5}}})}});
            }
            if (bar > 7) svg.text(left + width * share + 8, at + bar - 2, percent(share), "soft tiny");
        }
    }
    svg.element("path", {{"class", "frame"}, {"d", path_of({{{left, top - 4}, {left, height - 4}}})}});
    std::string words = "Bars are the shares of the levels within each class, upright marks what the model expects.";
    if (levels < column.levels.size())
        words += " The first " + std::to_string(levels) + " of " + std::to_string(column.levels.size()) + " levels.";
    return {column.name, std::move(words), column_figure_width, height, svg.take()};
}

}  // namespace

Figure column_figure(const ColumnPicture& column, const std::vector<std::string>& classes) {
    return column.levels.empty() ? number_figure(column, classes) : level_figure(column, classes);
}

Figure quantile_figure(const ColumnPicture& column, const std::vector<std::string>& classes) {
    std::vector<double> all;
    const std::size_t count = std::min(classes.size(), most_classes);
    for (std::size_t c = 0; c < count; ++c)
        for (const auto& pair : column.by_class[c].check.quantiles) {
            all.push_back(pair.expected);
            all.push_back(pair.seen);
        }
    SvgText svg;
    {
        const ChartAxis axis = padded_axis("", all, 0.05);
        ChartAxis x = axis, y = axis;
        x.title = "quantile of the fitted " + column.family;
        y.title = "quantile of the rows";
        Chart chart(svg, {0, 0, column_figure_width, 330}, x, y, small_legend(classes, LegendEntry::Sign::dot), true);
        chart.line({{{axis.low, axis.low}, {axis.high, axis.high}}}, "faint dashed");
        for (std::size_t c = 0; c < count; ++c) {
            std::vector<PlotPoint> points;
            for (const auto& pair : column.by_class[c].check.quantiles) points.push_back({pair.expected, pair.seen});
            chart.dots(points, c, 2.4);
        }
    }
    return {"Quantiles of " + column.name,
            "On the dashed line the rows are distributed as the model believes; bends at the ends are tails.",
            column_figure_width, 330, svg.take()};
}

Figure novelty_figure(const Novelty& novelty) {
    const Histogram& bins = novelty.histogram;
    double highest = 0;
    for (std::size_t c = 0; c < 2; ++c)
        for (std::size_t bin = 0; bin < bins.bin_count(); ++bin) highest = std::max(highest, bins.density(c, bin));
    SvgText svg;
    {
        const std::vector<LegendEntry> legend{{"these rows", "f0", LegendEntry::Sign::patch},
                                              {"rows drawn from the model", "s1", LegendEntry::Sign::line}};
        Chart chart(svg, {0, 0, 560, 280}, number_axis("log p(x)", bins.low, bins.edge(bins.bin_count())),
                    amount_axis("density", highest), legend);
        for (std::size_t bin = 0; bin < bins.bin_count(); ++bin)
            chart.bar(bins.edge(bin), bins.edge(bin + 1), 0, bins.density(0, bin), "f0", 0.45);
        std::vector<PlotPoint> outline;
        for (std::size_t bin = 0; bin < bins.bin_count(); ++bin) {
            outline.push_back({bins.edge(bin), bins.density(1, bin)});
            outline.push_back({bins.edge(bin + 1), bins.density(1, bin)});
        }
        chart.line(outline, "thick s1");
        chart.vertical(novelty.threshold, "inked dashed");
    }
    return {"Log evidence of the rows",
            "How probable the rows are under the model, beside rows drawn from it. Left of the dashed line lies one in "
            "a hundred of the drawn rows: rows there are called novel.",
            560, 280, svg.take()};
}

Figure pull_figure(std::string title, std::string description, const std::vector<Pull>& pulls,
                   const std::string& toward, const std::string& away) {
    constexpr double line = 20, head = 22, name_size = 12;
    double name_width = 0, value_width = 0, largest = 1e-12, number_room = 46;
    const auto signed_amount = [](const Pull& pull) {
        return (pull.amount > 0 ? "+" : "") + short_number(pull.amount, 3);
    };
    for (const auto& pull : pulls) {
        name_width = std::max(name_width, std::min(150.0, text_width(pull.name, name_size)));
        value_width = std::max(value_width, std::min(90.0, text_width(pull.value, 11)));
        largest = std::max(largest, std::abs(pull.amount));
        number_room = std::max(number_room, text_width(signed_amount(pull), 11) + 8);
    }
    const bool both = std::ranges::any_of(pulls, [](const Pull& pull) { return pull.amount < 0; });
    const double left = 8 + name_width + (value_width > 0 ? value_width + 12 : 0) + 8, right = column_figure_width - 8;
    const double zero = both ? (left + right) / 2 : left + 2,
                 reach = (both ? (right - left) / 2 : right - left) - number_room;
    const double height = head + line * static_cast<double>(pulls.size()) + 6;
    SvgText svg;
    if (!toward.empty())
        svg.text(both ? zero + 6 : zero, 14, "\xE2\x86\x92 " + fitted_text(toward, right - zero - 20, 11),
                 "soft small");
    if (both && !away.empty())
        svg.text(zero - 6, 14, fitted_text(away, zero - 40, 11) + " \xE2\x86\x90", "soft small end");
    for (std::size_t k = 0; k < pulls.size(); ++k) {
        const double y = head + line * static_cast<double>(k), length = reach * std::abs(pulls[k].amount) / largest;
        const bool up = pulls[k].amount >= 0;
        svg.text(8, y + 14, fitted_text(pulls[k].name, 150, name_size), "");
        if (value_width > 0) svg.text(left - 10, y + 14, fitted_text(pulls[k].value, 90, 11), "soft small end");
        svg.element("rect", {{"x", up ? zero : zero - length},
                             {"y", y + 4},
                             {"width", std::max(0.8, length)},
                             {"height", line - 7},
                             {"class", up ? "f0" : "f1"}});
        svg.text(up ? zero + length + 4 : zero - length - 4, y + 14, signed_amount(pulls[k]),
                 up ? "soft small" : "soft small end");
    }
    svg.element("path", {{"class", "frame"}, {"d", path_of({{{zero, head}, {zero, height - 4}}})}});
    return {std::move(title), std::move(description), column_figure_width, height, svg.take()};
}

}  // namespace suffice
