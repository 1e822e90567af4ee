// Copies chosen rows.
#include "suffice/data/gather_rows.hpp"

namespace suffice {

SparseBlock RowGatherer::Words::take(const SparseBlock& from, std::span<const std::size_t> rows) {
    row_start.assign(1, 0);
    column.clear();
    value.clear();
    for (const std::size_t row : rows) {
        for (std::int64_t at = from.row_start[row]; at < from.row_start[row + 1]; ++at) {
            column.push_back(from.column[static_cast<std::size_t>(at)]);
            value.push_back(from.value_at(at));
        }
        row_start.push_back(static_cast<std::int64_t>(column.size()));
    }
    return {row_start, column, value, from.column_count};
}

Block RowGatherer::gather(const Block& from, std::span<const std::size_t> rows) {
    const std::size_t width = column_count(from);
    words_.resize(width + 1);
    const auto words = [&](std::size_t at) -> Words& {
        if (!words_[at]) words_[at] = std::make_unique<Words>();
        return *words_[at];
    };
    if (const auto* sparse = std::get_if<SparseBlock>(&from)) return words(width).take(*sparse, rows);
    const auto* columns = std::get_if<ColumnBlock>(&from);
    if (columns == nullptr) {
        values_.resize(rows.size() * width);
        for (std::size_t at = 0; at < rows.size(); ++at)
            for (std::size_t k = 0; k < width; ++k) values_[at * width + k] = value_at(from, rows[at], k);
        return DenseBlock{values_.data(), Element::f64, rows.size(), width, static_cast<std::ptrdiff_t>(width), 1};
    }
    views_.assign(width, {});
    column_values_.resize(width);
    for (std::size_t k = 0; k < width; ++k) {
        if (const SparseBlock tokens = tokens_of(from, k); !tokens.row_start.empty()) {
            Words& own = words(k);
            views_[k].tokens = own.take(tokens, rows);
            own.validity.assign(rows.size() / 8 + 1, 0);
            for (std::size_t at = 0; at < rows.size(); ++at)
                if (!is_missing(from, rows[at], k))
                    own.validity[at / 8] = static_cast<std::uint8_t>(own.validity[at / 8] | 1u << at % 8);
            views_[k].validity = own.validity.data();
            continue;
        }
        auto& values = column_values_[k];
        values.resize(rows.size());
        for (std::size_t at = 0; at < rows.size(); ++at) values[at] = value_at(from, rows[at], k);
        views_[k].values = values.data();
    }
    return ColumnBlock{views_, rows.size(), 0};
}

}  // namespace suffice
