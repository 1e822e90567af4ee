// Columns to lines of CSV.
#include "server/table.hpp"

#include "server/predict.hpp"

#include "suffice/report/number_text.hpp"

namespace suffice::server {
namespace {

void append_value(std::string& text, const ArrowColumn& column, std::size_t row) {
    if (const auto* numbers = std::get_if<ArrowNumbers>(&column.values)) {
        append_number(text, numbers->values[row * numbers->stride]);
    } else {
        const auto& words = std::get<ArrowWords>(column.values);
        if (words.codes[row] >= 0) append_cell(text, words.words[static_cast<std::size_t>(words.codes[row])]);
    }
}

}  // namespace

std::string table_text(std::string_view type, std::span<const ArrowColumn> columns, std::size_t rows) {
    if (type == arrow_type) return arrow_stream(columns, rows);
    std::string text;
    for (const ArrowColumn& column : columns) {
        if (!text.empty()) text += ',';
        append_cell(text, column.name);
    }
    text += '\n';
    for (std::size_t row = 0; row < rows; ++row) {
        const std::size_t start = text.size();
        for (std::size_t k = 0; k < columns.size(); ++k) {
            if (k > 0) text += ',';
            append_value(text, columns[k], row);
        }
        if (text.size() == start) text += "\"\"";  // a line with nothing on it is no row
        text += '\n';
    }
    return text;
}

}  // namespace suffice::server
