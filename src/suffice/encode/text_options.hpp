// Text options from the words users write, and whether they make sense together.
#pragma once
#include <string_view>

#include "suffice/base/result.hpp"
#include "suffice/data/text_options.hpp"

namespace suffice {

// From the words users write: "utf-8", "latin-1"; "word", "char", "char_wb"; "ascii", "unicode".
Result<TextEncoding> text_encoding(std::string_view name);
Result<Analyzer> analyzer(std::string_view name);
Result<Accents> accents(std::string_view name);  // empty or "none": keep

Result<void> check(const TextOptions& options);

}  // namespace suffice
