// All rows of a stream as numbers in memory, in their order.
#pragma once
#include <cstdint>
#include <vector>

#include "suffice/base/context.hpp"
#include "suffice/data/block.hpp"
#include "suffice/data/schema.hpp"

namespace suffice {

class Stream;

struct HeldRows {
    std::vector<double> values;  // rows x columns of the schema; NaN is missing
    std::vector<std::int32_t> labels;
    std::vector<double> weights;

    std::size_t size() const { return labels.size(); }
    LabeledBlock block() const;
};

// Columns of text have no numbers. The names of the stream must not grow.
Result<HeldRows> hold_rows(Stream& stream, const Schema& schema, const Context& context);

}  // namespace suffice
