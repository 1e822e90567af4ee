// Writes JSON.
#include "suffice/report/json_text.hpp"

#include <cmath>
#include <limits>
#include <utility>

#include "suffice/base/visible.hpp"
#include "suffice/report/number_text.hpp"

namespace suffice {
namespace {

void append_quoted(std::string& out, std::string_view value) {
    out += '"';
    out += json_letters(value);
    out += '"';
}

void append_value(std::string& out, double value) {
    if (std::isfinite(value))
        append_number(out, value);
    else
        out += "null";
}

}  // namespace

void JsonText::lead(std::string_view name) {
    if (!first_) out_ += ", ";
    first_ = false;
    if (ends_.empty() || ends_.back() == ']') return;
    append_quoted(out_, name);
    out_ += ": ";
}

void JsonText::number(std::string_view name, double value) {
    lead(name);
    append_value(out_, value);
}

void JsonText::whole(std::string_view name, std::uint64_t value) {
    lead(name);
    out_ += std::to_string(value);
}

void JsonText::text(std::string_view name, std::string_view value) {
    lead(name);
    append_quoted(out_, value);
}

void JsonText::flag(std::string_view name, bool value) {
    lead(name);
    out_ += value ? "true" : "false";
}

void JsonText::numbers(std::string_view name, std::span<const double> values) {
    open_list(name, values.size());
    for (double value : values) number({}, value);
    close();
}

void JsonText::open_list(std::string_view name, std::size_t) {
    lead(name);
    out_ += '[';
    ends_ += ']';
    first_ = true;
}

void JsonText::open_record(std::string_view name) {
    lead(name);
    out_ += '{';
    ends_ += '}';
    first_ = true;
}

void JsonText::close() {
    out_ += ends_.back();
    ends_.pop_back();
    first_ = false;
    if (ends_.empty()) out_ += '\n';
}

void JsonText::record(std::string_view name, const Record& record) {
    open_record(name);
    for (const auto& [key, value] : record.entries) {
        if (const double* single = std::get_if<double>(&value))
            number(key, *single);
        else
            numbers(key, std::get<std::vector<double>>(value));
    }
    close();
}

void JsonText::maybe(std::string_view name, const std::optional<double>& value) {
    number(name, value.value_or(std::numeric_limits<double>::quiet_NaN()));
}

void JsonText::maybes(std::string_view name, std::span<const std::optional<double>> values) {
    open_list(name, values.size());
    for (const auto& value : values) maybe({}, value);
    close();
}

std::string JsonText::take() { return std::exchange(out_, {}); }

}  // namespace suffice
