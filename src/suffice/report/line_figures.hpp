// One dimension of a model: the densities of its classes above, their posterior below.
#pragma once
#include <string>
#include <vector>

#include "suffice/report/chart_axis.hpp"
#include "suffice/report/figure.hpp"

namespace suffice {

struct LineView {
    ChartAxis axis;
    std::string others;  // a sentence: what was done with the other columns
    std::string model;
    std::vector<std::string> classes;
    std::vector<double> at = {};           // where the model was asked, ascending
    bool bars = false;                     // these are all values that there are
    std::vector<double> log_density = {};  // log p(x | class), value by value; empty: the model has none
    std::vector<double> posterior = {};
};

Figure line_figure(const LineView& view);

}  // namespace suffice
