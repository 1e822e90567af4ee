// Writes named numbers, lists and matrices.
#include "suffice/report/calculation.hpp"

#include <cmath>
#include <span>

#include "suffice/family/parameter_form.hpp"
#include "suffice/report/json_text.hpp"
#include "suffice/report/number_text.hpp"
#include "suffice/report/text_table.hpp"

namespace suffice {
namespace {

using Form = Calculation::Entry::Form;
constexpr int digits = 6;

std::string list_text(std::span<const double> values, std::size_t most_shown) {
    std::string text;
    for (std::size_t k = 0; k < values.size() && k < most_shown; ++k)
        text += (k == 0 ? "" : ", ") + short_number(values[k], digits);
    return values.size() > most_shown ? text + ", ... (" + std::to_string(values.size()) + " in all)" : text;
}

}  // namespace

void Calculation::number(std::string name, double value) { entries.push_back({std::move(name), {value}}); }

void Calculation::list(std::string name, std::vector<double> values) {
    entries.push_back({std::move(name), std::move(values), Form::list});
}

void Calculation::matrix(std::string name, std::vector<double> values, std::size_t columns) {
    entries.push_back({std::move(name), std::move(values), Form::matrix, columns});
}

void Calculation::record(const Record& told) {
    for (const auto& [name, value] : told.entries) {
        if (const auto* one = std::get_if<double>(&value)) {
            number(name, *one);
            continue;
        }
        const auto& values = std::get<std::vector<double>>(value);
        const auto side = static_cast<std::size_t>(std::llround(std::sqrt(static_cast<double>(values.size()))));
        if (is_matrix(name) && side * side == values.size())
            matrix(name, values, side);
        else
            list(name, values);
    }
}

std::string entry_text(const Calculation::Entry& entry) {
    constexpr std::size_t most_shown = 16;
    if (entry.form != Form::matrix || entry.columns == 0 || entry.values.size() > most_shown)
        return list_text(entry.values, most_shown);
    std::string text;
    for (std::size_t at = 0; at < entry.values.size(); at += entry.columns)
        text +=
            (at == 0 ? "[[" : ", [") + list_text(std::span(entry.values).subspan(at, entry.columns), most_shown) + "]";
    return text + "]";
}

std::string record_line(const Record& told) {
    Calculation numbers;
    numbers.record(told);
    std::string text;
    for (const auto& entry : numbers.entries) text += (text.empty() ? "" : ", ") + entry.name + " " + entry_text(entry);
    return text;
}

std::string calculation_text(const Calculation& calculation) {
    TextTable table({TextTable::Side::left, TextTable::Side::left});
    for (const auto& entry : calculation.entries) table.row({entry.name, entry_text(entry)});
    return table.text("");
}

std::string calculation_json(const Calculation& calculation) {
    JsonText json;
    json.open_record();
    for (const auto& [name, values, form, columns] : calculation.entries) {
        std::string key = name;
        for (char& letter : key) letter = letter == ' ' ? '_' : letter;
        if (form == Form::number) {
            json.number(key, values[0]);
        } else if (form == Form::list) {
            json.numbers(key, values);
        } else {
            json.open_list(key, columns == 0 ? 0 : values.size() / columns);
            for (std::size_t at = 0; columns > 0 && at < values.size(); at += columns)
                json.numbers({}, std::span(values).subspan(at, columns));
            json.close();
        }
    }
    json.close();
    return json.take();
}

}  // namespace suffice
