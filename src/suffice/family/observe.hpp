// The checked way into a Statistic: every value and weight is looked at, and the first bad one is named with its
// position.
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <span>
#include <string>

#include "suffice/family/concepts.hpp"

namespace suffice {

// Numbers that make one value of the family.
template <Family F>
std::size_t value_size(const F& family) {
    if constexpr (std::same_as<typename F::Value, double>)
        return 1;
    else
        return family.value_size();
}

// Value number `row` of a row-major array.
template <Family F>
typename F::Value value_at(const F& family, std::span<const double> values, std::size_t row) {
    if constexpr (std::same_as<typename F::Value, double>)
        return values[row];
    else
        return values.subspan(row * value_size(family), value_size(family));
}

// "2.5", or "(2.5, 1, ...)".
std::string value_text(std::span<const double> value);

Result<void> check_sizes(std::string_view family, std::size_t number_count, std::size_t value_size,
                         std::size_t weight_count);
Error outside_support(std::string_view family, std::string_view support, std::span<const double> value,
                      std::size_t row);
Error bad_weight(std::string_view family, double weight, std::size_t row);

template <Family F>
Result<void> check_values(const F& family, std::span<const double> values) {
    const std::size_t size = value_size(family);
    if (const auto fit = check_sizes(F::name, values.size(), size, 0); !fit) return fit;
    for (std::size_t row = 0; row * size < values.size(); ++row)
        if (!family.supports(value_at(family, values, row)))
            return outside_support(F::name, F::support, values.subspan(row * size, size), row);
    return {};
}

// `values` row by row; no weights: one each. The Error's row counts from one.
template <Family F>
Result<typename F::Statistic> observe_all(const F& family, std::span<const double> values,
                                          std::span<const double> weights = {}) {
    const std::size_t size = value_size(family);
    if (const auto fit = check_sizes(F::name, values.size(), size, weights.size()); !fit) return fit.error();
    typename F::Statistic statistic = family.empty();
    for (std::size_t row = 0; row * size < values.size(); ++row) {
        const auto value = value_at(family, values, row);
        if (!family.supports(value)) return outside_support(F::name, F::support, values.subspan(row * size, size), row);
        const double weight = weights.empty() ? 1 : weights[row];
        if (!(weight >= 0) || std::isinf(weight)) return bad_weight(F::name, weight, row);
        if (weight > 0) family.observe(statistic, value, weight);
    }
    return statistic;
}

}  // namespace suffice
