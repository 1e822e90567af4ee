// Basis functions from text: what is read, where knots lie, and values by other people's formulas.
#include "suffice/encode/basis_terms.hpp"

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

namespace suffice {
namespace {

Schema two_columns() { return {{{"age"}, {"income"}}, {"no", "yes"}}; }

std::vector<double> zero_to_ten(std::uint32_t) {
    std::vector<double> all(11);
    std::iota(all.begin(), all.end(), 0.0);
    return all;
}

Features fitted(const std::string& text) {
    return fit_features(two_columns(), {BasisTerm::parse(text).value()}, zero_to_ten).value();
}

std::vector<double> at(const ColumnBasis& basis, double x) {
    std::vector<double> out(basis.count);
    basis.write(x, x, out.data());
    return out;
}

TEST(BasisTerms, AreReadFromText) {
    EXPECT_EQ(BasisTerm::parse("age = spline( 5 )").value(), (BasisTerm{"age", Basis::spline, 5, ""}));
    EXPECT_EQ(BasisTerm::parse("a=b=poly(3)").value(), (BasisTerm{"a=b", Basis::polynomial, 3, ""}));
    EXPECT_EQ(BasisTerm::parse("age*income").value(), (BasisTerm{"age", Basis::product, 1, "income"}));
    for (const char* bad : {"", "age", "age=", "age=spline", "age=spline()", "age=wave(3)", "age=poly(x)", "*", "age*",
                            "=poly(2)", "age=poly(0)", "age=bspline(2)", "age=poly(-1)", "age=poly(3"})
        EXPECT_FALSE(BasisTerm::parse(bad)) << bad;
}

TEST(BasisTerms, KnotsLieAtQuantiles) {
    const Features features = fitted("age=spline(5)");
    EXPECT_EQ(features.count(), 6u);  // and income
    EXPECT_EQ(features.columns[0].points, (std::vector<double>{0, 2, 4, 6, 8, 10}));
    EXPECT_EQ(features.names(two_columns())[5], "income");
}

// Linear beyond the outer knots, and with continuous second derivatives inside: what makes a cubic spline natural.
TEST(BasisTerms, NaturalSplinesAreLinearOutsideAndSmoothInside) {
    const ColumnBasis basis = fitted("age=spline(4)").columns[0];
    const double h = 1e-3;
    const auto bend = [&](double x, std::size_t k) {
        return (at(basis, x + h)[k] - 2 * at(basis, x)[k] + at(basis, x - h)[k]) / (h * h);
    };
    for (std::size_t k = 0; k < 4; ++k) {
        EXPECT_NEAR(bend(-3, k), 0, 1e-6);
        EXPECT_NEAR(bend(14, k), 0, 1e-6);
        for (double knot : basis.points) EXPECT_NEAR(bend(knot - 2 * h, k), bend(knot + 2 * h, k), 1e-2);
    }
}

// SciPy 1.17.1: BSpline.design_matrix([0.5, 3.7, 10], [0]*4 + [10/3, 20/3] + [10]*4, 3).toarray()[:, 1:]
TEST(BasisTerms, BSplinesAreThoseOfSciPy) {
    const ColumnBasis basis = fitted("age=bspline(5)").columns[0];
    EXPECT_NEAR(basis.points[1], 10.0 / 3, 1e-12);
    const double table[3][5] = {
        {0.35465625, 0.030656249999999996, 0.0005625, 0.0, 0.0},
        {0.17624225000000002, 0.5964847500000001, 0.22694025000000007, 0.0003327500000000001, 0.0},
        {0.0, 0.0, 0.0, 0.0, 1.0}};
    const double places[] = {0.5, 3.7, 10};
    for (std::size_t row = 0; row < 3; ++row) {
        const std::vector<double> values = at(basis, places[row]);
        for (std::size_t k = 0; k < 5; ++k) EXPECT_NEAR(values[k], table[row][k], 1e-12) << row << ' ' << k;
    }
    EXPECT_EQ(at(basis, 11), at(basis, 10));
}

TEST(BasisTerms, PolynomialsAreOfTheStandardisedValue) {
    const ColumnBasis basis = fitted("age=poly(3)").columns[0];
    const double t = (7 - 5) / std::sqrt(10.0);
    const std::vector<double> values = at(basis, 7);
    for (int power = 1; power <= 3; ++power)
        EXPECT_NEAR(values[static_cast<std::size_t>(power) - 1], std::pow(t, power), 1e-12);
}

TEST(BasisTerms, BumpsAndWavesHaveTheirFormulas) {
    const ColumnBasis bumps = fitted("age=radial(3)").columns[0];  // centres 0, 5, 10
    EXPECT_NEAR(at(bumps, 6)[1], std::exp(-0.5 / 25), 1e-12);
    const ColumnBasis steps = fitted("age=sigmoid(3)").columns[0];
    EXPECT_NEAR(at(steps, 6)[1], 1 / (1 + std::exp(-0.2)), 1e-12);
    const ColumnBasis waves = fitted("age=fourier(2)").columns[0];
    ASSERT_EQ(waves.count, 4u);
    EXPECT_NEAR(at(waves, 2.5)[0], 1, 1e-12);   // sin of a quarter turn
    EXPECT_NEAR(at(waves, 2.5)[3], -1, 1e-12);  // cos of half a turn
}

TEST(BasisTerms, ProductsComeAfterTheColumns) {
    const Features features = fitted("age*income");
    const double values[] = {3, 7, 2, 5};
    std::vector<double> scratch;
    const kernel::Rows rows = features.rows_of(DenseBlock{values, Element::f64, 2, 2, 2, 1}, scratch);
    ASSERT_EQ(rows.column_count, 3u);
    EXPECT_EQ(rows.row(0)[2], 21);
    EXPECT_EQ(rows.row(1)[2], 10);
    EXPECT_EQ(features.names(two_columns()).back(), "age*income");
}

TEST(BasisTerms, PowersAreOfTheValueAsItStandsAndComeAfterTheColumns) {
    EXPECT_EQ(BasisTerm::parse("age^3").value(), (BasisTerm{"age", Basis::power, 3, ""}));
    for (const char* bad : {"age^", "^2", "age^1", "age^x", "age^31", "age^-2"})
        EXPECT_FALSE(BasisTerm::parse(bad)) << bad;
    const Features features = fitted("age^3");
    const double values[] = {3, 7, -2, 5};
    std::vector<double> scratch;
    const kernel::Rows rows = features.rows_of(DenseBlock{values, Element::f64, 2, 2, 2, 1}, scratch);
    ASSERT_EQ(rows.column_count, 3u);
    EXPECT_EQ(rows.row(0)[2], 27);
    EXPECT_EQ(rows.row(1)[2], -8);
    EXPECT_EQ(features.names(two_columns()).back(), "age^3");
}

TEST(BasisTerms, AStarTakesTheOtherColumns) {
    const auto terms = std::vector{BasisTerm::parse("*=poly(2)").value(), BasisTerm::parse("age=poly(3)").value()};
    const Features features = fit_features(two_columns(), terms, zero_to_ten).value();
    EXPECT_EQ(features.columns[0].count, 3u);
    EXPECT_EQ(features.columns[1].count, 2u);
}

TEST(BasisTerms, BadTermsAreOneSentence) {
    const auto refuse = [](const std::string& text, const Schema& schema, const ColumnValues& values) {
        return fit_features(schema, {BasisTerm::parse(text).value()}, values).error().sentence();
    };
    EXPECT_EQ(refuse("size=poly(2)", two_columns(), zero_to_ten), "there is no column size for the basis");
    Schema categories = two_columns();
    categories.columns[0].kind = ColumnKind::category;
    EXPECT_EQ(refuse("age=poly(2)", categories, zero_to_ten), "column age: basis functions need a column of numbers");
    const auto constant = [](std::uint32_t) { return std::vector<double>(5, 2.0); };
    EXPECT_EQ(refuse("age=poly(2)", two_columns(), constant),
              "column age: a column with one value only has no basis functions");
    const auto halves = [](std::uint32_t) { return std::vector<double>{0, 0, 0, 0, 1}; };
    EXPECT_EQ(refuse("age=spline(4)", two_columns(), halves),
              "column age: too few distinct values for so many knots; ask for fewer");
}

}  // namespace
}  // namespace suffice
