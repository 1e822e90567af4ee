// Teaching pictures that need no model: curves side by side, the simplex, steps of an algorithm.
#pragma once
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "suffice/report/contour.hpp"
#include "suffice/report/figure.hpp"

namespace suffice {

struct LessonCurve {
    std::string name;
    std::vector<PlotPoint> points;
    // marked: with its points; bars: side by side with those of other curves, for values that are whole numbers
    enum class Drawn : unsigned char { line, dotted, stems, marked, bars } drawn = Drawn::line;
    std::optional<std::size_t> colour = {};  // of a class; none: that of its place
};

struct LessonBar {
    double low = 0, high = 1, height = 0;
};

struct LessonPanel {
    std::string title, x_title, y_title;
    double x_low = 0, x_high = 1, y_low = 0, y_high = 1;
    std::vector<LessonCurve> curves = {};
    std::vector<double> marks = {};       // upright dashed lines
    std::vector<LessonBar> bars = {};     // below the curves, such as a histogram
    std::vector<double> levels = {};      // level dashed lines
    bool log_x = false, log_y = false;    // numbers are powers of ten
    std::vector<std::string> names = {};  // of x = 0, 1, ...; empty: x is a number
    bool whole_x = false;                 // x counts something: no ticks between whole numbers
};

// Panels in rows of `columns`.
Figure curves_figure(std::string title, std::string description, const std::vector<LessonPanel>& panels,
                     std::size_t columns);

struct SimplexPanel {
    std::string title;
    std::vector<std::array<double, 3>> draws;  // probabilities
    std::size_t side = 0;                      // of the raster: side x side over the triangle's box
    std::vector<double> shade;                 // 0 to 1 from the top row on; NaN outside of the triangle
};
Figure simplex_figure(std::string title, std::string description, const std::vector<SimplexPanel>& panels,
                      const std::array<std::string, 3>& corners);
// Where a point of the simplex lies in the triangle's box: x from left, y from the bottom, both 0 to 1.
PlotPoint simplex_point(const std::array<double, 3>& share);

struct StepPanel {
    std::string title;
    std::vector<std::vector<double>> share;  // of each row: how much it belongs to each cluster
    std::vector<PlotPoint> centres;
    std::vector<Polyline> outlines;  // of components; one per centre, or none
};
struct StepLesson {
    std::string x_title, y_title;
    std::vector<PlotPoint> rows;
    std::vector<std::vector<StepPanel>> lines;  // one line of panels per algorithm
};
Figure steps_figure(std::string title, std::string description, const StepLesson& lesson);

}  // namespace suffice
