// Two dimensions of a model: posterior surface, class-conditional densities, decision boundaries.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "suffice/report/chart_axis.hpp"
#include "suffice/report/contour.hpp"
#include "suffice/report/figure.hpp"

namespace suffice {

struct PlaneView {
    struct Row {
        PlotPoint at;
        std::int32_t label = -1;  // -1: unknown
    };
    PlaneGrid grid;
    ChartAxis x, y;
    bool cells = false;     // a column has values of its own, around which the picture is the same
    bool discrete = false;  // both have: there are probabilities of pairs instead of densities
    std::string others;     // a sentence: what was done with the other columns
    std::string model;
    std::vector<std::string> classes;
    std::vector<PlotPoint> places = {};  // of values that the corners stand for; empty: the corners themselves
    std::vector<double> log_density;     // log p(x | class), corner by corner
    std::vector<double> log_joint;       // log p(x, class)
    std::vector<double> posterior;
    bool straight = false;      // are the boundaries planes?
    std::vector<Row> rows;      // some of the data
    std::size_t row_count = 0;  // of how many
};

// Class colours mixed by posterior, the boundaries on top.
Figure posterior_figure(const PlaneView& view);
// Contours of p(x | class); of discrete columns the probabilities of their pairs of values as areas.
Figure density_figure(const PlaneView& view);
// The region of each class and the lines between them.
Figure boundary_figure(const PlaneView& view);

}  // namespace suffice
