// One batch of mini-batch k-means. Sculley, "Web-scale k-means clustering", 2010.
#include "suffice/data/rows_of.hpp"
#include "suffice/group/k_means_rows.hpp"
#include "suffice/kernel/nearest.hpp"

namespace suffice {

Result<AssignedBatch> assign_batch(const Block& rows, std::span<const std::int32_t> which,
                                   std::span<const double> weight, const Matrix& centres) {
    const std::size_t n = row_count(rows), d = centres.column_count, k = centres.row_count;
    if (column_count(rows) != d || k == 0) return Error(ErrorKind::usage, "the rows and the centres differ in columns");
    const std::size_t count = which.empty() ? n : which.size();
    if (!weight.empty() && weight.size() != count)
        return Error(ErrorKind::usage, "there must be a weight for each row");
    std::vector<double> taken(count * d), origin(d);
    for (std::size_t at = 0; at < count; ++at) {
        const std::size_t row = which.empty() ? at : static_cast<std::size_t>(which[at]);
        if (row >= n) return Error(ErrorKind::usage, "a batch names a row that is not there");
        for (std::size_t j = 0; j < d; ++j) taken[at * d + j] = value_at(rows, row, j);
    }
    // Sums about the mean of the centres keep their digits.
    for (std::size_t at = 0; at < k * d; ++at) origin[at % d] += centres.values[at] / static_cast<double>(k);
    std::vector<double> relative(centres.values), square(count);
    for (std::size_t at = 0; at < k * d; ++at) relative[at] -= origin[at % d];
    std::vector<std::int32_t> nearest(count);
    AssignedBatch out{std::vector<double>(k), Matrix(k, d), 0};
    kernel::nearest_centres({taken.data(), count, d, static_cast<std::ptrdiff_t>(d)},
                            weight.empty() ? nullptr : weight.data(), origin.data(), relative.data(), k, nearest.data(),
                            out.weight_of.data(), out.sum.values.data(), square.data());
    for (std::size_t at = 0; at < k * d; ++at) out.sum.values[at] += out.weight_of[at / d] * origin[at % d];
    for (std::size_t at = 0; at < count; ++at) out.inertia += (weight.empty() ? 1.0 : weight[at]) * square[at];
    return out;
}

}  // namespace suffice
