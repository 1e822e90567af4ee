// A record batch of the Arrow C data interface as a Table and its labels.
#pragma once
#include <string>
#include <vector>

#include "suffice/encode/table.hpp"

struct ArrowSchema;
struct ArrowArray;

namespace suffice {

struct ArrowRows {
    Table table;
    std::vector<std::string> labels;
};

// Nothing is released; words and numbers are copied.
Result<ArrowRows> read_arrow(const ArrowSchema& schema, const ArrowArray& array, const std::string& target);

}  // namespace suffice
