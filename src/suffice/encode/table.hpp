// Rows in memory by columns with names: numbers, or words that name categories. What a data frame is in Python.
#pragma once
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "suffice/base/never_held.hpp"
#include "suffice/base/result.hpp"
#include "suffice/data/block.hpp"
#include "suffice/data/schema.hpp"
#include "suffice/encode/document_codes.hpp"

namespace suffice {

// Columns as a model takes them; the block views memory in here (or in the table, which must live as long).
class EncodedTable {
public:
    EncodedTable() = default;
    EncodedTable(EncodedTable&&) = default;  // views stay good where memory moves, not where it is copied
    EncodedTable& operator=(EncodedTable&&) = default;
    Block rows() const { return ColumnBlock{views_, row_count_, 0}; }

private:
    friend class Table;
    std::vector<std::vector<double>> owned_;
    std::vector<std::unique_ptr<DocumentCodes>> documents_;
    std::vector<ColumnView> views_;
    std::size_t row_count_ = 0;
};

class Table {
public:
    // Rows as a model holds them, by the names of its columns; a code is the word of its level. Texts have none.
    static Result<Table> of(const Block& rows, const std::vector<Column>& columns);
    Table& numbers(std::string name, std::vector<double> values);     // NaN: missing
    Table& words(std::string name, std::vector<std::string> values);  // an empty word: missing
    // The levels exist whether a row has them or not, and in this order.
    Table& words(std::string name, std::vector<std::string> values, std::vector<std::string> levels);

    // What the columns hold, with the levels found; an Error where names or lengths do not fit each other.
    Result<std::vector<Column>> columns() const;
    // These columns, found by name: words as codes of their levels (unseen_level: none of them), as documents where
    // text is wanted or, where numbers are, read as files read them; numbers as they are. An Error names the column,
    // and the row of a bad word.
    Result<EncodedTable> encode(const std::vector<Column>& wanted) const;

private:
    struct Held {
        Column column;
        std::variant<std::vector<double>, std::vector<std::string>, NeverHeld> values;
        std::size_t size() const;
    };
    std::vector<Held> columns_;
};

}  // namespace suffice
