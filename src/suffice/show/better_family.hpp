// Would another family describe a column better?
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace suffice {

struct BetterFamily {
    std::string family, word;  // what it is, and what a user calls it by
    double gain = 0;           // of log evidence
};

// What `auto` would choose for numbers, by class, where its evidence is very strongly above that of `family`.
std::optional<BetterFamily> better_family(const std::string& family, const std::vector<std::vector<double>>& values);

}  // namespace suffice
