// Numbers that come as words, read as files read them.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "suffice/base/result.hpp"
#include "suffice/read/table.hpp"

namespace suffice {

// NaN where a word means that there is no value. An Error has the place, from one, of the first word that is neither.
Result<std::vector<double>> read_number_words(const std::vector<std::string>& words);

// The same rows; columns of words that are wanted as numbers are the numbers that their words spell.
std::unique_ptr<TableReader> with_number_words(std::unique_ptr<TableReader> reader, const ReadOptions& options);

}  // namespace suffice
