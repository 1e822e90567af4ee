// A column as an axis of a picture: its range, or its own values where it has no others.
#pragma once
#include <span>

#include "suffice/model/predictor.hpp"
#include "suffice/report/chart_axis.hpp"

namespace suffice {

struct ColumnAxis {
    std::uint32_t column = 0;
    std::string title;
    double low = 0, high = 1;
    std::vector<double> values = {};       // of whole numbers, flags and levels, ascending; empty: every number
    std::vector<std::string> levels = {};  // what the values are called; empty: by their numbers

    bool is_discrete() const { return !values.empty(); }
    double nearest(double x) const;  // of the values that the column can have
    ChartAxis drawn() const;
};

// As wide as the values seen. Only what the model takes as a value of the column is on the axis: it is asked.
ColumnAxis column_axis(const Predictor& model, std::uint32_t column, std::span<const double> seen);

}  // namespace suffice
