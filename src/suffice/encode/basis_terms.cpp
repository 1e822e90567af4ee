// Reads terms, and places their knots and centres.
#include "suffice/encode/basis_terms.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

namespace suffice {
namespace {

struct BasisName {
    std::string_view name;
    Basis basis;
    std::uint32_t least, most;  // counts
};
constexpr BasisName basis_names[] = {{"poly", Basis::polynomial, 1, ColumnBasis::most_degree},
                                     {"polynomial", Basis::polynomial, 1, ColumnBasis::most_degree},

                                     {"spline", Basis::spline, 1, 1000},
                                     {"bspline", Basis::b_spline, 3, 1000},
                                     {"radial", Basis::radial, 2, 1000},
                                     {"sigmoid", Basis::sigmoid, 2, 1000},
                                     {"fourier", Basis::fourier, 1, 1000}};

std::string_view trim(std::string_view text) {
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    if (text.size() >= 2 && text.front() == '"' && text.back() == '"') text = text.substr(1, text.size() - 2);
    return text;
}

Error unreadable(std::string_view text) {
    return Error(ErrorKind::usage, "the basis \"" + std::string(text) +
                                       "\" is neither COLUMN=FUNCTION(COUNT), with a function out of poly, spline, "
                                       "bspline, radial, sigmoid and fourier, nor COLUMN*COLUMN, nor COLUMN^DEGREE");
}

// The value below which a share of the sorted values lies, between neighbours as R's default quantile.
double quantile(const std::vector<double>& sorted, double share) {
    const double at = share * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(at);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + (at - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

Result<ColumnBasis> fitted(const BasisTerm& term, std::uint32_t column, const Schema& schema, std::vector<double> x) {
    std::erase_if(x, [](double value) { return !std::isfinite(value); });
    std::ranges::sort(x);
    const std::string& name = schema.columns[column].name;
    if (x.empty() || !(x.back() > x.front()))
        return Error("a column with one value only has no basis functions").in_column(name);
    ColumnBasis made;
    made.column = column;
    made.basis = term.basis;
    made.count = term.count;
    made.shift = x.front();
    made.scale = x.back() - x.front();
    const auto knots = [&](std::uint32_t inner) {
        made.points.push_back(x.front());
        for (std::uint32_t k = 1; k <= inner; ++k)
            made.points.push_back(quantile(x, static_cast<double>(k) / (inner + 1)));
        made.points.push_back(x.back());
    };
    switch (term.basis) {
        case Basis::polynomial: {
            double sum = 0, squares = 0;
            for (double value : x) sum += value;
            made.shift = sum / static_cast<double>(x.size());
            for (double value : x) squares += (value - made.shift) * (value - made.shift);
            made.scale = std::sqrt(squares / static_cast<double>(x.size()));
            break;
        }
        case Basis::spline:
            knots(term.count - 1);
            break;
        case Basis::b_spline:
            knots(term.count - 3);
            break;
        case Basis::radial:
        case Basis::sigmoid:
            for (std::uint32_t k = 0; k < term.count; ++k)
                made.points.push_back(x.front() + made.scale * k / (term.count - 1));
            made.scale /= term.count - 1;
            break;
        case Basis::fourier:
            made.count = 2 * term.count;
            break;
        case Basis::number:
        case Basis::levels:
        case Basis::product:
        case Basis::power:
        case Basis::missing:
            break;
    }
    for (std::size_t k = 1; k < made.points.size(); ++k)
        if (!(made.points[k] > made.points[k - 1]))
            return Error("too few distinct values for so many knots; ask for fewer").in_column(name);
    return made;
}

Result<std::uint32_t> number_column(const Schema& schema, const std::string& name) {
    const auto column = schema.column_named(name);
    if (!column) return Error(ErrorKind::usage, "there is no column " + name + " for the basis");
    if (schema.columns[*column].kind == ColumnKind::category || schema.columns[*column].kind == ColumnKind::text)
        return Error(ErrorKind::usage, "basis functions need a column of numbers").in_column(name);
    return *column;
}

// COLUMN^DEGREE, beside the column itself.
Result<BasisTerm> power_of(std::string_view text, std::string_view whole) {
    const std::size_t hat = whole.rfind('^');
    if (hat == std::string_view::npos) return unreadable(text);
    BasisTerm term;
    term.column = trim(whole.substr(0, hat));
    term.basis = Basis::power;
    const std::string_view degree = trim(whole.substr(hat + 1));
    const auto read = std::from_chars(degree.data(), degree.data() + degree.size(), term.count);
    if (term.column.empty() || read.ec != std::errc{} || read.ptr != degree.data() + degree.size())
        return unreadable(text);
    if (term.count < 2 || term.count > ColumnBasis::most_degree)
        return Error(ErrorKind::usage, "a power has a degree between 2 and " + std::to_string(ColumnBasis::most_degree))
            .in_column(term.column);
    return term;
}

}  // namespace

Result<BasisTerm> BasisTerm::parse(std::string_view text) {
    const std::string_view whole = trim(text);
    BasisTerm term;
    const std::size_t equals = whole.rfind('=');
    if (equals == std::string_view::npos) {
        const std::size_t times = whole.find('*');
        if (times == std::string_view::npos) return power_of(text, whole);
        term.column = trim(whole.substr(0, times));
        term.other = trim(whole.substr(times + 1));
        term.basis = Basis::product;
        if (term.column.empty() || term.other.empty()) return unreadable(text);
        return term;
    }
    term.column = trim(whole.substr(0, equals));
    const std::string_view call = trim(whole.substr(equals + 1));
    const std::size_t open = call.find('(');
    if (term.column.empty() || open == std::string_view::npos || !call.ends_with(')')) return unreadable(text);
    const auto known = std::ranges::find(basis_names, trim(call.substr(0, open)), &BasisName::name);
    const std::string_view number = trim(call.substr(open + 1, call.size() - open - 2));
    const auto read = std::from_chars(number.data(), number.data() + number.size(), term.count);
    if (known == std::end(basis_names) || read.ec != std::errc{} || read.ptr != number.data() + number.size())
        return unreadable(text);
    if (term.count < known->least || term.count > known->most)
        return Error(ErrorKind::usage, std::string(known->name) + " takes between " + std::to_string(known->least) +
                                           " and " + std::to_string(known->most) + " functions")
            .in_column(term.column);
    term.basis = known->basis;
    return term;
}

Result<Features> fit_features(const Schema& schema, const std::vector<BasisTerm>& terms, const ColumnValues& values) {
    auto features = Features::of(schema);
    if (!features) return features;
    std::vector<bool> named(schema.columns.size());
    const BasisTerm* rest = nullptr;
    for (const BasisTerm& term : terms) {
        if (term.column == "*" && term.basis != Basis::product && term.basis != Basis::power) {
            rest = &term;
            continue;
        }
        const auto column = number_column(schema, term.column);
        if (!column) return column.error();
        if (term.basis == Basis::product) {
            const auto other = number_column(schema, term.other);
            if (!other) return other.error();
            ColumnBasis both;
            both.column = *column;
            both.other = *other;
            both.basis = Basis::product;
            features->columns.push_back(std::move(both));
            continue;
        }
        if (term.basis == Basis::power) {
            ColumnBasis power;
            power.column = *column;
            power.basis = Basis::power;
            power.degree = term.count;
            features->columns.push_back(std::move(power));
            continue;
        }
        if (named[*column]) return Error(ErrorKind::usage, "the column has two bases").in_column(term.column);
        named[*column] = true;
        auto made = fitted(term, *column, schema, values(*column));
        if (!made) return made.error();
        features->columns[*column] = std::move(*made);
    }
    for (std::uint32_t column = 0; rest != nullptr && column < schema.columns.size(); ++column) {
        const ColumnKind kind = schema.columns[column].kind;
        if (named[column] || kind == ColumnKind::category || kind == ColumnKind::flag) continue;
        auto made = fitted(*rest, column, schema, values(column));
        if (!made) return made.error();
        features->columns[column] = std::move(*made);
    }
    return features;
}

}  // namespace suffice
