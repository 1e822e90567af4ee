// Rows in memory, cut into units.
#include "suffice/data/stream.hpp"

#include <algorithm>

#include "suffice/data/check_rows.hpp"

namespace suffice {
namespace {

struct RowRange final : Stream::Drawn {
    std::size_t first = 0, count = 0;
};

}  // namespace

MemoryStream::MemoryStream(LabeledBlock rows, Schema names) : rows_(rows), names_(std::move(names)) {}

std::unique_ptr<Stream::Drawn> MemoryStream::drawn() const { return std::make_unique<RowRange>(); }

std::unique_ptr<Stream::Lane> MemoryStream::lane() const {
    auto made = std::make_unique<Lane>();
    made->names = names_;
    return made;
}

Result<bool> MemoryStream::draw(Drawn& unit) {
    if (!checked_)
        if (auto good = check_rows(names_, rows_); !good) return good.error();
    checked_ = true;
    const std::size_t rows = rows_.size();
    if (next_ >= rows) return false;
    auto& range = static_cast<RowRange&>(unit);
    range.first = next_;
    range.count = std::min(unit_rows, rows - next_);
    next_ += range.count;
    return true;
}

Result<LabeledBlock> MemoryStream::decode(Drawn& unit, Lane&) const {
    const auto& range = static_cast<const RowRange&>(unit);
    const LabeledBlock block = rows_.slice(range.first, range.count);
    if (auto good = check_lesson(names_, block); !good) return good.error();
    return block;
}

Result<void> MemoryStream::rewind() {
    next_ = 0;
    return {};
}

std::uint64_t MemoryStream::unit_count() const { return (rows_.size() + unit_rows - 1) / unit_rows; }

std::uint64_t MemoryStream::byte_count() const {
    if (const auto* dense = std::get_if<DenseBlock>(&rows_.rows))
        return dense->row_count * dense->column_count * element_size(dense->element);
    if (const auto* sparse = std::get_if<SparseBlock>(&rows_.rows))
        return sparse->row_start.empty() ? 0 : static_cast<std::uint64_t>(sparse->row_start.back()) * 12;
    return rows_.size() * column_count(rows_.rows) * sizeof(double);
}

Progress MemoryStream::progress() const { return {next_, 0, 0}; }

}  // namespace suffice
