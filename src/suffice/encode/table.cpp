// Codes the words of a table in memory.
#include "suffice/encode/table.hpp"

#include <algorithm>
#include <cmath>

#include "suffice/base/limits.hpp"
#include "suffice/data/check_rows.hpp"
#include "suffice/encode/names.hpp"
#include "suffice/encode/vocabulary.hpp"
#include "suffice/read/number_words.hpp"

namespace suffice {
namespace {

Result<std::vector<double>> codes_in(const std::vector<std::string>& words, const std::vector<std::string>& levels) {
    const Vocabulary known{std::span<const std::string>(levels)};
    std::vector<double> codes;
    codes.reserve(words.size());
    for (const auto& word : words) {
        const std::uint32_t code = word.empty() ? 0 : known.find(word);
        codes.push_back(word.empty() ? not_a_number : code == Vocabulary::unknown ? unseen_level : code);
    }
    return codes;
}

// The words of text that the column knows, counted or in their order.
Result<std::unique_ptr<DocumentCodes>> documents_in(const std::vector<std::string>& texts, const Column& column) {
    const auto tokenizer = Tokenizer::make(column.text.empty() ? TextOptions{} : column.text[0]);
    if (!tokenizer) return tokenizer.error();
    auto documents = std::make_unique<DocumentCodes>(*tokenizer);
    const Vocabulary known{std::span<const std::string>(column.levels)};
    Vocabulary growing;  // which it does not
    const auto text_of = [&](std::size_t row) {
        return texts[row].empty() ? std::string_view{} : std::string_view(texts[row]);
    };
    if (auto read = documents->read(texts.size(), text_of, &known, growing); !read) return read.error();
    return documents;
}

std::vector<std::string> levels_in(const std::vector<std::string>& words) {
    Vocabulary found;
    for (const auto& word : words)
        if (!word.empty()) found.add(word);
    std::vector<std::string> levels;
    for (std::size_t k = 0; k < found.size(); ++k) levels.emplace_back(found.word(k));
    sort_names(levels);
    return levels;
}

}  // namespace

Result<Table> Table::of(const Block& rows, const std::vector<Column>& columns) {
    if (column_count(rows) != columns.size())
        return Error(std::to_string(columns.size()) + " columns are named, and the rows have " +
                     std::to_string(column_count(rows)));
    Table table;
    const std::size_t count = row_count(rows);
    for (std::uint32_t k = 0; k < columns.size(); ++k) {
        const Column& column = columns[k];
        if (column.kind == ColumnKind::text)
            return Error("texts are not kept as they were, so that no table can be made of them")
                .in_column(column.name);
        std::vector<double> values(count);
        for (std::size_t row = 0; row < count; ++row) values[row] = value_at(rows, row, k);
        if (column.kind != ColumnKind::category) {
            table.numbers(column.name, std::move(values));
            continue;
        }
        std::vector<std::string> words(count);
        for (std::size_t row = 0; row < count; ++row) {
            const double code = values[row];
            if (code >= 0 && code < static_cast<double>(column.levels.size()))
                words[row] = column.levels[static_cast<std::size_t>(code)];
        }
        table.words(column.name, std::move(words), column.levels);
    }
    return table;
}

std::size_t Table::Held::size() const {
    const auto* numbers = std::get_if<std::vector<double>>(&values);
    return numbers != nullptr ? numbers->size() : std::get<std::vector<std::string>>(values).size();
}

Table& Table::numbers(std::string name, std::vector<double> values) {
    columns_.push_back({{std::move(name)}, std::move(values)});
    return *this;
}

Table& Table::words(std::string name, std::vector<std::string> values) {
    Column column{std::move(name), ColumnKind::category, levels_in(values)};
    columns_.push_back({std::move(column), std::move(values)});
    return *this;
}

Table& Table::words(std::string name, std::vector<std::string> values, std::vector<std::string> levels) {
    const auto count = static_cast<std::uint32_t>(levels.size());
    columns_.push_back({{std::move(name), ColumnKind::category, std::move(levels), count}, std::move(values)});
    return *this;
}

Result<std::vector<Column>> Table::columns() const {
    Schema schema;
    for (const Held& each : columns_) {
        if (each.size() != columns_.front().size())
            return Error(std::to_string(each.size()) + " values where the first column has " +
                         std::to_string(columns_.front().size()))
                .in_column(each.column.name);
        schema.columns.push_back(each.column);
    }
    if (auto good = check_columns(schema); !good) return good.error();
    return std::move(schema.columns);
}

Result<EncodedTable> Table::encode(const std::vector<Column>& wanted) const {
    if (auto good = columns(); !good) return good.error();
    EncodedTable made;
    made.row_count_ = columns_.empty() ? 0 : columns_.front().size();
    made.owned_.reserve(wanted.size());
    for (const Column& column : wanted) {
        const auto found = std::ranges::find(columns_, column.name, [](const Held& each) { return each.column.name; });
        if (found == columns_.end()) return Error("the table has no column " + column.name);
        ColumnView& view = made.views_.emplace_back();
        std::vector<std::string>
            nothing;  // of a column without any value, which is as missing as words as it is as numbers
        if (const auto* numbers = std::get_if<std::vector<double>>(&found->values)) {
            const bool wants_words = column.kind == ColumnKind::category || column.kind == ColumnKind::text;
            if (!wants_words) {
                view.values = numbers->data();
                continue;
            }
            if (!std::ranges::all_of(*numbers, [](double value) { return std::isnan(value); }))
                return Error(std::string("the column holds numbers where the model has ") +
                             (column.kind == ColumnKind::text ? "text" : "categories"))
                    .in_column(column.name);
            nothing.resize(numbers->size());
        }
        const auto* held = std::get_if<std::vector<std::string>>(&found->values);
        const auto& words = held != nullptr ? *held : nothing;
        if (column.kind == ColumnKind::text) {
            auto documents = documents_in(words, column);
            if (!documents) return Error(documents.error()).in_column(column.name);
            view.tokens = (*documents)->view(column.levels.size());
            view.validity = (*documents)->validity();
            made.documents_.push_back(std::move(*documents));
            continue;
        }
        auto codes = column.kind == ColumnKind::category ? codes_in(words, column.levels) : read_number_words(words);
        if (!codes) return Error(codes.error()).in_column(column.name);
        view.values = made.owned_.emplace_back(std::move(*codes)).data();
    }
    return made;
}

}  // namespace suffice
