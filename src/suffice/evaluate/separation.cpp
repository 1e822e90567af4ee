// One-way analysis of variance.
#include "suffice/evaluate/separation.hpp"

#include <cmath>
#include <vector>

#include "suffice/family/gaussian.hpp"

namespace suffice {

double class_separation(std::span<const double> values, std::span<const std::int32_t> label, std::size_t class_count) {
    const Gaussian column;
    std::vector<Gaussian::Statistic> by_class(class_count);
    Gaussian::Statistic all;
    for (std::size_t row = 0; row < values.size(); ++row) {
        if (!std::isfinite(values[row]) || label[row] < 0) continue;
        column.observe(by_class[static_cast<std::size_t>(label[row])], values[row], 1);
        column.observe(all, values[row], 1);
    }
    double within = 0, present = 0;
    for (const auto& each : by_class) {
        within += each.scatter;
        present += each.weight() > 0 ? 1 : 0;
    }
    if (present < 2 || !(all.weight() > present) || !(all.scatter > 0)) return 0;
    return (all.scatter - within) / (present - 1) / (within / (all.weight() - present));
}

}  // namespace suffice
