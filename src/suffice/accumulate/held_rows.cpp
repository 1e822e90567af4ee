// Copies the rows of units in the order of the stream.
#include "suffice/accumulate/held_rows.hpp"

#include "suffice/accumulate/in_order.hpp"
#include "suffice/data/rows_of.hpp"

namespace suffice {

LabeledBlock HeldRows::block() const {
    const std::size_t width = labels.empty() ? 0 : values.size() / labels.size();
    return {DenseBlock{values.data(), Element::f64, labels.size(), width, static_cast<std::ptrdiff_t>(width), 1},
            labels, weights, 0};
}

Result<HeldRows> hold_rows(Stream& stream, const Schema& schema, const Context& context) {
    HeldRows held;
    const auto columns = schema.all_columns();
    const auto done = map_in_order(
        stream, context,
        [&](const LabeledBlock& unit, const Stream::Drawn&, const Stream::Lane&, Workspace&) -> Result<HeldRows> {
            HeldRows part;
            std::vector<double> scratch;
            const kernel::Rows rows = rows_of(unit.rows, columns, scratch);
            for (std::size_t row = 0; row < unit.size(); ++row) {
                part.values.insert(part.values.end(), rows.row(row), rows.row(row) + columns.size());
                part.labels.push_back(unit.label_of(row));
                part.weights.push_back(unit.weight_of(row));
            }
            return part;
        },
        [&](const HeldRows& part) -> Result<void> {
            held.values.insert(held.values.end(), part.values.begin(), part.values.end());
            held.labels.insert(held.labels.end(), part.labels.begin(), part.labels.end());
            held.weights.insert(held.weights.end(), part.weights.begin(), part.weights.end());
            return {};
        });
    if (!done) return done.error();
    return held;
}

}  // namespace suffice
