// Gathers any block into row-major doubles.
#include "suffice/data/rows_of.hpp"

#include <algorithm>
#include <limits>

#include "suffice/kernel/gather.hpp"

namespace suffice {
namespace {

bool consecutive(std::span<const std::uint32_t> columns) {
    for (std::size_t k = 1; k < columns.size(); ++k)
        if (columns[k] != columns[0] + k) return false;
    return true;
}

template <class T>
void gather_dense(const DenseBlock& block, std::span<const std::uint32_t> columns, double* out) {
    if (block.row_count == 0) return;  // there may be no memory either, to which nothing can be added
    const auto* values = static_cast<const T*>(block.values);
    const auto width = static_cast<std::ptrdiff_t>(columns.size());
    const bool run = consecutive(columns);
    const std::size_t pieces = run ? 1 : columns.size();
    for (std::size_t k = 0; k < pieces; ++k) {
        const T* first = values + static_cast<std::ptrdiff_t>(columns[k]) * block.column_stride;
        const std::size_t count = run ? columns.size() : 1;
        if constexpr (std::same_as<T, double> || std::same_as<T, float>) {
            kernel::gather(first, block.row_stride, block.column_stride, block.row_count, count, out + k, width);
        } else {
            for (std::size_t row = 0; row < block.row_count; ++row)
                for (std::size_t c = 0; c < count; ++c)
                    out[row * columns.size() + k + c] =
                        static_cast<double>(first[static_cast<std::ptrdiff_t>(row) * block.row_stride +
                                                  static_cast<std::ptrdiff_t>(c) * block.column_stride]);
        }
    }
}

void gather_dense(const DenseBlock& block, std::span<const std::uint32_t> columns, double* out) {
    switch (block.element) {
        case Element::f64:
            return gather_dense<double>(block, columns, out);
        case Element::f32:
            return gather_dense<float>(block, columns, out);
        case Element::i64:
            return gather_dense<std::int64_t>(block, columns, out);
        case Element::i32:
            return gather_dense<std::int32_t>(block, columns, out);
        case Element::i16:
            return gather_dense<std::int16_t>(block, columns, out);
        case Element::i8:
            return gather_dense<std::int8_t>(block, columns, out);
        case Element::u64:
            return gather_dense<std::uint64_t>(block, columns, out);
        case Element::u32:
            return gather_dense<std::uint32_t>(block, columns, out);
        case Element::u16:
            return gather_dense<std::uint16_t>(block, columns, out);
        case Element::u8:
        case Element::bit:
            return gather_dense<std::uint8_t>(block, columns, out);
    }
}

void gather_column(const ColumnBlock& block, std::uint32_t which, double* out, std::size_t width) {
    const ColumnView& column = block.columns[which];
    const std::size_t first = column.offset + block.first_row;
    if (column.element == Element::f64 && column.validity == nullptr && column.code_map.empty()) {
        const double* values = static_cast<const double*>(column.values) + first;
        for (std::size_t row = 0; row < block.row_count; ++row) out[row * width] = values[row];
    } else {
        for (std::size_t row = 0; row < block.row_count; ++row) out[row * width] = value_at(block, row, which);
    }
}

void gather_sparse(const SparseBlock& block, std::span<const std::uint32_t> columns, std::vector<double>& out) {
    std::vector<std::int32_t> place(block.column_count, -1);
    for (std::size_t k = 0; k < columns.size(); ++k) place[columns[k]] = static_cast<std::int32_t>(k);
    out.assign(out.size(), 0.0);
    for (std::size_t row = 0; row + 1 < block.row_start.size(); ++row)
        for (auto at = block.row_start[row]; at < block.row_start[row + 1]; ++at)
            if (const auto k = place[block.column[static_cast<std::size_t>(at)]]; k >= 0)
                out[row * columns.size() + static_cast<std::size_t>(k)] += block.value_at(at);
}

template <class Number>
bool holds(Element element) {
    if constexpr (std::same_as<Number, std::uint8_t>) return element == Element::u8 || element == Element::bit;
    return element == (std::same_as<Number, double> ? Element::f64 : Element::f32);
}

}  // namespace

template <class Number>
std::optional<kernel::RowsOf<Number>> rows_in_place(const Block& block, std::span<const std::uint32_t> columns) {
    const auto* dense = std::get_if<DenseBlock>(&block);
    if (dense == nullptr || !holds<Number>(dense->element) || dense->column_stride != 1 || columns.empty() ||
        !consecutive(columns))
        return std::nullopt;
    return kernel::RowsOf<Number>{static_cast<const Number*>(dense->values) + columns[0], dense->row_count,
                                  columns.size(), dense->row_stride};
}

template std::optional<kernel::Rows> rows_in_place(const Block&, std::span<const std::uint32_t>);
template std::optional<kernel::FloatRows> rows_in_place(const Block&, std::span<const std::uint32_t>);
template std::optional<kernel::ByteRows> rows_in_place(const Block&, std::span<const std::uint32_t>);

kernel::Rows rows_of(const Block& block, std::span<const std::uint32_t> columns, std::vector<double>& scratch) {
    const std::size_t rows = row_count(block);
    if (const auto there = rows_in_place<double>(block, columns)) return *there;
    scratch.resize(rows * columns.size());
    const kernel::Rows gathered{scratch.data(), rows, columns.size(), static_cast<std::ptrdiff_t>(columns.size())};
    if (columns.empty()) return gathered;
    if (const auto* dense = std::get_if<DenseBlock>(&block)) {
        gather_dense(*dense, columns, scratch.data());
    } else if (const auto* views = std::get_if<ColumnBlock>(&block)) {
        constexpr std::size_t tile = 64;  // rows: what is written stays in the nearest cache from column to column
        for (std::size_t first = 0; first < rows; first += tile) {
            const ColumnBlock some{views->columns, std::min(tile, rows - first), views->first_row + first};
            for (std::size_t k = 0; k < columns.size(); ++k)
                gather_column(some, columns[k], scratch.data() + first * columns.size() + k, columns.size());
        }
    } else {
        gather_sparse(std::get<SparseBlock>(block), columns, scratch);
    }
    return gathered;
}

}  // namespace suffice
