// Hands a sample of the rows to the placing of knots and centres.
#include "suffice/model/fit_features.hpp"

#include <algorithm>

#include "suffice/model/row_sample.hpp"

namespace suffice {

Result<Features> fit_features(const Schema& schema, const std::vector<BasisTerm>& terms, Stream& stream,
                              const Context& context) {
    if (terms.empty()) return Features::of(schema);
    const auto seen = look_at_rows(stream, schema, {.labeled_only = true}, context);
    if (!seen) return seen.error();
    const RowSample& sample = seen->sample;
    return fit_features(schema, terms, [&](std::uint32_t column) {
        std::vector<double> values;
        const auto found = std::ranges::find(seen->columns, column);
        if (found == seen->columns.end()) return values;
        const auto at = static_cast<std::size_t>(found - seen->columns.begin());
        for (std::size_t row = 0; row < sample.size(); ++row) values.push_back(sample.values[row * sample.width + at]);
        return values;
    });
}

}  // namespace suffice
