// Splits a prior's text into name and numbers.
#include "suffice/family/prior_text.hpp"

#include <charconv>

namespace suffice {
namespace {

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

}  // namespace

Result<PriorText> split_prior(std::string_view text) {
    const Error refused(ErrorKind::usage, "a prior is written as name(number, ...), not as " + std::string(text));
    const auto open = text.find('('), close = text.rfind(')');
    if (open == std::string_view::npos || close == std::string_view::npos || close < open) return refused;
    PriorText split{std::string(trimmed(text.substr(0, open))), {}};
    std::string_view rest = text.substr(open + 1, close - open - 1);
    while (!trimmed(rest).empty()) {
        const auto comma = rest.find(',');
        std::string_view item = trimmed(rest.substr(0, comma));
        rest = comma == std::string_view::npos ? std::string_view{} : rest.substr(comma + 1);
        std::string name;
        if (const auto equals = item.find('='); equals != std::string_view::npos) {
            name = trimmed(item.substr(0, equals));
            item = trimmed(item.substr(equals + 1));
        }
        double value = 0;
        const auto [end, fault] = std::from_chars(item.data(), item.data() + item.size(), value);
        if (fault != std::errc{} || end != item.data() + item.size()) return refused;
        split.arguments.emplace_back(std::move(name), value);
    }
    return split;
}

}  // namespace suffice
