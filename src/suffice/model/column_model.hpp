// How the columns of a row go together, whatever its class: what a regression integrates missing values over.
//
// The general location model with main effects: categories c by a chain of softmax regressions, each on the indicators
// of those before it, and numbers u jointly Gaussian around a mean that is linear in all indicators,
//     p(x) = prod_h p(c_h | c_1 ... c_h-1) N(u; B'(1, z(c)), S).
// Olkin, Tate, "Multivariate correlation models with mixed discrete and continuous variables", 1961; Little,
// Schluchter, "Maximum likelihood estimation for mixed continuous and categorical data with missing values", 1985;
// the chain: Lipsitz, Ibrahim, "A conditional model for incomplete covariates in parametric regression models", 1996.
#pragma once
#include <map>
#include <span>

#include "suffice/regress/logistic.hpp"

namespace suffice {

// A category given those before it in the chain. A flag is a category of two.
struct CategoryLink {
    std::uint32_t column = 0;
    std::vector<std::uint32_t> code;  // levels that were seen, ascending; all but the first have an indicator
    LogisticParameter parameter;      // codes x indicators of the links before
    static constexpr auto fields =
        FieldTuple{field("column", &CategoryLink::column), field("code", &CategoryLink::code),
                   field("parameter", &CategoryLink::parameter)};
    bool operator==(const CategoryLink&) const = default;

    std::size_t indicator_count() const { return code.empty() ? 0 : code.size() - 1; }
    std::optional<std::size_t> place(double value) const;  // among the codes; none: missing, or never seen
    // log p(c | indicators of those before), by code.
    void log_shares(std::span<const double> indicators, std::vector<double>& out) const;
};

struct ColumnModel {
    std::vector<CategoryLink> chain;
    std::vector<std::uint32_t> number;  // columns
    std::vector<double> mean;           // B: 1 + indicators x numbers
    std::vector<double> covariance;     // S
    static constexpr auto fields =
        FieldTuple{field("chain", &ColumnModel::chain), field("number", &ColumnModel::number),
                   field("mean", &ColumnModel::mean), field("covariance", &ColumnModel::covariance)};
    bool operator==(const ColumnModel&) const = default;

    bool empty() const { return chain.empty() && number.empty(); }
    bool valid(std::size_t column_count) const;
    std::size_t indicator_count() const;
};

// Rows without holes that stand for a row with some: each is so likely given what is there.
struct CompletedRow {
    std::vector<double> values;      // ways x columns
    std::vector<double> log_weight;  // up to a constant
    std::size_t size() const { return log_weight.size(); }
};

// Fills the holes of rows. Where they are few every level is tried and numbers stand at the nodes of a quadrature;
// else everything is drawn, with the same random numbers for every row, so that equal rows are filled alike.
class RowCompletion {
public:
    static constexpr std::size_t most_ways = 256;
    explicit RowCompletion(const ColumnModel& model);  // which must outlive it

    void complete(std::span<const double> row, CompletedRow& into);

private:
    struct Gaps {  // numbers that are missing, and how they follow from the others
        std::vector<std::size_t> present, absent;
        std::vector<double> factor;    // of the covariance of those present
        std::vector<double> slope;     // absent x present
        std::vector<double> residual;  // factor of what is left of the covariance of those absent
    };
    // Indicators of the categories as they are filled, and the numbers' mean given them.
    struct Filling {
        std::vector<double> row, indicators, mean, shares;
        double log_weight = 0;
    };

    const Gaps& gaps_of(std::span<const double> row);
    void fill_link(std::size_t h, std::size_t place, Filling& filling) const;
    void add_levels(std::size_t h, std::size_t nodes, const Gaps& gaps, Filling filling, CompletedRow& into);
    void add_drawn(std::size_t way, const Gaps& gaps, Filling filling, CompletedRow& into);
    void expect_numbers(const Gaps& gaps, Filling& filling) const;
    void add_numbers(std::span<const double> standard, double log_weight, const Gaps& gaps, const Filling& filling,
                     CompletedRow& into) const;
    double drawn(std::size_t column, std::size_t way);  // uniform

    const ColumnModel& model_;
    std::vector<std::size_t> first_indicator_;  // of each link
    std::map<std::vector<bool>, Gaps> gaps_;
    std::map<std::size_t, std::vector<double>> drawn_;  // by column
    bool has_gap_in_chain_ = false;                     // of the row at hand
};

}  // namespace suffice
