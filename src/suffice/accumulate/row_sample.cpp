// Draws and merges the sample.
#include "suffice/accumulate/row_sample.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "suffice/accumulate/fold.hpp"
#include "suffice/data/rows_of.hpp"

namespace suffice {
namespace {

// Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014: the mixing step.
std::uint64_t lot_of(std::uint64_t seed, std::uint64_t row) {
    std::uint64_t z = seed + (row + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

struct LookScratch {
    std::vector<double> gathered;
};

struct LookPass {
    using Statistic = RowSample;
    const Schema& schema;
    const std::vector<std::uint32_t>& columns;
    LookOptions options;
    std::uint64_t seed;

    RowSample empty() const {
        RowSample sample;
        sample.limit = options.limit;
        sample.width = columns.size();
        return sample;
    }
    std::size_t footprint() const { return 2 * options.limit * (columns.size() + 3) * sizeof(double); }

    Result<void> observe(RowSample& into, const LabeledBlock& unit, const Schema&, Workspace& workspace) const {
        const kernel::Rows rows = rows_of(unit.rows, columns, workspace.of<LookScratch>().gathered);
        for (std::size_t row = 0; row < rows.row_count; ++row) {
            if (options.labeled_only && unit.label_of(row) < 0) continue;
            const double weight = unit.weight_of(row);
            const double* x = rows.row(row);
            const double sum = std::accumulate(x, x + rows.column_count, 0.0);
            if (!std::isfinite(sum))
                if (auto good = check_row(into, x, unit.first_row + row + 1); !good) return good;
            into.total_weight += weight;
            if (weight == 0) continue;
            into.lot.push_back(lot_of(seed, unit.first_row + row));
            into.number.push_back(unit.first_row + row);
            into.row_weight.push_back(weight);
            into.values.insert(into.values.end(), x, x + rows.column_count);
            if (into.size() >= 2 * into.limit) into.trim();
        }
        return {};
    }

private:
    Result<void> check_row(RowSample& into, const double* x, std::uint64_t row) const {
        for (std::size_t k = 0; k < columns.size(); ++k) {
            const auto error = [&](const char* sentence) {
                return Error(sentence).at_row(row).in_column(schema.columns[columns[k]].name);
            };
            if (std::isinf(x[k])) return error("infinity is not a value");
            if (!std::isnan(x[k])) continue;
            if (!options.holes_allowed) return error("a missing value has no distance to a centre");
            into.has_holes = true;
        }
        return {};
    }
};

}  // namespace

void RowSample::trim() {
    std::vector<std::size_t> order(size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (size() > limit) {
        const auto earlier = [&](std::size_t a, std::size_t b) {
            return lot[a] != lot[b] ? lot[a] < lot[b] : number[a] < number[b];
        };
        std::ranges::nth_element(order, order.begin() + static_cast<std::ptrdiff_t>(limit), earlier);
        order.resize(limit);
    }
    std::ranges::sort(order, {}, [&](std::size_t at) { return number[at]; });
    RowSample kept;
    for (const std::size_t at : order) {
        kept.lot.push_back(lot[at]);
        kept.number.push_back(number[at]);
        kept.row_weight.push_back(row_weight[at]);
        const auto first = values.begin() + static_cast<std::ptrdiff_t>(at * width);
        kept.values.insert(kept.values.end(), first, first + static_cast<std::ptrdiff_t>(width));
    }
    lot = std::move(kept.lot);
    number = std::move(kept.number);
    row_weight = std::move(kept.row_weight);
    values = std::move(kept.values);
}

void RowSample::merge(const RowSample& from) {
    limit = std::max(limit, from.limit);
    width = std::max(width, from.width);
    lot.insert(lot.end(), from.lot.begin(), from.lot.end());
    number.insert(number.end(), from.number.begin(), from.number.end());
    row_weight.insert(row_weight.end(), from.row_weight.begin(), from.row_weight.end());
    values.insert(values.end(), from.values.begin(), from.values.end());
    total_weight += from.total_weight;
    has_holes = has_holes || from.has_holes;
    trim();
}

Result<LookedAt> look_at_rows(Stream& stream, const Schema& schema, const LookOptions& options,
                              const Context& context) {
    LookedAt looked;
    for (std::uint32_t k = 0; k < schema.columns.size(); ++k)
        if (schema.columns[k].kind != ColumnKind::text) looked.columns.push_back(k);
    if (auto again = stream.rewind(); !again) return again.error();
    auto sample = fold(LookPass{schema, looked.columns, options, context.seed}, stream, context);
    if (!sample) return sample.error();
    looked.sample = std::move(*sample);
    looked.sample.trim();
    return looked;
}

}  // namespace suffice
