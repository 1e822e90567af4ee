// Requests and answers of the page, and what a module has to offer.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "suffice/base/result.hpp"

namespace suffice::page {

using Json = nlohmann::json;

// Rows as the page gave them, and what it takes back as numbers.
struct Session {
    std::vector<double> values;       // row by row
    std::vector<std::int32_t> codes;  // of classes; -1: not known
    std::size_t column_count = 2;
    std::vector<double> plane;  // what the last grid has at its corners, for drawing
};
using Call = Json (*)(Session&, const Json&);
struct NamedCall {
    std::string_view name;
    Call call;
};
std::span<const NamedCall> calls();  // of this module: there is one for models, and one for families

}  // namespace suffice::page
