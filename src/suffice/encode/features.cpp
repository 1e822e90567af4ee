// Writes the basis functions of columns, row by row.
#include "suffice/encode/features.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "suffice/data/check_rows.hpp"
#include "suffice/data/rows_of.hpp"
#include "suffice/math/sigmoid.hpp"

namespace suffice {
namespace {

double cube_above(double x) { return x > 0 ? x * x * x : 0.0; }

// Hastie, Tibshirani and Friedman, The Elements of Statistical Learning, (5.4) and (5.5): N_1 = t, N_{j+2} = d_j -
// d_{K-1} with d_j = ((t - k_j)^3_+ - (t - k_K)^3_+) / (k_K - k_j); t and knots in units of `scale`.
void write_spline(const ColumnBasis& basis, double x, double* out) {
    const std::vector<double>& knots = basis.points;
    const double t = (x - basis.shift) / basis.scale;
    const auto knot = [&](std::size_t j) { return (knots[j] - basis.shift) / basis.scale; };
    const std::size_t last = knots.size() - 1;
    const auto slope = [&](std::size_t j) {
        return (cube_above(t - knot(j)) - cube_above(t - knot(last))) / (knot(last) - knot(j));
    };
    out[0] = t;
    for (std::size_t j = 0; j + 1 < last; ++j) out[j + 1] = slope(j) - slope(last - 1);
}

// Cox and de Boor's recursion on knots whose ends are repeated; the first of the functions is left out, as an intercept
// makes it a sum of the others.
void write_b_spline(const ColumnBasis& basis, double x, double* out) {
    constexpr std::size_t degree = 3;
    const std::vector<double>& points = basis.points;
    const std::size_t inner = points.size() - 2, functions = inner + degree + 1;
    const auto knot = [&](std::size_t j) {
        return j <= degree ? points.front() : j >= degree + 1 + inner ? points.back() : points[j - degree];
    };
    const double at = std::clamp(x, points.front(), points.back());
    std::size_t span = degree;
    while (span + 1 < functions && at >= knot(span + 1)) ++span;
    double value[degree + 1] = {1};
    for (std::size_t q = 1; q <= degree; ++q) {
        double carried = 0;
        for (std::size_t r = 0; r < q; ++r) {
            const double right = knot(span + r + 1), left = knot(span + 1 + r - q);
            const double share = value[r] / (right - left);
            value[r] = carried + (right - at) * share;
            carried = (at - left) * share;
        }
        value[q] = carried;
    }
    std::fill_n(out, basis.count, 0.0);
    for (std::size_t q = 0; q <= degree; ++q)
        if (span + q > degree) out[span + q - degree - 1] = value[q];
}

std::string number_name(double value) {
    std::string text = std::to_string(value);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.ends_with('.')) text.pop_back();
    return text;
}

std::string feature_name(const ColumnBasis& basis, const Schema& schema, std::size_t k) {
    const Column& column = schema.columns[basis.column];
    switch (basis.basis) {
        case Basis::number:
            return column.name;
        case Basis::levels:
            return column.name + "=" + (k + 1 < column.levels.size() ? column.levels[k + 1] : std::to_string(k + 1));
        case Basis::polynomial:
            return column.name + "^" + std::to_string(k + 1);
        case Basis::spline:
            return "spline(" + column.name + ")" + std::to_string(k + 1);
        case Basis::radial:
            return "radial(" + column.name + "-" + number_name(basis.points[k]) + ")";
        case Basis::sigmoid:
            return "sigmoid(" + column.name + "-" + number_name(basis.points[k]) + ")";
        case Basis::fourier:
            return (k % 2 == 0 ? "sin" : "cos") + std::to_string(k / 2 + 1) + "(" + column.name + ")";
        case Basis::b_spline:
            return "bspline(" + column.name + ")" + std::to_string(k + 1);
        case Basis::product:
            return column.name + "*" + schema.columns[basis.other].name;
        case Basis::power:
            return column.name + "^" + std::to_string(basis.degree);
        case Basis::missing:
            return "missing(" + column.name + ")";
    }
    return column.name;
}

}  // namespace

