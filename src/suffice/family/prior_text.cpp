// Splits a prior's text into name and numbers, and hands these to the prior's members.
#include "suffice/family/prior_text.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

namespace suffice {
namespace {

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

// What comes before the next comma outside brackets; `rest` keeps what comes after it.
std::string_view next_item(std::string_view& rest) {
    std::size_t at = 0;
    for (int depth = 0; at < rest.size() && (depth > 0 || rest[at] != ','); ++at)
        depth += rest[at] == '[' ? 1 : rest[at] == ']' ? -1 : 0;
    const std::string_view item = trimmed(rest.substr(0, at));
    rest = at < rest.size() ? rest.substr(at + 1) : std::string_view{};
    return item;
}

bool add_number(std::string_view item, std::vector<double>& into) {
    double value = 0;
    const auto [end, fault] = std::from_chars(item.data(), item.data() + item.size(), value);
    into.push_back(value);
    return fault == std::errc{} && end == item.data() + item.size();
}

bool is_bracketed(std::string_view item) { return item.size() >= 2 && item.front() == '[' && item.back() == ']'; }

// Numbers in brackets; rows of a matrix in brackets of their own, or one after the other.
bool add_list(std::string_view item, std::vector<double>& into) {
    std::string_view inside = item.substr(1, item.size() - 2);
    while (!trimmed(inside).empty()) {
        const std::string_view each = next_item(inside);
        if (is_bracketed(each) ? !add_list(each, into) : !add_number(each, into)) return false;
    }
    return true;
}

std::optional<PriorArgument> argument_of(std::string_view item) {
    PriorArgument argument;
    if (const auto equals = item.find('='); equals != std::string_view::npos) {
        argument.name = trimmed(item.substr(0, equals));
        item = trimmed(item.substr(equals + 1));
    }
    argument.is_list = is_bracketed(item);
    const bool read = argument.is_list ? add_list(item, argument.values) : add_number(item, argument.values);
    return read ? std::optional(argument) : std::nullopt;
}

}  // namespace

std::optional<PriorText> split_term(std::string_view text) {
    const auto open = text.find('('), close = text.rfind(')');
    if (open == std::string_view::npos || close == std::string_view::npos || close < open) return std::nullopt;
    PriorText split{std::string(trimmed(text.substr(0, open))), {}};
    std::string_view rest = text.substr(open + 1, close - open - 1);
    while (!trimmed(rest).empty()) {
        auto argument = argument_of(next_item(rest));
        if (!argument) return std::nullopt;
        split.arguments.push_back(std::move(*argument));
    }
    return split;
}

Result<PriorText> split_prior(std::string_view text) {
    if (auto split = split_term(text)) return std::move(*split);
    return Error(ErrorKind::usage, "a prior is written as name(number, ...), not as " + std::string(text));
}

const PriorArgument* PriorReader::take(std::string_view name) {
    for (std::size_t k = 0; k < arguments_.size(); ++k)
        if (!used_[k] && arguments_[k].name == name) {
            used_[k] = true;
            return &arguments_[k];
        }
    if (name.empty()) return nullptr;
    return take({});
}

void PriorReader::fill(std::string_view name, double& member) {
    const PriorArgument* given = take(name);
    if (given == nullptr) return;
    if (given->is_list)
        fits_ = false;
    else
        member = given->values[0];
}

void PriorReader::fill(std::string_view name, std::vector<double>& member) {
    const PriorArgument* given = take(name);
    if (given == nullptr) return;
    if (!given->is_list && arguments_.size() == member.size()) {
        for (std::size_t k = 0; k < member.size(); ++k)
            if (arguments_[k].name.empty() && !arguments_[k].is_list) {
                member[k] = arguments_[k].values[0];
                used_[k] = true;
            }
    } else if (!given->is_list) {
        member.assign(member.size(), given->values[0]);
    } else if (given->values.size() == member.size()) {
        member = given->values;
    } else {
        fits_ = false;
    }
}

bool PriorReader::names(std::string_view name) const {
    return std::ranges::any_of(arguments_, [&](const PriorArgument& each) { return each.name == name; });
}

bool PriorReader::fits() const {
    return fits_ && std::ranges::all_of(used_, [](bool each) { return each; });
}

}  // namespace suffice
