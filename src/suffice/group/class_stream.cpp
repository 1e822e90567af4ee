// Gathers the rows of one class out of each unit.
#include "suffice/group/class_stream.hpp"

#include <algorithm>
#include <numeric>

#include "suffice/data/rows_of.hpp"

namespace suffice {
namespace {

struct ClassLane final : Stream::Lane {
    std::unique_ptr<Stream::Lane> inner;
    std::vector<double> gathered, values, weight;
};

}  // namespace

ClassStream::ClassStream(Stream& all, std::int32_t class_code, const Schema& schema)
    : StreamOver(all), class_code_(class_code), columns_(schema.columns.size()) {
    std::iota(columns_.begin(), columns_.end(), 0u);
}

std::unique_ptr<Stream::Lane> ClassStream::lane() const { return lane_over<ClassLane>(); }

Result<LabeledBlock> ClassStream::decode(Drawn& unit, Lane& lane) const {
    auto& own = static_cast<ClassLane&>(lane);
    const auto block = all_.decode(unit, *own.inner);
    if (!block) return block.error();
    const kernel::Rows rows = rows_of(block->rows, columns_, own.gathered);
    own.values.clear();
    own.weight.clear();
    for (std::size_t row = 0; row < rows.row_count; ++row) {
        if (block->label_of(row) != class_code_) continue;
        own.values.insert(own.values.end(), rows.row(row), rows.row(row) + columns_.size());
        if (!block->weight.empty()) own.weight.push_back(block->weight[row]);
    }
    const std::size_t width = columns_.size(), count = width == 0 ? 0 : own.values.size() / width;
    const DenseBlock dense{own.values.data(), Element::f64, count, width, static_cast<std::ptrdiff_t>(width), 1};
    return LabeledBlock{dense, {}, own.weight, block->first_row};
}

}  // namespace suffice
