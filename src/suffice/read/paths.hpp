// What the user names (files, globs, directories, "-") to the list of files meant.
#pragma once
#include <string>
#include <vector>

#include "suffice/base/result.hpp"

namespace suffice {

// A name that exists is meant as it stands; else * ? [ make it a pattern. Matches and the data files of a directory
// (not those of its folders, nor hidden ones) come in byte order. At least one file, each there and readable, or an
// Error.
Result<std::vector<std::string>> expand_paths(const std::vector<std::string>& names);

// The last part of a path, as models keep it: in UTF-8, whatever the name was in.
std::string recorded_name(const std::string& path);

}  // namespace suffice
