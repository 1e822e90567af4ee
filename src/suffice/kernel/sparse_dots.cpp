// One pass over indices and values, at the speed of memory: a column is clipped to the last weight where it is used,
// and that it was clipped is found out from the sums of what was clipped.
#include "suffice/kernel/sparse_dots.hpp"

#include <algorithm>
#include <type_traits>

namespace suffice::kernel {
namespace {

template <class Index>
bool dots(std::span<const std::int64_t> row_start, const Index* column, const double* value,
          std::span<const double> weight, double* out) {
    using Place = std::make_unsigned_t<Index>;
    if (row_start.empty()) return true;
    if (weight.empty()) return row_start.front() == row_start.back();
    const auto last = static_cast<Place>(weight.size() - 1);
    const double* w = weight.data();
    Place clipped = 0;
    const auto term = [&](std::int64_t e) {
        const auto place = static_cast<Place>(column[e]), inside = std::min(place, last);
        clipped |= place ^ inside;
        return value[e] * w[inside];
    };
    for (std::size_t row = 0; row + 1 < row_start.size(); ++row) {
        const std::int64_t end = row_start[row + 1];
        std::int64_t e = row_start[row];
        double sum[4] = {};  // none waits for the others
        for (; e + 4 <= end; e += 4)
            for (int k = 0; k < 4; ++k) sum[k] += term(e + k);
        for (; e < end; ++e) sum[0] += term(e);
        out[row] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
    }
    return clipped == 0;
}

}  // namespace

bool sparse_dots(std::span<const std::int64_t> row_start, const std::int32_t* column, const double* value,
                 std::span<const double> weight, double* out) {
    return dots(row_start, column, value, weight, out);
}

bool sparse_dots(std::span<const std::int64_t> row_start, const std::int64_t* column, const double* value,
                 std::span<const double> weight, double* out) {
    return dots(row_start, column, value, weight, out);
}

}  // namespace suffice::kernel