void ColumnBasis::write(double x, double y, double* out) const {
    if (basis == Basis::missing) {
        out[0] = std::isnan(x) ? 1 : 0;
        return;
    }
    if (fills && std::isnan(x)) x = fill;
    if (fills && std::isnan(y)) y = basis == Basis::product ? fill_other : fill;
    if (std::isnan(x) || std::isnan(y)) {
        std::fill_n(out, count, std::numeric_limits<double>::quiet_NaN());
        return;
    }
    const double t = (x - shift) / scale;
    switch (basis) {
        case Basis::number:
            out[0] = x;
            return;
        case Basis::levels:
            std::fill_n(out, count, is_level_code(x, count + 1.0) ? 0.0 : std::numeric_limits<double>::quiet_NaN());
            if (x >= 1 && x <= count) out[static_cast<std::size_t>(x) - 1] = 1;
            return;
        case Basis::polynomial:
            for (std::uint32_t k = 0; k < count; ++k) out[k] = (k == 0 ? 1.0 : out[k - 1]) * t;
            return;
        case Basis::spline:
            return write_spline(*this, x, out);
        case Basis::radial:
            for (std::uint32_t k = 0; k < count; ++k) {
                const double way = (x - points[k]) / scale;
                out[k] = std::exp(-0.5 * way * way);
            }
            return;
        case Basis::sigmoid:
            for (std::uint32_t k = 0; k < count; ++k) out[k] = sigmoid((x - points[k]) / scale);
            return;
        case Basis::fourier:
            for (std::uint32_t k = 0; k < count; ++k) {
                const std::uint32_t wave = k / 2 + 1;
                const double angle = 2 * std::numbers::pi * wave * t;
                out[k] = k % 2 == 0 ? std::sin(angle) : std::cos(angle);
            }
            return;
        case Basis::b_spline:
            return write_b_spline(*this, x, out);
        case Basis::product:
            out[0] = x * y;
            return;
        case Basis::power:
            out[0] = x;
            for (std::uint32_t k = 1; k < degree; ++k) out[0] *= x;
            return;
        case Basis::missing:
            return;
    }
}

bool ColumnBasis::valid(std::size_t column_count) const {
    if (column >= column_count || other >= column_count || !(scale > 0) || basis > Basis::missing) return false;
    if (!std::ranges::is_sorted(points)) return false;
    switch (basis) {
        case Basis::number:
        case Basis::product:
        case Basis::missing:
            return count == 1;
        case Basis::power:
            return count == 1 && degree >= 2 && degree <= most_degree;
        case Basis::spline:
            return points.size() == count + std::size_t{1} && count > 0;
        case Basis::b_spline:
            return count >= 3 && points.size() + 1 == count;
        case Basis::radial:
        case Basis::sigmoid:
            return points.size() == count;
        case Basis::levels:
        case Basis::polynomial:
        case Basis::fourier:
            break;
    }
    return true;
}

Result<Features> Features::of(const Schema& schema) {
    Features features;
    for (std::uint32_t k = 0; k < schema.columns.size(); ++k) {
        const Column& column = schema.columns[k];
        if (column.kind == ColumnKind::text)
            return Error(ErrorKind::usage, "a text column has no numbers to regress on; leave it out")
                .in_column(column.name);
        ColumnBasis basis;
        basis.column = k;
        if (column.kind == ColumnKind::category) {
            basis.basis = Basis::levels;
            basis.count = static_cast<std::uint32_t>(std::max<std::size_t>(column.levels.size(), 1) - 1);
        }
        features.columns.push_back(std::move(basis));
    }
    return features;
}

std::size_t Features::count() const {
    std::size_t sum = 0;
    for (const ColumnBasis& each : columns) sum += each.count;
    return sum;
}

bool Features::plain() const {
    return std::ranges::all_of(columns,
                               [](const ColumnBasis& each) { return each.basis == Basis::number && !each.fills; });
}

std::vector<std::string> Features::names(const Schema& schema) const {
    std::vector<std::string> all;
    for (const ColumnBasis& each : columns)
        for (std::size_t k = 0; k < each.count; ++k) all.push_back(feature_name(each, schema, k));
    return all;
}

std::vector<std::uint32_t> Features::sources() const {
    std::vector<std::uint32_t> all;
    for (const ColumnBasis& each : columns) all.insert(all.end(), each.count, each.column);
    return all;
}

kernel::Rows Features::rows_of(const Block& block, std::vector<double>& scratch) const {
    std::vector<std::uint32_t> which;
    for (const ColumnBasis& each : columns) which.push_back(each.column);
    if (plain()) return suffice::rows_of(block, which, scratch);
    std::vector<std::size_t> second(columns.size());  // where the other column of a product is among the gathered
    for (std::size_t k = 0; k < columns.size(); ++k) {
        second[k] = columns[k].basis == Basis::product ? which.size() : k;
        if (columns[k].basis == Basis::product) which.push_back(columns[k].other);
    }
    std::vector<double> gathered;
    const kernel::Rows raw = suffice::rows_of(block, which, gathered);
    const std::size_t width = count();
    scratch.resize(raw.row_count * width);
    double* out = scratch.data();
    for (std::size_t row = 0; row < raw.row_count; ++row)
        for (std::size_t k = 0; k < columns.size(); out += columns[k++].count)
            columns[k].write(raw.row(row)[k], raw.row(row)[second[k]], out);
    return {scratch.data(), raw.row_count, width, static_cast<std::ptrdiff_t>(width)};
}

}  // namespace suffice
