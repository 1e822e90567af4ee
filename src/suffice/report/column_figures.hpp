// Columns as pictures: histograms with fitted densities, levels, quantiles beside quantiles, bars that pull.
#pragma once
#include <string>
#include <vector>

#include "suffice/report/figure.hpp"
#include "suffice/report/report_content.hpp"

namespace suffice {

// Values by class with the fitted densities over them, or the levels' shares with the fitted ones.
Figure column_figure(const ColumnPicture& column, const std::vector<std::string>& classes);
// Quantiles of the values against those of the fitted distributions.
Figure quantile_figure(const ColumnPicture& column, const std::vector<std::string>& classes);
Figure novelty_figure(const Novelty& novelty);

struct Pull {
    std::string name, value;
    double amount = 0;
};
// Horizontal bars left and right of zero, in the order given.
Figure pull_figure(std::string title, std::string description, const std::vector<Pull>& pulls,
                   const std::string& toward, const std::string& away);

}  // namespace suffice
