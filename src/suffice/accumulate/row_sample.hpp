// A look at the rows before fitting begins: checked values and weights, and a random sample that merges like every
// statistic. Each row draws its lot from the seed and its number, and the lowest lots stay; so neither the cut of the
// rows nor the number of threads matters. Every row is in the sample while there are fewer than its limit.
#pragma once
#include <cstdint>
#include <vector>

#include "suffice/base/context.hpp"
#include "suffice/base/fields.hpp"
#include "suffice/base/matrix.hpp"
#include "suffice/data/stream.hpp"

namespace suffice {

struct RowSample {
    std::size_t limit = 0, width = 0;
    std::vector<std::uint64_t> lot, number;  // of each row in the sample
    std::vector<double> row_weight;
    std::vector<double> values;  // rows x width; NaN: missing
    double total_weight = 0;     // of all rows
    bool has_holes = false;      // in any row
    static constexpr auto fields = FieldTuple{field("limit", &RowSample::limit),
                                              field("width", &RowSample::width),
                                              field("lot", &RowSample::lot),
                                              field("number", &RowSample::number),
                                              field("row_weight", &RowSample::row_weight),
                                              field("values", &RowSample::values),
                                              field("total_weight", &RowSample::total_weight),
                                              field("has_holes", &RowSample::has_holes)};
    bool operator==(const RowSample&) const = default;

    std::size_t size() const { return lot.size(); }
    double weight() const { return total_weight; }
    void merge(const RowSample& from);
    // Keeps the lowest lots, in the order of the rows.
    void trim();
};

struct LookOptions {
    std::size_t limit = 20'000;
    bool holes_allowed = true;
    bool labeled_only = false;  // rows without a class are not looked at
};

// The columns of the stream that are numbers, flags or categories; `which` says which. An infinite value or a weight
// below zero is an Error that names its row.
struct LookedAt {
    std::vector<std::uint32_t> columns;
    RowSample sample;
};
Result<LookedAt> look_at_rows(Stream& stream, const Schema& schema, const LookOptions& options, const Context& context);

}  // namespace suffice
