// Reads Arrow arrays value by value, by type.
#include "suffice/read/arrow/arrow_cells.hpp"

#include <charconv>
#include <cmath>
#include <limits>
#include <unordered_set>

#include <arrow/api.h>

namespace suffice {
namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

template <class Array>
void take_numbers(const arrow::Array& values, std::vector<double>& into) {
    const auto& typed = static_cast<const Array&>(values);
    for (std::int64_t row = 0; row < values.length(); ++row)
        into.push_back(values.IsNull(row) ? missing : static_cast<double>(typed.Value(row)));
}

// False: the type holds no numbers.
bool numbers_of(const arrow::Array& values, std::vector<double>& into) {
    into.clear();
    switch (values.type_id()) {
        case arrow::Type::DOUBLE:
            take_numbers<arrow::DoubleArray>(values, into);
            break;
        case arrow::Type::FLOAT:
            take_numbers<arrow::FloatArray>(values, into);
            break;
        case arrow::Type::INT64:
            take_numbers<arrow::Int64Array>(values, into);
            break;
        case arrow::Type::INT32:
            take_numbers<arrow::Int32Array>(values, into);
            break;
        case arrow::Type::INT16:
            take_numbers<arrow::Int16Array>(values, into);
            break;
        case arrow::Type::INT8:
            take_numbers<arrow::Int8Array>(values, into);
            break;
        case arrow::Type::UINT64:
            take_numbers<arrow::UInt64Array>(values, into);
            break;
        case arrow::Type::UINT32:
            take_numbers<arrow::UInt32Array>(values, into);
            break;
        case arrow::Type::UINT16:
            take_numbers<arrow::UInt16Array>(values, into);
            break;
        case arrow::Type::UINT8:
            take_numbers<arrow::UInt8Array>(values, into);
            break;
        case arrow::Type::BOOL:
            take_numbers<arrow::BooleanArray>(values, into);
            break;
        case arrow::Type::NA:
            into.assign(static_cast<std::size_t>(values.length()), missing);
            break;
        default:
            return false;
    }
    return true;
}

// Views into the array's own memory. False: the type holds no words.
bool words_of(const arrow::Array& values, std::vector<std::string_view>& into) {
    into.clear();
    const auto take = [&](const auto& typed) {
        for (std::int64_t row = 0; row < values.length(); ++row)
            into.push_back(values.IsNull(row) ? std::string_view{} : std::string_view(typed.GetView(row)));
        return true;
    };
    if (values.type_id() == arrow::Type::STRING) return take(static_cast<const arrow::StringArray&>(values));
    if (values.type_id() == arrow::Type::LARGE_STRING) return take(static_cast<const arrow::LargeStringArray&>(values));
    if (values.type_id() == arrow::Type::STRING_VIEW) return take(static_cast<const arrow::StringViewArray&>(values));
    return false;
}

bool is_dictionary(const arrow::Array& values) { return values.type_id() == arrow::Type::DICTIONARY; }

std::size_t word_count(std::string_view text) {
    std::size_t count = 0;
    bool inside = false;
    for (const char c : text) {
        const bool blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
        count += !blank && !inside;
        inside = !blank;
    }
    return count;
}

// A number as a file would spell it, for columns of numbers that the user takes as categories.
std::string spelled(double value) {
    char digits[32];
    const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
    return {digits, end};
}

}  // namespace

FoundColumn look_at_arrow(const std::string& name, const arrow::Array& values) {
    FoundColumn column;
    column.name = name;
    column.all_missing = values.null_count() == values.length();
    column.seen = static_cast<std::uint64_t>(values.length() - values.null_count());
    if (arrow::is_temporal(values.type_id())) {
        column.kind = ColumnKind::category;
        column.looks_like_date = true;
        column.example = values.type()->ToString();
        return column;
    }
    std::vector<double> numbers;
    if (numbers_of(values, numbers)) {
        bool flags = !column.all_missing;
        for (double x : numbers) flags = flags && (x == 0 || x == 1 || std::isnan(x));
        column.kind = flags ? ColumnKind::flag : ColumnKind::number;
        return column;
    }
    column.kind = ColumnKind::category;
    std::vector<std::string_view> words;
    if (!words_of(values, words)) return column;
    std::unordered_set<std::string_view> distinct;
    std::size_t total = 0;
    for (const auto word : words) {
        if (word.data() == nullptr) continue;
        distinct.insert(word);
        total += word_count(word);
        if (column.example.empty()) column.example = word;
    }
    column.distinct = distinct.size();
    column.mean_words = column.seen > 0 ? static_cast<double>(total) / static_cast<double>(column.seen) : 0;
    if (column.mean_words > 3) column.kind = ColumnKind::text;
    return column;
}

Result<void> fill_cells(const std::string& name, const arrow::Array& values, ColumnKind kind, Cells& into) {
    const Error refused = Error("values of the type " + values.type()->ToString() +
                                " cannot be read; leave the column out with --exclude")
                              .in_column(name);
    into.kind = kind;
    into.words.clear();
    into.codes.clear();
    into.dictionary.clear();
    into.numbers.clear();
    if (kind == ColumnKind::number || kind == ColumnKind::flag) {
        if (numbers_of(values, into.numbers)) return {};
        return Error("the column holds words where numbers were expected; use --family \"" + name + "=categorical\"")
            .in_column(name);
    }
    if (is_dictionary(values)) {
        const auto& coded = static_cast<const arrow::DictionaryArray&>(values);
        if (!words_of(*coded.dictionary(), into.dictionary)) return refused;
        for (std::int64_t row = 0; row < values.length(); ++row)
            into.codes.push_back(values.IsNull(row) ? -1 : static_cast<std::int32_t>(coded.GetValueIndex(row)));
        return {};
    }
    if (words_of(values, into.words)) return {};
    std::vector<double> numbers;
    if (!numbers_of(values, numbers)) return refused;
    // Numbers as categories: one spelling per value, kept by the dictionary's owner.
    into.spelled.clear();
    into.spelled.reserve(numbers.size());
    for (double x : numbers) {
        if (!std::isnan(x)) into.spelled.push_back(spelled(x));
        into.words.push_back(std::isnan(x) ? std::string_view{} : std::string_view(into.spelled.back()));
    }
    return {};
}

}  // namespace suffice
