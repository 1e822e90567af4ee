// How the files of a model were read, kept with it, so that predicting needs no option again.
#pragma once
#include <string>
#include <vector>

#include "suffice/read/table.hpp"

namespace suffice {

// What differs from the usual, as name=value.
std::vector<std::string> reading_record(const ReadOptions& options);
// The options with what the record says of those that are as usual: what is given again wins.
ReadOptions remembered(ReadOptions given, const std::vector<std::string>& record);

}  // namespace suffice
