// Sentences about values and weights that a family refuses.
#include "suffice/family/observe.hpp"

namespace suffice {
namespace {

std::string number_text(double number) {
    char text[32];
    std::snprintf(text, sizeof text, "%.10g", number);
    return text;
}

}  // namespace

std::string value_text(std::span<const double> value) {
    if (value.size() == 1) return number_text(value[0]);
    constexpr std::size_t shown = 8;
    std::string text = "(";
    for (std::size_t i = 0; i < value.size() && i < shown; ++i) text += (i == 0 ? "" : ", ") + number_text(value[i]);
    return text + (value.size() > shown ? ", ...)" : ")");
}

Result<void> check_sizes(std::string_view family, std::size_t number_count, std::size_t value_size,
                         std::size_t weight_count) {
    if (value_size == 0 || number_count % value_size != 0)
        return Error{std::string(family) + ": " + std::to_string(number_count) + " numbers do not make whole rows of " +
                     std::to_string(value_size)};
    if (weight_count != 0 && weight_count != number_count / value_size)
        return Error{std::string(family) + ": " + std::to_string(number_count / value_size) + " rows but " +
                     std::to_string(weight_count) + " weights"};
    return {};
}

Error outside_support(std::string_view family, std::string_view support, std::span<const double> value,
                      std::size_t row) {
    return Error{std::string(family) + ": the value " + value_text(value) +
                 " is not allowed; allowed: " + std::string(support)}
        .at_row(row + 1);
}

Error bad_weight(std::string_view family, double weight, std::size_t row) {
    return Error{std::string(family) + ": the weight " + number_text(weight) + " is not a finite number from 0"}.at_row(
        row + 1);
}

}  // namespace suffice
