// How a column of a file came to its treatment.
#pragma once
#include <string>
#include <string_view>

#include "suffice/base/enum_names.hpp"

namespace suffice {

enum class ColumnReason : std::uint8_t {
    by_user,
    by_model,
    numbers,
    flags,
    words,
    longer_text,
    excluded,
    no_value,
    identifier
};
template <>
inline constexpr std::array<std::string_view, 9> enum_names<ColumnReason>{
    "by_user", "by_model", "numbers", "flags", "words", "longer_text", "excluded", "no_value", "identifier"};

struct ColumnChoice {
    std::string column;
    std::string family;  // empty: left out
    ColumnReason why = ColumnReason::numbers;
    std::string detail = {};  // of a family that was chosen by the data: why it won
};

// In words; `model`: its name.
inline std::string reason_text(ColumnReason why, std::string_view model) {
    switch (why) {
        case ColumnReason::by_user:
            return "as you said";
        case ColumnReason::by_model:
            return "as " + std::string(model) + " says";
        case ColumnReason::numbers:
            return "numbers";
        case ColumnReason::flags:
            return "only 0 and 1";
        case ColumnReason::words:
            return "words";
        case ColumnReason::longer_text:
            return "longer text";
        case ColumnReason::excluded:
            return "excluded";
        case ColumnReason::no_value:
            return "no value in it";
        case ColumnReason::identifier:
            break;
    }
    return "nearly every value is different, so it looks like an identifier";
}

inline std::string reason_text(const ColumnChoice& choice, std::string_view model) {
    return choice.detail.empty() ? reason_text(choice.why, model) : choice.detail;
}

}  // namespace suffice
