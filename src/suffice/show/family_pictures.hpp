// Pictures of a family under the user's own rows and prior: what is known of its parameter after more and more rows,
// its density over a histogram of the rows, a Dirichlet on the simplex.
#pragma once
#include "suffice/show/plot.hpp"

namespace suffice {

// Of PlotOptions::families; without files, of the prior alone.
Result<Plotted> plot_families(const std::vector<std::string>& files, const PlotOptions& options,
                              const Context& context);
// The same of numbers in memory, one column of them.
Result<Plotted> plot_families(std::vector<double> values, const std::string& column, const PlotOptions& options,
                              const Context& context);

}  // namespace suffice
