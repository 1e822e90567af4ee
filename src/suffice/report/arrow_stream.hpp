// Tables as Arrow IPC streams, written without Arrow's library: answers of services, whose readers have it.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace suffice {

struct ArrowNumbers {
    const double* values;
    std::size_t stride = 1;  // from row to row
};
// Words by their codes; -1 is null. `whole` ones are whole numbers and are written as such.
struct ArrowWords {
    std::span<const std::int32_t> codes;
    std::span<const std::string> words;
    bool whole = false;
};
struct ArrowColumn {
    std::string name;
    std::variant<ArrowNumbers, ArrowWords> values;
};

std::string arrow_stream(std::span<const ArrowColumn> columns, std::size_t rows);

}  // namespace suffice
