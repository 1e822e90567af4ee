// A logistic regression as a formula: each column's basis functions with their coefficients.
#include <array>
#include <limits>

#include "suffice/model/logistic_regression.hpp"

namespace suffice {
namespace {

// The functions of one column and their coefficients by class.
struct WeighedBasis {
    const ColumnBasis& basis;
    const LogisticParameter& parameter;
    std::size_t first = 0, feature_count = 0;

    std::size_t class_count() const { return parameter.intercept.size(); }
    double coefficient(std::size_t c, std::size_t k) const {
        return parameter.coefficient[c * feature_count + first + k];
    }
    std::vector<double> weights(std::size_t k) const {
        std::vector<double> by_class;
        for (std::size_t c = 0; c < class_count(); ++c) by_class.push_back(coefficient(c, k));
        return by_class;
    }
    std::vector<double> at(double x) const {
        std::vector<double> value(basis.count), sum(class_count());
        basis.write(x, 0, value.data());
        for (std::size_t c = 0; c < sum.size(); ++c)
            for (std::size_t k = 0; k < value.size(); ++k) sum[c] += coefficient(c, k) * value[k];
        return sum;
    }
};

ColumnFunction function_of(const ColumnBasis& basis, std::uint32_t k) {
    using Kind = ColumnFunction::Kind;
    switch (basis.basis) {
        case Basis::polynomial:
            return {.kind = Kind::power, .shift = basis.shift, .scale = basis.scale, .degree = k + 1};
        case Basis::radial:
            return {.kind = Kind::radial, .shift = basis.points[k], .scale = basis.scale};
        case Basis::sigmoid:
            return {.kind = Kind::sigmoid, .shift = basis.points[k], .scale = basis.scale};
        case Basis::fourier:
            return {.kind = k % 2 == 0 ? Kind::sine : Kind::cosine,
                    .shift = basis.shift,
                    .scale = basis.scale,
                    .degree = k / 2 + 1};
        case Basis::product:
            return {.kind = Kind::product, .other = basis.other};
        case Basis::power:
            return {.kind = Kind::power, .degree = basis.degree};
        default:
            return {};
    }
}

// What a missing value adds to the scores where something stands for it; the term itself is left out there.
std::vector<double> stand_in(const WeighedBasis& weighed) {
    return weighed.basis.fills ? weighed.at(std::numeric_limits<double>::quiet_NaN())
                               : std::vector<double>(weighed.class_count());
}

CurveTerm curve_of(const WeighedBasis& weighed) {
    CurveTerm term{.column = weighed.basis.column, .needed = !weighed.basis.fills};
    if (weighed.basis.fills) {
        term.functions.push_back({.kind = ColumnFunction::Kind::one});
        for (double& each : term.weight.emplace_back(stand_in(weighed))) each = -each;
    }
    for (std::uint32_t k = 0; k < weighed.basis.count; ++k) {
        term.functions.push_back(function_of(weighed.basis, k));
        term.weight.push_back(weighed.weights(k));
    }
    return term;
}

// A level never seen is as the first.
TableTerm table_of(const WeighedBasis& weighed) {
    const bool fills = weighed.basis.fills;
    TableTerm term{{weighed.basis.column}, {weighed.basis.count + 1}, {}};
    for (std::size_t c = 0; c < weighed.class_count(); ++c) {
        auto& line = term.lines.emplace_back(1, 0.0);
        for (std::size_t k = 0; k < weighed.basis.count; ++k) line.push_back(weighed.coefficient(c, k));
        line.insert(line.end(), {0, fills ? 0.0 : std::numeric_limits<double>::quiet_NaN()});
    }
    return term;
}

// The cubic through four values, at 0, 1/3, 2/3 and 1 of the way from an edge to the next.
PieceTerm::Piece cubic_between(const WeighedBasis& weighed, double from, double to) {
    constexpr std::array<std::array<double, 4>, 4> inverse{
        {{1, 0, 0, 0}, {-5.5, 9, -4.5, 1}, {9, -22.5, 18, -4.5}, {-4.5, 13.5, -13.5, 4.5}}};
    const double width = to - from;
    std::array<std::vector<double>, 4> value;
    for (std::size_t i = 0; i < 4; ++i) value[i] = weighed.at(i == 3 ? to : from + width * static_cast<double>(i) / 3);
    PieceTerm::Piece piece{.origin = from};
    double unit = 1;
    for (const auto& line : inverse) {
        auto& coefficient = piece.coefficient.emplace_back(weighed.class_count());
        for (std::size_t c = 0; c < coefficient.size(); ++c)
            for (std::size_t i = 0; i < 4; ++i) coefficient[c] += line[i] * value[i][c] / unit;
        unit *= width;
    }
    return piece;
}

PieceTerm::Piece line_through(const WeighedBasis& weighed, double edge, double beyond) {
    const auto here = weighed.at(edge), there = weighed.at(beyond);
    PieceTerm::Piece piece{.origin = edge, .coefficient = {here, {}}};
    for (std::size_t c = 0; c < here.size(); ++c)
        piece.coefficient[1].push_back((there[c] - here[c]) / (beyond - edge));
    return piece;
}

// Splines are cubic between their knots and lines beyond them.
PieceTerm pieces_of(const WeighedBasis& weighed) {
    const auto& knots = weighed.basis.points;
    PieceTerm term{.column = weighed.basis.column, .edges = knots, .needed = !weighed.basis.fills};
    const double width = knots.back() - knots.front();
    term.pieces.push_back(line_through(weighed, knots.front(), knots.front() - width));
    for (std::size_t i = 0; i + 1 < knots.size(); ++i)
        term.pieces.push_back(cubic_between(weighed, knots[i], knots[i + 1]));
    term.pieces.push_back(line_through(weighed, knots.back(), knots.back() + width));
    const std::vector<double> absent = stand_in(weighed);
    for (PieceTerm::Piece& piece : term.pieces)
        for (std::size_t c = 0; c < absent.size(); ++c) piece.coefficient[0][c] -= absent[c];
    return term;
}

// One where the value is missing is one everywhere, less one where it is not.
void add_indicator(const WeighedBasis& weighed, const Column& column, ScoreExpression& sum) {
    if (column.kind == ColumnKind::category) {
        TableTerm table{{weighed.basis.column}, {static_cast<std::uint32_t>(column.levels.size())}, {}};
        for (std::size_t c = 0; c < weighed.class_count(); ++c) {
            table.lines.emplace_back(column.levels.size() + 1, 0.0);
            table.lines.back().push_back(weighed.coefficient(c, 0));
        }
        sum.tables.push_back(std::move(table));
        return;
    }
    CurveTerm term{.column = weighed.basis.column, .needed = false};
    term.functions.push_back({.kind = ColumnFunction::Kind::one});
    term.weight.push_back(weighed.weights(0));
    for (std::size_t c = 0; c < weighed.class_count(); ++c) {
        sum.constant[c] += term.weight[0][c];
        term.weight[0][c] = -term.weight[0][c];
    }
    sum.curves.push_back(std::move(term));
}

}  // namespace

Result<ScoreExpression> LogisticRegression::express() const {
    if (state_.settings.link != Link::logit)
        return Error(ErrorKind::usage,
                     "the probit link needs the normal distribution function, which exports do not have");
    if (moderated_) return Error(ErrorKind::usage, "moderated posteriors are not exported");
    ScoreExpression sum{.constant = intercepts()};
    std::size_t first = 0;
    for (const ColumnBasis& each : state_.features.columns) {
        const WeighedBasis weighed{each, state_.parameter, first, feature_count_};
        first += each.count;
        if (each.fills && each.basis == Basis::product)
            return Error(ErrorKind::usage, "products of columns with missing values are not exported");
        if (each.basis != Basis::levels) {
            const std::vector<double> absent = stand_in(weighed);
            for (std::size_t c = 0; c < absent.size(); ++c) sum.constant[c] += absent[c];
        }
        if (each.basis == Basis::missing)
            add_indicator(weighed, schema().columns[each.column], sum);
        else if (each.basis == Basis::levels)
            sum.tables.push_back(table_of(weighed));
        else if (each.basis == Basis::spline || each.basis == Basis::b_spline)
            sum.pieces.push_back(pieces_of(weighed));
        else
            sum.curves.push_back(curve_of(weighed));
    }
    return sum;
}

}  // namespace suffice
