// Lists of frequent words that say little about a document's subject.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "suffice/base/result.hpp"

namespace suffice {

// english (scikit-learn's list), german, french, spanish, italian, portuguese, dutch; in alphabetical order.
Result<std::vector<std::string>> stop_words(std::string_view language);

}  // namespace suffice
