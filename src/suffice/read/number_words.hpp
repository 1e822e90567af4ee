// Numbers that come as words, read as files read them.
#pragma once
#include <string>
#include <vector>

#include "suffice/base/result.hpp"

namespace suffice {

// NaN where a word means that there is no value. An Error has the place, from one, of the first word that is neither.
Result<std::vector<double>> read_number_words(const std::vector<std::string>& words);

}  // namespace suffice
