// Reads record batches.
#include "arrow_rows.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>

#include "core/arrow_layout.hpp"

namespace suffice {
namespace {

Error laid_out_wrong(const std::string& column) {
    return Error("the Arrow array is not laid out as it says").in_column(column);
}

Result<void> check_array(const ArrowArray& array, std::size_t rows, std::int64_t buffers, const std::string& name) {
    if (array.length < 0 || static_cast<std::size_t>(array.length) != rows || array.offset < 0 ||
        array.n_buffers < buffers || array.buffers == nullptr ||
        array.offset > std::numeric_limits<std::int64_t>::max() / 16 - array.length)
        return laid_out_wrong(name);
    for (std::int64_t k = 1; k < buffers; ++k)
        if (array.buffers[k] == nullptr && rows > 0) return laid_out_wrong(name);
    return {};
}

Result<std::vector<double>> numbers_of(std::string_view format, const ArrowArray& array, std::size_t rows,
                                       const std::string& name) {
    if (auto good = check_array(array, rows, 2, name); !good) return good.error();
    std::vector<double> values(rows, std::numeric_limits<double>::quiet_NaN());
    if (python::is_converted(format)) {
        for (std::size_t row = 0; row < rows; ++row)
            if (python::is_there(array, row)) values[row] = python::converted(format, array, row);
        return values;
    }
    const auto element = python::element_of(format);
    if (!element) return laid_out_wrong(name);  // codes of a dictionary are whole numbers
    ColumnView view;
    view.values = array.buffers[1];
    view.element = *element;
    view.validity = static_cast<const std::uint8_t*>(array.buffers[0]);
    view.offset = static_cast<std::size_t>(array.offset);
    const std::array<ColumnView, 1> columns{view};
    const Block block = ColumnBlock{columns, rows, 0};
    for (std::size_t row = 0; row < rows; ++row) values[row] = value_at(block, row, 0);
    return values;
}

Result<std::vector<std::string>> words_of(const ArrowSchema& type, const ArrowArray& array, std::size_t rows,
                                          const std::string& name) {
    std::vector<std::string> words(rows);
    const std::string_view format = type.format;
    if (type.dictionary != nullptr) {
        const char* entries = type.dictionary->format;
        if (array.dictionary == nullptr || array.dictionary->length < 0 || entries == nullptr)
            return laid_out_wrong(name);
        const auto& names = *array.dictionary;
        if (auto good = check_array(names, static_cast<std::size_t>(names.length), 2, name); !good) return good.error();
        const auto codes = numbers_of(format, array, rows, name);
        if (!codes) return codes.error();
        for (std::size_t row = 0; row < rows; ++row) {
            const double code = (*codes)[row];
            if (std::isnan(code)) continue;
            if (!(code >= 0 && code < static_cast<double>(names.length))) return laid_out_wrong(name);
            words[row] = python::entry_name(entries, names, static_cast<std::size_t>(code));
        }
        return words;
    }
    if (auto good = check_array(array, rows, 2, name); !good) return good.error();
    for (std::size_t row = 0; row < rows; ++row)
        if (python::is_there(array, row)) words[row] = python::word(format, array, row);
    return words;
}

std::string label_of(double value) {
    if (std::isnan(value)) return "";
    const bool whole = value == std::floor(value) && std::abs(value) < 1e15;
    return whole ? std::to_string(static_cast<long long>(value)) : std::to_string(value);
}

}  // namespace

Result<ArrowRows> read_arrow(const ArrowSchema& schema, const ArrowArray& array, const std::string& target) {
    if (schema.format == nullptr || std::string_view(schema.format) != "+s")
        return Error(ErrorKind::usage, "an Arrow array of columns is needed, a struct");
    if (schema.n_children < 1 || schema.n_children != array.n_children || schema.children == nullptr ||
        array.children == nullptr || array.length < 0 || array.offset != 0)
        return Error(ErrorKind::usage, "the Arrow schema and its array do not fit each other");
    ArrowRows read;
    bool found = false;
    const auto rows = static_cast<std::size_t>(array.length);
    for (std::int64_t k = 0; k < schema.n_children; ++k) {
        const ArrowSchema* type = schema.children[k];
        const ArrowArray* values = array.children[k];
        if (type == nullptr || values == nullptr || type->format == nullptr)
            return Error(ErrorKind::usage, "the Arrow schema and its array do not fit each other");
        const std::string name = type->name == nullptr ? "" : type->name;
        const bool words = type->dictionary != nullptr || python::is_words(type->format);
        if (!words && !python::is_converted(type->format) && !python::element_of(type->format))
            return Error("a column of Arrow's type " + std::string(type->format) + " cannot be used").in_column(name);
        if (words) {
            auto cells = words_of(*type, *values, rows, name);
            if (!cells) return cells.error();
            if (name == target)
                read.labels = std::move(*cells);
            else
                read.table.words(name, std::move(*cells));
        } else {
            auto cells = numbers_of(type->format, *values, rows, name);
            if (!cells) return cells.error();
            if (name != target) {
                read.table.numbers(name, std::move(*cells));
            } else {
                for (const double cell : *cells) read.labels.push_back(label_of(cell));
            }
        }
        found = found || name == target;
    }
    if (!found) return Error(ErrorKind::usage, "there is no column " + target);
    return read;
}

}  // namespace suffice
