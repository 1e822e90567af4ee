// Settings as options.
#include "cli/spelling.hpp"

#include <algorithm>

namespace suffice::cli {
namespace {

// Would a shell take the word as it stands?
bool is_plain(const std::string& word) {
    return std::ranges::all_of(word, [](unsigned char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c >= 0x80 ||
               std::string_view("_-+.,:=/").find(static_cast<char>(c)) != std::string_view::npos;
    });
}

}  // namespace

std::string spell_option(const GivenSetting& given) {
    if (given.setting == "verb") return "suffice " + given.value;
    std::string name = given.setting == "families" ? "family" : given.setting;  // one for each time it is given
    std::ranges::replace(name, '_', '-');
    if (given.value == "false") return "--no-" + name;
    if (given.value.empty() || given.value == "true") return "--" + name;
    return "--" + name + " " + (is_plain(given.value) ? given.value : "\"" + given.value + "\"");
}

}  // namespace suffice::cli
