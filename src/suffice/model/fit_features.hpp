// Basis functions placed by a look at the rows of a stream.
#pragma once
#include "suffice/base/context.hpp"
#include "suffice/encode/basis_terms.hpp"
#include "suffice/encode/features.hpp"

namespace suffice {

class Stream;

// No terms: no look.
Result<Features> fit_features(const Schema& schema, const std::vector<BasisTerm>& terms, Stream& stream,
                              const Context& context);

// Which columns lack a value in some labelled row, and what their values are on average (of categories: the first
// level).
struct ColumnHoles {
    double total = 0;
    std::vector<double> missing, seen, sum;  // by column, of weights
    static constexpr auto fields =
        FieldTuple{field("total", &ColumnHoles::total), field("missing", &ColumnHoles::missing),
                   field("seen", &ColumnHoles::seen), field("sum", &ColumnHoles::sum)};
    bool operator==(const ColumnHoles&) const = default;
    double weight() const { return total; }
    double mean(std::size_t column) const { return seen[column] > 0 ? sum[column] / seen[column] : 0; }
    // The first few columns that have holes; empty: none has.
    std::string told(const Schema& schema) const;
    void merge(const ColumnHoles& from);
};
Result<ColumnHoles> find_holes(const Schema& schema, Stream& stream, const Context& context);

// The same functions with a stand-in for missing values of every column, and one feature more for each column that has
// holes or is named: whether its value is missing.
Features with_indicators(Features features, const Schema& schema, const ColumnHoles& holes,
                         const std::vector<std::string>& named);

}  // namespace suffice
