// What the laws need to speak about any family: its rows, its numbers, and a list of the laws that it breaks.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "suffice/family/all.hpp"

namespace suffice::laws {

class Findings {
public:
    explicit Findings(std::string_view family) : family_(family) {}

    void require(bool holds, const std::string& law) {
        const std::string sentence = family_ + ": " + law;
        if (!holds && std::ranges::find(broken_, sentence) == broken_.end()) broken_.push_back(sentence);
    }
    void require_near(double found, double wanted, double tolerance, const std::string& law) {
        char numbers[96];
        std::snprintf(numbers, sizeof numbers, " (%.12g against %.12g)", found, wanted);
        require(std::abs(found - wanted) <= tolerance, law + numbers);
    }
    bool mentions(const std::string& law) const {
        return std::ranges::any_of(broken_, [&](const auto& each) { return each.find(law) != std::string::npos; });
    }
    std::string text() const {
        std::string all;
        for (const auto& each : broken_) all += each + "\n";
        return all;
    }

private:
    std::string family_;
    std::vector<std::string> broken_;
};

template <class Tuple>
struct TypesOf;
template <class... F>
struct TypesOf<std::tuple<F...>> {
    using Types = ::testing::Types<F...>;
};
using FamilyTypes = TypesOf<AllFamilies>::Types;

struct FamilyNames {
    template <class F>
    static std::string GetName(int) {
        return std::string(F::name);
    }
};

// Every number in a value, in the order of its fields.
template <class T>
void add_numbers(const T& value, std::vector<double>& numbers) {
    if constexpr (std::is_arithmetic_v<T>)
        numbers.push_back(static_cast<double>(value));
    else if constexpr (std::same_as<T, std::vector<double>>)
        numbers.insert(numbers.end(), value.begin(), value.end());
    else
        for_each_field(value, [&](const auto&, const auto& member) { add_numbers(member, numbers); });
}
template <class T>
std::vector<double> numbers_of(const T& value) {
    std::vector<double> numbers;
    add_numbers(value, numbers);
    return numbers;
}

template <class T>
bool near_equal(const T& a, const T& b, double tolerance = 1e-9) {
    const auto x = numbers_of(a), y = numbers_of(b);
    if (x.size() != y.size()) return false;
    for (std::size_t i = 0; i < x.size(); ++i)
        if (!(std::abs(x[i] - y[i]) <= tolerance * (1 + std::abs(y[i])))) return false;
    return true;
}

template <class F>
using Row = decltype(std::declval<const F&>().sample(std::declval<typename F::Parameter>(), std::declval<Rng&>()));

template <class F>
std::vector<Row<F>> draw_rows(const F& family, const typename F::Parameter& parameter, int count, std::uint64_t seed) {
    Rng rng(seed, "laws");
    std::vector<Row<F>> rows;
    for (int i = 0; i < count; ++i) rows.push_back(family.sample(parameter, rng));
    return rows;
}

template <class F>
typename F::Statistic gather(const F& family, const std::vector<Row<F>>& rows, std::size_t from, std::size_t to) {
    auto statistic = family.empty();
    for (; from < to; ++from) family.observe(statistic, rows[from], 1.0);
    return statistic;
}
template <class F>
typename F::Statistic gather(const F& family, const std::vector<Row<F>>& rows) {
    return gather(family, rows, 0, rows.size());
}

// What mean() and variance() are about: the numbers of a row, or the indicators of a level.
template <class F>
std::vector<double> coordinates(const F& family, const Row<F>& row) {
    if constexpr (!std::same_as<Row<F>, double>) {
        return row;
    } else if constexpr (requires { family.level_count; }) {
        std::vector<double> indicators(family.level_count, 0.0);
        indicators[static_cast<std::size_t>(row)] = 1;
        return indicators;
    } else {
        return {row};
    }
}
inline std::vector<double> as_vector(double number) { return {number}; }
inline std::vector<double> as_vector(std::vector<double> numbers) { return numbers; }

}  // namespace suffice::laws
