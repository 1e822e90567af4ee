// Names of columns, levels and classes. Statistics know codes only; the Schema says what they mean.
#pragma once
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "suffice/base/enum_names.hpp"
#include "suffice/base/fields.hpp"
#include "suffice/base/result.hpp"
#include "suffice/data/text_options.hpp"

namespace suffice {

// What the values of a column are. A flag is a number that has been 0 or 1 so far.
enum class ColumnKind : std::uint8_t { number, flag, category, text };
template <>
inline constexpr std::array<std::string_view, 4> enum_names<ColumnKind>{"number", "flag", "category", "text"};

struct Column {
    std::string name;
    ColumnKind kind = ColumnKind::number;
    std::vector<std::string> levels = {};  // categories, or the vocabulary of a text column
    std::uint32_t declared_levels = 0;     // the first so many exist whether seen or not (dictionary types)
    std::vector<TextOptions> text = {};    // of a text column: one, so that all documents are cut alike
    static constexpr auto fields =
        FieldTuple{field("name", &Column::name), field("kind", &Column::kind), field("levels", &Column::levels),
                   field("declared_levels", &Column::declared_levels), field("text", &Column::text)};
    bool operator==(const Column&) const = default;
};

struct Schema {
    std::vector<Column> columns;
    std::vector<std::string> classes;
    std::string target = {};       // name of the label column; empty: labels came from elsewhere
    bool integer_classes = false;  // labels were whole numbers and go back as such
    static constexpr auto fields =
        FieldTuple{field("columns", &Schema::columns), field("classes", &Schema::classes),
                   field("target", &Schema::target), field("integer_classes", &Schema::integer_classes)};
    bool operator==(const Schema&) const = default;

    bool holds(const std::vector<std::uint32_t>& which) const {
        return std::ranges::all_of(which, [&](std::uint32_t column) { return column < columns.size(); });
    }
    std::vector<std::uint32_t> all_columns() const {
        std::vector<std::uint32_t> all(columns.size());
        std::iota(all.begin(), all.end(), 0u);
        return all;
    }
    std::optional<std::uint32_t> column_named(std::string_view name) const {
        const auto found = std::ranges::find(columns, name, &Column::name);
        if (found == columns.end()) return std::nullopt;
        return static_cast<std::uint32_t>(found - columns.begin());
    }
};

// Names the column of an Error that knows only its place.
inline Error named_column(Error error, const Schema& schema) {
    if (error.place) error.column = schema.columns[*error.place].name;
    error.place.reset();
    return error;
}

// Old code -> new code, among `count` new ones. A code that goes nowhere is `dropped`.
struct CodeMap {
    static constexpr std::uint32_t dropped = ~std::uint32_t{0};
    std::vector<std::uint32_t> to;
    std::uint32_t count = 0;

    bool is_identity() const {
        if (to.size() != count) return false;
        for (std::uint32_t k = 0; k < count; ++k)
            if (to[k] != k) return false;
        return true;
    }
    std::vector<double> spread(const std::vector<double>& old) const {  // codes without an old one get zero
        std::vector<double> fresh(count);
        for (std::size_t k = 0; k < old.size(); ++k)
            if (to[k] != dropped) fresh[to[k]] = old[k];
        return fresh;
    }
};

struct Recoding {
    CodeMap classes;
    std::vector<CodeMap> levels;  // one per column of the schema
};

}  // namespace suffice
