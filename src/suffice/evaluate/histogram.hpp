// Counts of a column's values by class, in bins that all classes share.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace suffice {

struct Histogram {
    double low = 0, width = 1;                  // of the first bin; all have one width
    bool whole = false;                         // values are whole numbers, bins are centred on them
    std::vector<std::vector<double>> by_class;  // rows, by class and bin

    std::size_t bin_count() const { return by_class.empty() ? 0 : by_class[0].size(); }
    double edge(std::size_t bin) const { return low + width * static_cast<double>(bin); }
    double class_rows(std::size_t class_code) const;
    // Rows per unit of x as a share of the class: comparable with a density.
    double density(std::size_t class_code, std::size_t bin) const;
};

// Bins as wide as Freedman and Diaconis (1981) advise for the class in the middle, at most `most` of them; whole
// numbers get bins of whole numbers. Values that are not finite and labels -1 are left out; no bins where nothing is
// left.
Histogram class_histogram(std::span<const double> values, std::span<const std::int32_t> label, std::size_t class_count,
                          std::size_t most = 36);

// The value below which a share of the sorted values lies, linear between them.
double sorted_quantile(std::span<const double> sorted, double share);

}  // namespace suffice
