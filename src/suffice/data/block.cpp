// Sizes, slices and single values of blocks.
#include "suffice/data/block.hpp"

#include <bit>
#include <cmath>
#include <limits>

namespace suffice {
namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

template <class T>
double as(const void* values, std::ptrdiff_t at) {
    return static_cast<double>(static_cast<const T*>(values)[at]);
}

double element_at(const void* values, Element element, std::ptrdiff_t at) {
    switch (element) {
        case Element::f64:
            return as<double>(values, at);
        case Element::f32:
            return as<float>(values, at);
        case Element::i64:
            return as<std::int64_t>(values, at);
        case Element::i32:
            return as<std::int32_t>(values, at);
        case Element::i16:
            return as<std::int16_t>(values, at);
        case Element::i8:
            return as<std::int8_t>(values, at);
        case Element::u64:
            return as<std::uint64_t>(values, at);
        case Element::u32:
            return as<std::uint32_t>(values, at);
        case Element::u16:
            return as<std::uint16_t>(values, at);
        case Element::u8:
            return as<std::uint8_t>(values, at);
        case Element::bit:
            return (static_cast<const std::uint8_t*>(values)[at / 8] >> (at % 8)) & 1;
    }
    return missing;
}

bool is_there(const ColumnView& column, std::size_t at) {
    return column.validity == nullptr || ((column.validity[at / 8] >> (at % 8)) & 1) != 0;
}

double value_in(const ColumnView& column, std::size_t row) {
    const std::size_t at = column.offset + row;
    if (!is_there(column, at) || column.values == nullptr) return missing;
    const double value = element_at(column.values, column.element, static_cast<std::ptrdiff_t>(at));
    if (column.code_map.empty() || std::isnan(value)) return value;
    return value < 0 ? missing : column.code_map[static_cast<std::size_t>(value)];
}

SparseBlock slice_rows(const SparseBlock& rows, std::size_t first, std::size_t count) {
    SparseBlock part = rows;
    part.row_start = rows.row_start.subspan(first, count + 1);
    return part;
}

}  // namespace

std::size_t element_size(Element element) {
    switch (element) {
        case Element::f64:
        case Element::i64:
        case Element::u64:
            return 8;
        case Element::f32:
        case Element::i32:
        case Element::u32:
            return 4;
        case Element::i16:
        case Element::u16:
            return 2;
        case Element::i8:
        case Element::u8:
            return 1;
        case Element::bit:
            return 0;
    }
    return 0;
}

std::size_t row_count(const Block& block) {
    if (const auto* dense = std::get_if<DenseBlock>(&block)) return dense->row_count;
    if (const auto* columns = std::get_if<ColumnBlock>(&block)) return columns->row_count;
    const auto& sparse = std::get<SparseBlock>(block);
    return sparse.row_start.empty() ? 0 : sparse.row_start.size() - 1;
}

std::size_t column_count(const Block& block) {
    if (const auto* dense = std::get_if<DenseBlock>(&block)) return dense->column_count;
    if (const auto* columns = std::get_if<ColumnBlock>(&block)) return columns->columns.size();
    return std::get<SparseBlock>(block).column_count;
}

Block slice(const Block& block, std::size_t first, std::size_t count) {
    if (const auto* dense = std::get_if<DenseBlock>(&block)) {
        DenseBlock part = *dense;
        const auto bytes = static_cast<std::ptrdiff_t>(element_size(dense->element));
        part.values =
            static_cast<const char*>(dense->values) + static_cast<std::ptrdiff_t>(first) * dense->row_stride * bytes;
        part.row_count = count;
        return part;
    }
    if (const auto* columns = std::get_if<ColumnBlock>(&block)) {
        ColumnBlock part = *columns;
        part.first_row += first;
        part.row_count = count;
        return part;
    }
    return slice_rows(std::get<SparseBlock>(block), first, count);
}

double value_at(const Block& block, std::size_t row, std::size_t column) {
    if (const auto* dense = std::get_if<DenseBlock>(&block))
        return element_at(dense->values, dense->element,
                          static_cast<std::ptrdiff_t>(row) * dense->row_stride +
                              static_cast<std::ptrdiff_t>(column) * dense->column_stride);
    if (const auto* columns = std::get_if<ColumnBlock>(&block))
        return value_in(columns->columns[column], columns->first_row + row);
    const auto& sparse = std::get<SparseBlock>(block);
    for (auto at = sparse.row_start[row]; at < sparse.row_start[row + 1]; ++at)
        if (sparse.column[static_cast<std::size_t>(at)] == column) return sparse.value_at(at);
    return 0;
}

SparseBlock tokens_of(const Block& block, std::size_t column) {
    if (const auto* sparse = std::get_if<SparseBlock>(&block)) return *sparse;
    const auto* columns = std::get_if<ColumnBlock>(&block);
    if (columns == nullptr || columns->columns[column].tokens.row_start.empty()) return {};
    return slice_rows(columns->columns[column].tokens, columns->first_row, columns->row_count);
}

bool is_missing(const Block& block, std::size_t row, std::size_t column) {
    if (std::holds_alternative<SparseBlock>(block)) return false;
    const auto* columns = std::get_if<ColumnBlock>(&block);
    if (columns == nullptr) return true;
    const ColumnView& view = columns->columns[column];
    return view.tokens.row_start.empty() || !is_there(view, view.offset + columns->first_row + row);
}

LabeledBlock LabeledBlock::slice(std::size_t first, std::size_t count) const {
    return {suffice::slice(rows, first, count), label.empty() ? label : label.subspan(first, count),
            weight.empty() ? weight : weight.subspan(first, count), first_row + first};
}

}  // namespace suffice
