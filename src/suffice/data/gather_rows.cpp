// Copies chosen rows.
#include "suffice/data/gather_rows.hpp"

#include <algorithm>

namespace suffice {

namespace {

double recoded(double value, const CodeMap* map) {
    if (map == nullptr || !(value >= 0) || value >= static_cast<double>(map->to.size())) return value;
    const std::uint32_t code = map->to[static_cast<std::size_t>(value)];
    return code == CodeMap::dropped ? unseen_level : code;
}

}  // namespace

SparseBlock RowGatherer::Words::take(const SparseBlock& from, std::span<const std::size_t> rows, const CodeMap* words) {
    row_start.assign(1, 0);
    column.clear();
    value.clear();
    for (const std::size_t row : rows) {
        for (std::int64_t at = from.row_start[row]; at < from.row_start[row + 1]; ++at) {
            const std::uint32_t word = from.column[static_cast<std::size_t>(at)];
            if (words != nullptr && words->to[word] == CodeMap::dropped) continue;
            column.push_back(words != nullptr ? words->to[word] : word);
            value.push_back(from.value_at(at));
        }
        row_start.push_back(static_cast<std::int64_t>(column.size()));
    }
    return {row_start, column, value, words != nullptr ? words->count : from.column_count};
}

Block RowGatherer::gather(const Block& from, std::span<const std::size_t> rows, std::span<const CodeMap> levels) {
    const std::size_t width = column_count(from);
    const auto map_of = [&](std::size_t column) -> const CodeMap* {
        if (levels.empty() || levels[column].to.empty() || levels[column].is_identity()) return nullptr;
        return &levels[column];
    };
    words_.resize(width + 1);
    const auto words = [&](std::size_t at) -> Words& {
        if (!words_[at]) words_[at] = std::make_unique<Words>();
        return *words_[at];
    };
    if (const auto* sparse = std::get_if<SparseBlock>(&from)) return words(width).take(*sparse, rows, nullptr);
    const auto* columns = std::get_if<ColumnBlock>(&from);
    if (columns == nullptr) {
        values_.resize(rows.size() * width);
        const auto& dense = std::get<DenseBlock>(from);
        if (levels.empty() && dense.element == Element::f64 && dense.column_stride == 1) {
            for (std::size_t at = 0; at < rows.size(); ++at)
                std::copy_n(
                    static_cast<const double*>(dense.values) + static_cast<std::ptrdiff_t>(rows[at]) * dense.row_stride,
                    width, values_.data() + at * width);
            return DenseBlock{values_.data(), Element::f64, rows.size(), width, static_cast<std::ptrdiff_t>(width), 1};
        }
        for (std::size_t at = 0; at < rows.size(); ++at)
            for (std::size_t k = 0; k < width; ++k)
                values_[at * width + k] = recoded(value_at(from, rows[at], k), map_of(k));
        return DenseBlock{values_.data(), Element::f64, rows.size(), width, static_cast<std::ptrdiff_t>(width), 1};
    }
    views_.assign(width, {});
    column_values_.resize(width);
    for (std::size_t k = 0; k < width; ++k) {
        if (const SparseBlock tokens = tokens_of(from, k); !tokens.row_start.empty()) {
            Words& own = words(k);
            views_[k].tokens = own.take(tokens, rows, map_of(k));
            own.validity.assign(rows.size() / 8 + 1, 0);
            for (std::size_t at = 0; at < rows.size(); ++at)
                if (!is_missing(from, rows[at], k))
                    own.validity[at / 8] = static_cast<std::uint8_t>(own.validity[at / 8] | 1u << at % 8);
            views_[k].validity = own.validity.data();
            continue;
        }
        auto& values = column_values_[k];
        values.resize(rows.size());
        for (std::size_t at = 0; at < rows.size(); ++at) values[at] = recoded(value_at(from, rows[at], k), map_of(k));
        views_[k].values = values.data();
    }
    return ColumnBlock{views_, rows.size(), 0};
}

}  // namespace suffice
