// Histograms: where the edges lie, and how much each bin holds.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace suffice {

// Ends of a bin for one value: half a unit on either side, as NumPy; of numbers that have no halves the next ones.
std::pair<double, double> around(double value);

// Bins of equal width over the range of the values: `bins` of them, or (0) of the width 2 IQR / n^(1/3) of Freedman and
// Diaconis (1981), at most 10,000; or blocks. Ascending; at least two edges, apart from each other even where all
// values agree.
std::vector<double> histogram_edges(std::span<const double> values, std::span<const double> weight, std::uint32_t bins);

// Which bin holds x: the last one its upper edge too; -1: none.
std::ptrdiff_t bin_of(std::span<const double> edges, double x);

}  // namespace suffice
