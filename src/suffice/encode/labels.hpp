// Names of classes, one for each row, as codes.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace suffice {

struct EncodedLabels {
    std::vector<std::int32_t> codes;   // -1: no class is known
    std::vector<std::string> classes;  // in the order of sort_names
};
// An empty name means that the class is not known.
EncodedLabels encode_labels(const std::vector<std::string>& labels);
// Among classes that are known by now; -1 also for a name that is none of them.
std::vector<std::int32_t> codes_of_labels(const std::vector<std::string>& labels,
                                          const std::vector<std::string>& classes);

// Written as integers are, so that Python gives the labels back as integers.
bool all_whole_numbers(const std::vector<std::string>& names);

}  // namespace suffice
