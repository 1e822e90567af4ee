// Compares rows with what their schema promises.
#include "suffice/data/check_rows.hpp"

#include <algorithm>
#include <limits>
#include <unordered_set>

namespace suffice {
namespace {

Error differ_in_number(std::size_t count, const char* what, std::size_t rows) {
    return Error(std::to_string(count) + " " + what + " for " + std::to_string(rows) + " rows");
}

// By reductions without a branch, which compilers turn into vectors; the row is looked for when there is one.
bool all_weights(std::span<const double> weights) {
    constexpr double largest = std::numeric_limits<double>::max();
    int bad = 0;
    for (const double weight : weights) bad |= static_cast<int>(!(weight >= 0)) | static_cast<int>(weight > largest);
    return bad == 0;
}

bool all_below(std::span<const std::int32_t> codes, std::int32_t count) {
    std::int32_t top = -1;
    for (const std::int32_t code : codes) top = std::max(top, code);
    return top < count;
}

}  // namespace

Result<void> check_columns(const Schema& schema) {
    if (schema.columns.empty()) return Error("there is no column to learn from");
    std::unordered_set<std::string_view> names;
    for (const Column& column : schema.columns)
        if (!names.insert(column.name).second) return Error("two columns have the name " + column.name);
    return {};
}

Result<void> check_rows(const Schema& schema, const Block& rows) {
    const std::size_t expected = schema.columns.size();
    const bool words = expected == 1 && schema.columns[0].kind == ColumnKind::text;
    if (words && std::holds_alternative<SparseBlock>(rows)) return {};  // a column of text is as wide as its words
    if (const std::size_t count = column_count(rows); count != expected)
        return Error("the rows have " + std::to_string(count) + (count == 1 ? " column" : " columns") +
                     " where the model has " + std::to_string(expected));
    const auto* columns = std::get_if<ColumnBlock>(&rows);
    for (std::size_t k = 0; columns != nullptr && columns->row_count > 0 && k < expected; ++k)
        if (columns->columns[k].values == nullptr && schema.columns[k].kind != ColumnKind::text)
            return Error("the column holds text where the model has numbers or categories")
                .in_column(schema.columns[k].name);
    return {};
}

Result<void> check_rows(const Schema& schema, const LabeledBlock& rows) {
    const std::size_t count = rows.size();
    if (!rows.label.empty() && rows.label.size() != count) return differ_in_number(rows.label.size(), "labels", count);
    if (!rows.weight.empty() && rows.weight.size() != count)
        return differ_in_number(rows.weight.size(), "weights", count);
    return schema.columns.empty() ? Result<void>{} : check_rows(schema, rows.rows);
}

Result<void> check_lesson(const Schema& schema, const LabeledBlock& rows) {
    const auto at = [&](Error error, std::size_t row) { return std::move(error).at_row(rows.first_row + row + 1); };
    const auto classes = static_cast<std::int32_t>(schema.classes.size());
    if (classes > 0 && !all_below(rows.label, classes))
        for (std::size_t row = 0; row < rows.label.size(); ++row)
            if (rows.label[row] >= classes)
                return at("the class code " + std::to_string(rows.label[row]) + " is not one of the " +
                              std::to_string(classes) + " classes",
                          row);
    if (!all_weights(rows.weight))
        for (std::size_t row = 0; row < rows.weight.size(); ++row)
            if (!all_weights(rows.weight.subspan(row, 1)))
                return at({"a weight must be zero or a positive number"}, row);
    return {};
}

}  // namespace suffice
