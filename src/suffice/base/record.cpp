// Lookup in records, and sentences about records that do not fit.
#include "suffice/base/record.hpp"

#include <cmath>
#include <cstdio>
#include <limits>

namespace suffice {
namespace {

std::string short_number(double number) {
    char text[32];
    std::snprintf(text, sizeof text, "%.6g", number);
    return text;
}

}  // namespace

const Record::Value* Record::find(std::string_view name) const {
    for (const auto& [key, value] : entries)
        if (key == name) return &value;
    return nullptr;
}

double Record::number(std::string_view name) const {
    const Value* value = find(name);
    const double* found = value == nullptr ? nullptr : std::get_if<double>(value);
    return found == nullptr ? std::numeric_limits<double>::quiet_NaN() : *found;
}

const std::vector<double>& Record::numbers(std::string_view name) const {
    static const std::vector<double> none;
    const Value* value = find(name);
    const auto* found = value == nullptr ? nullptr : std::get_if<std::vector<double>>(value);
    return found == nullptr ? none : *found;
}

std::string record_text(const Record& record) {
    std::string text;
    for (const auto& [name, value] : record.entries) {
        text += (text.empty() ? "" : ", ") + name + " = ";
        if (const double* number = std::get_if<double>(&value)) {
            text += short_number(*number);
            continue;
        }
        text += "[";
        const auto& numbers = std::get<std::vector<double>>(value);
        for (std::size_t i = 0; i < numbers.size(); ++i) text += (i == 0 ? "" : ", ") + short_number(numbers[i]);
        text += "]";
    }
    return text;
}

namespace record {

Error unknown_name(std::string_view owner, std::string_view name, const std::vector<std::string_view>& known) {
    std::string sentence = std::string(owner) + ": nothing here is called " + std::string(name);
    if (known.empty()) return Error{ErrorKind::usage, sentence + "; no names are taken"};
    sentence += "; known:";
    for (const auto each : known) sentence += " " + std::string(each);
    return Error{ErrorKind::usage, sentence};
}

Error missing_name(std::string_view owner, std::string_view name) {
    return Error{ErrorKind::usage, std::string(owner) + ": " + std::string(name) + " is missing"};
}

Result<double> read_number(std::string_view owner, std::string_view name, const Record::Value& value) {
    if (const double* number = std::get_if<double>(&value)) return *number;
    const auto& numbers = std::get<std::vector<double>>(value);
    if (numbers.size() == 1) return numbers[0];
    return Error{ErrorKind::usage, std::string(owner) + ": " + std::string(name) + " is one number, not a list of " +
                                       std::to_string(numbers.size())};
}

Result<double> read_whole(std::string_view owner, std::string_view name, const Record::Value& value, double largest) {
    const auto number = read_number(owner, name, value);
    if (!number) return number;
    if (!(*number >= 0 && *number <= largest && *number == std::floor(*number)))
        return Error{ErrorKind::usage, std::string(owner) + ": " + std::string(name) + " is " + short_number(*number) +
                                           ", but must be a whole number from 0"};
    return number;
}

}  // namespace record
}  // namespace suffice
