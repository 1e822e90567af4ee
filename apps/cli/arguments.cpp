// Reads command lines.
#include "cli/arguments.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "cli/verb.hpp"

#include "suffice/encode/names.hpp"

namespace suffice::cli {
namespace {

const OptionSpec* find_option(std::span<const OptionSpec> options, std::string_view word) {
    const char letter = word.size() > 1 && word[1] != '-' ? word[1] : '\0';
    for (const OptionSpec& option : options)
        if (letter != 0 ? option.letter == letter : option.name == word) return &option;
    return nullptr;
}

Error unknown_option(const Verb& verb, const std::string& word) {
    std::vector<std::string> names;
    for (const OptionSpec& option : all_options(verb)) names.emplace_back(option.name);
    const auto near = nearest_name(word, names);
    const std::string what = std::string(verb.name);
    return {ErrorKind::usage,
            what + " has no option " + word +
                (near.empty() ? "; see suffice " + what + " --help" : "; did you mean " + near + "?")};
}

Error bad_value(const std::string& option, const std::string& wanted, const std::string& value) {
    return {ErrorKind::usage, option + " takes " + wanted + ", not \"" + value + "\""};
}

}  // namespace

Result<Arguments> Arguments::parse(const Verb& verb, std::span<const std::string> words) {
    Arguments parsed;
    const std::vector<OptionSpec> options = all_options(verb);
    bool options_end = false;
    for (std::size_t at = 0; at < words.size(); ++at) {
        const std::string& word = words[at];
        if (options_end || word.size() < 2 || word[0] != '-') {
            parsed.files_.push_back(word);
            continue;
        }
        if (word == "--") {
            options_end = true;
            continue;
        }
        const bool is_long = word[1] == '-';
        const auto equals = is_long ? word.find('=') : std::string::npos;
        const std::string name = word.substr(0, is_long ? equals : 2);
        const OptionSpec* option = find_option(options, name);
        if (option == nullptr) return unknown_option(verb, name);
        std::string& value = parsed.options_[std::string(option->name)];
        if (option->value.empty()) {
            if (equals != std::string::npos || (!is_long && word.size() > 2))
                return Error(ErrorKind::usage, name + " takes no value");
        } else if (equals != std::string::npos) {
            value = word.substr(equals + 1);
        } else if (!is_long && word.size() > 2) {
            value = word.substr(2);
        } else if (at + 1 < words.size()) {
            value = words[++at];
        } else {
            return Error(ErrorKind::usage, name + " needs a value: " + std::string(option->value));
        }
    }
    return parsed;
}

std::string Arguments::text(const std::string& option, std::string otherwise) const {
    const auto found = options_.find(option);
    if (found != options_.end()) otherwise = found->second;
    return otherwise;
}

std::optional<std::string> Arguments::given(const std::string& option) const {
    const auto found = options_.find(option);
    if (found == options_.end()) return std::nullopt;
    return found->second;
}

Result<double> Arguments::number(const std::string& option, double otherwise) const {
    const auto value = given(option);
    if (!value) return otherwise;
    double number = 0;
    const auto [end, problem] = std::from_chars(value->data(), value->data() + value->size(), number);
    if (problem != std::errc{} || end != value->data() + value->size() || !std::isfinite(number))
        return bad_value(option, "a number", *value);
    return number;
}

Result<std::uint64_t> Arguments::whole(const std::string& option, std::uint64_t otherwise) const {
    const auto value = given(option);
    if (!value) return otherwise;
    std::uint64_t number = 0;
    const auto [end, problem] = std::from_chars(value->data(), value->data() + value->size(), number);
    if (problem != std::errc{} || end != value->data() + value->size())
        return bad_value(option, "a whole number from 0", *value);
    return number;
}

Result<int> Arguments::choice(const std::string& option, std::span<const std::string_view> words) const {
    const auto value = given(option);
    if (!value) return -1;
    std::string all;
    for (std::size_t k = 0; k < words.size(); ++k) {
        if (words[k] == *value) return static_cast<int>(k);
        all += (k == 0 ? "" : k + 1 == words.size() ? " or " : ", ") + std::string(words[k]);
    }
    return bad_value(option, all, *value);
}

}  // namespace suffice::cli
