// Settings as keyword arguments.
#include "core/spelling.hpp"

#include <cstdlib>

namespace suffice::python {
namespace {

std::string literal(const std::string& value) {
    char* end = nullptr;
    std::strtod(value.c_str(), &end);
    if (*end == '\0') return value;
    if (value == "true") return "True";
    return value == "false" ? "False" : "\"" + value + "\"";
}

// "a=poisson,b=gamma" is {"a": "poisson", "b": "gamma"}
std::string keyed_literal(const std::string& pairs) {
    std::string text;
    for (std::size_t start = 0; start < pairs.size();) {
        const std::size_t end = std::min(pairs.find(',', start), pairs.size());
        const std::string pair = pairs.substr(start, end - start);
        const std::size_t equals = pair.rfind('=');
        text += (text.empty() ? "\"" : ", \"") + pair.substr(0, equals) + "\": " + literal(pair.substr(equals + 1));
        start = end + 1;
    }
    return "{" + text + "}";
}

}  // namespace

std::string spell_keyword(const GivenSetting& given) {
    if (given.setting == "verb") return "suffice." + given.value;
    if (given.value.empty()) return given.setting;
    const bool by_name = given.setting == "families" || given.setting == "class_weight";
    const bool pairs = by_name && given.value.find('=') != std::string::npos;
    return given.setting + "=" + (pairs ? keyed_literal(given.value) : literal(given.value));
}

}  // namespace suffice::python
