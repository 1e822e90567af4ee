// The first look of k-means at its rows: means and variances of columns, and whether every value is a number.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "suffice/accumulate/fold.hpp"
#include "suffice/data/rows_of.hpp"
#include "suffice/family/sums.hpp"
#include "suffice/group/k_means_rows.hpp"
#include "suffice/kernel/moments.hpp"

namespace suffice {
namespace {

// Sums of columns and of their squares about the first row.
struct ColumnSums {
    std::vector<double> sum, square;
    double total = 0;
    bool operator==(const ColumnSums&) const = default;
    double weight() const { return total; }
    void merge(const ColumnSums& from) {
        add_sums(sum, from.sum);
        add_sums(square, from.square);
        total += from.total;
    }
};

struct FirstLookScratch {
    std::vector<double> gathered;
};

struct ColumnPass {
    using Statistic = ColumnSums;
    const std::vector<std::uint32_t>& columns;
    const std::vector<double>& first;

    ColumnSums empty() const { return {std::vector<double>(first.size()), std::vector<double>(first.size())}; }
    std::size_t footprint() const { return 2 * first.size() * sizeof(double); }
    Result<void> observe(ColumnSums& into, const LabeledBlock& unit, const Schema&, Workspace& workspace) const {
        const kernel::Rows rows = rows_of(unit.rows, columns, workspace.of<FirstLookScratch>().gathered);
        kernel::class_moments(rows, nullptr, nullptr, 1, first.data(), &into.total, into.sum.data(),
                              into.square.data());
        return {};
    }
};

}  // namespace

Result<KMeansRows> KMeansRows::from(LabeledBlock rows, const Context& context) {
    const std::size_t d = column_count(rows.rows);
    if (rows.size() == 0 || d == 0) return Error("k-means needs at least one row and one column");
    KMeansRows made;
    made.rows_ = rows;
    std::vector<std::uint32_t> columns(d);
    std::iota(columns.begin(), columns.end(), 0u);
    std::vector<double> first(d);
    for (std::size_t j = 0; j < d; ++j) first[j] = value_at(rows.rows, 0, j);
    MemoryStream stream(rows, Schema{});
    const auto sums = fold(ColumnPass{columns, first}, stream, context);
    if (!sums) return sums.error();
    const auto n = static_cast<double>(rows.size());
    for (std::size_t j = 0; j < d; ++j) {
        const double way = sums->sum[j] / n;
        made.mean_.push_back(first[j] + way);
        made.mean_variance_ += std::max(sums->square[j] / n - way * way, 0.0) / static_cast<double>(d);
        if (!std::isfinite(sums->square[j])) return Error("k-means needs finite numbers without missing values");
    }
    return made;
}

}  // namespace suffice
