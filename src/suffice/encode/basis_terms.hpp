// What the user asks of single columns before a regression: "age=spline(5)", "income=poly(3)", "age*income", "age^2";
// and the Features that this means, once the values of the columns have been seen.
#pragma once
#include <functional>
#include <string_view>

#include "suffice/encode/features.hpp"

namespace suffice {

struct BasisTerm {
    std::string column;  // "*": every column of numbers that no other term names
    Basis basis = Basis::number;
    std::uint32_t count = 1;  // how many functions; of a power its degree
    std::string other;        // of a product: the second column
    bool operator==(const BasisTerm&) const = default;

    // FUNCTION is poly, spline, bspline, radial, sigmoid or fourier, with a number of functions in parentheses.
    static Result<BasisTerm> parse(std::string_view text);
};

// Some values of a column, in any order; all of them unless there are very many.
using ColumnValues = std::function<std::vector<double>(std::uint32_t column)>;

// Features::of(schema) with the terms in place of the columns they name. Knots of splines lie at quantiles of the
// values, as those of ns and bs in R do; centres at even distances between the least and the greatest value.
Result<Features> fit_features(const Schema& schema, const std::vector<BasisTerm>& terms, const ColumnValues& values);

}  // namespace suffice
