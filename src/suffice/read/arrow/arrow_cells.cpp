// Reads Arrow arrays value by value, by type.
#include "suffice/read/arrow/arrow_cells.hpp"

#include <charconv>
#include <limits>

#include <arrow/api.h>
#include <arrow/util/decimal.h>

#include "suffice/read/word_look.hpp"

namespace suffice {
namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

// Calls use(array, value of row) with the array as what it is; false where it holds no numbers.
template <class Use>
bool with_numbers(const arrow::Array& values, Use use) {
    const auto as = [&]<class Array>(const Array* typed) {
        use([typed](std::int64_t row) { return typed->Value(row); });
        return true;
    };
    switch (values.type_id()) {
        case arrow::Type::DOUBLE:
            return as(static_cast<const arrow::DoubleArray*>(&values));
        case arrow::Type::FLOAT:
            return as(static_cast<const arrow::FloatArray*>(&values));
        case arrow::Type::INT64:
            return as(static_cast<const arrow::Int64Array*>(&values));
        case arrow::Type::INT32:
            return as(static_cast<const arrow::Int32Array*>(&values));
        case arrow::Type::INT16:
            return as(static_cast<const arrow::Int16Array*>(&values));
        case arrow::Type::INT8:
            return as(static_cast<const arrow::Int8Array*>(&values));
        case arrow::Type::UINT64:
            return as(static_cast<const arrow::UInt64Array*>(&values));
        case arrow::Type::UINT32:
            return as(static_cast<const arrow::UInt32Array*>(&values));
        case arrow::Type::UINT16:
            return as(static_cast<const arrow::UInt16Array*>(&values));
        case arrow::Type::UINT8:
            return as(static_cast<const arrow::UInt8Array*>(&values));
        case arrow::Type::BOOL:
            return as(static_cast<const arrow::BooleanArray*>(&values));
        case arrow::Type::DECIMAL128: {
            const auto& decimals = static_cast<const arrow::Decimal128Array&>(values);
            const auto scale = static_cast<const arrow::DecimalType&>(*values.type()).scale();
            use([&, scale](std::int64_t row) { return arrow::Decimal128(decimals.GetValue(row)).ToDouble(scale); });
            return true;
        }
        default:
            return false;
    }
}

// False: the type holds no numbers.
bool numbers_of(const arrow::Array& values, std::vector<double>& into) {
    const auto rows = static_cast<std::size_t>(values.length());
    if (values.type_id() == arrow::Type::NA) {
        into.assign(rows, missing);
        return true;
    }
    if (values.type_id() == arrow::Type::DICTIONARY) {
        const auto& coded = static_cast<const arrow::DictionaryArray&>(values);
        std::vector<double> entries;
        if (!numbers_of(*coded.dictionary(), entries)) return false;
        into.clear();
        for (std::int64_t row = 0; row < values.length(); ++row)
            into.push_back(values.IsNull(row) ? missing : entries[static_cast<std::size_t>(coded.GetValueIndex(row))]);
        return true;
    }
    return with_numbers(values, [&](const auto& value) {
        into.resize(rows);
        const bool complete = values.null_count() == 0;
        for (std::size_t row = 0; row < rows; ++row) {
            const auto at = static_cast<std::int64_t>(row);
            into[row] = complete || values.IsValid(at) ? static_cast<double>(value(at)) : missing;
        }
    });
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

// Numbers, dates and times as words, each as Arrow writes it. False: the type holds neither.
bool spell(const arrow::Array& values, Cells& into) {
    const auto rows = values.length();
    const auto spell_all = [&](const auto& value) {
        Speller speller(into);
        for (std::int64_t row = 0; row < rows; ++row)
            values.IsNull(row) ? speller.add_missing() : speller.add(value(row));
        speller.finish();
    };
    if (values.type_id() != arrow::Type::DECIMAL128 && with_numbers(values, spell_all)) return true;
    if (!arrow::is_temporal(values.type_id()) && !arrow::is_decimal(values.type_id())) return false;
    into.spelled.clear();
    std::unordered_map<std::string, std::int32_t> known;
    for (std::int64_t row = 0; row < rows; ++row) {
        const auto scalar = values.GetScalar(row);
        into.codes.push_back(-1);
        if (!scalar.ok() || !(*scalar)->is_valid) continue;
        const std::string word = (*scalar)->ToString();
        const auto [code, fresh] = known.try_emplace(word, static_cast<std::int32_t>(known.size()));
        if (fresh) into.spelled.push_back(word);
        into.codes.back() = code->second;
    }
    into.dictionary.assign(into.spelled.begin(), into.spelled.end());
    return true;
}

template <class T>
std::string digits(T value) {
    char written[32];
    const auto end = std::to_chars(written, written + sizeof written, value).ptr;
    return {written, end};
}

template <class T>
std::string plain_digits(T value) {  // 100000, where the shortest way would be 1e+05
    constexpr T exact = T{1} / std::numeric_limits<T>::epsilon();
    if (std::fabs(value) < exact && std::trunc(value) == value) return digits(static_cast<std::int64_t>(value));
    return digits(value);
}

}  // namespace

std::string spelling(std::int64_t value) { return digits(value); }
std::string spelling(std::uint64_t value) { return digits(value); }
std::string spelling(float value) { return plain_digits(value); }
std::string spelling(double value) { return plain_digits(value); }

FoundColumn look_at_arrow(const std::string& name, const arrow::Array& values) {
    if (values.type_id() != arrow::Type::DICTIONARY) {
        std::vector<double> numbers;
        if (numbers_of(values, numbers)) return look_at_numbers(name, numbers);
    }
    FoundColumn column;
    column.name = name;
    column.all_missing = values.null_count() == values.length();
    column.seen = static_cast<std::uint64_t>(values.length() - values.null_count());
    column.kind = ColumnKind::category;
    Cells cells;
    if (!fill_cells(name, values, ColumnKind::category, cells)) return column;
    WordLook look;
    const std::size_t rows = cells.codes.empty() ? cells.words.size() : cells.codes.size();
    for (std::size_t row = 0; row < rows; ++row) {
        if (!cells.codes.empty() && cells.codes[row] < 0) continue;
        const std::string_view word =
            cells.codes.empty() ? cells.words[row] : cells.dictionary[static_cast<std::size_t>(cells.codes[row])];
        if (word.data() != nullptr) look.add(word);
    }
    look.tell(column);
    column.looks_like_date |= arrow::is_temporal(values.type_id());
    return column;
}

FoundColumn look_at_numbers(const std::string& name, const std::vector<double>& numbers) {
    FoundColumn column;
    column.name = name;
    bool flags = true;
    for (const double x : numbers) {
        column.seen += !std::isnan(x);
        flags = flags && (x == 0 || x == 1 || std::isnan(x));
    }
    column.all_missing = column.seen == 0;
    column.kind = flags && !column.all_missing ? ColumnKind::flag : ColumnKind::number;
    return column;
}

void start_cells(ColumnKind kind, Cells& into) {
    into.kind = kind;
    into.words.clear();
    into.codes.clear();
    into.dictionary.clear();
    if (kind != ColumnKind::number && kind != ColumnKind::flag) into.numbers.clear();
}

Result<void> fill_cells(const std::string& name, const arrow::Array& values, ColumnKind kind, Cells& into) {
    start_cells(kind, into);
    if (kind == ColumnKind::number || kind == ColumnKind::flag) {
        if (numbers_of(values, into.numbers)) return {};
        return Error("the column holds words where numbers were expected")
            .advise({"families", name + "=categorical"})
            .in_column(name);
    }
    if (words_of(values, into.words) || spell(values, into)) return {};
    if (values.type_id() == arrow::Type::NA) {
        into.words.assign(static_cast<std::size_t>(values.length()), {});
        return {};
    }
    if (values.type_id() == arrow::Type::DICTIONARY) {
        const auto& coded = static_cast<const arrow::DictionaryArray&>(values);
        Cells entries;
        if (auto filled = fill_cells(name, *coded.dictionary(), kind, entries); !filled) return filled;
        const bool spelled = !entries.codes.empty();
        into.spelled = std::move(entries.spelled);
        into.dictionary = std::move(entries.words);
        if (spelled) into.dictionary.assign(into.spelled.begin(), into.spelled.end());
        for (std::int64_t row = 0; row < values.length(); ++row) {
            const auto entry = values.IsNull(row) ? -1 : static_cast<std::int32_t>(coded.GetValueIndex(row));
            into.codes.push_back(entry < 0 || !spelled ? entry : entries.codes[static_cast<std::size_t>(entry)]);
        }
        return {};
    }
    return Error("values of the type " + values.type()->ToString() + " cannot be read")
        .advise({"exclude", name, "leave the column out with"})
        .in_column(name);
}

}  // namespace suffice
