// Rows of a table with their holes filled in every way that is tried, and weights of the ways.
#pragma once
#include "suffice/accumulate/held_rows.hpp"
#include "suffice/model/logistic_regression.hpp"

namespace suffice {

struct CompletedTable {
    HeldRows rows;                   // all ways of the first row, then those of the second; weights as EM has them
    std::vector<std::size_t> first;  // way of each row, and how many there are in all
    std::vector<double> log_weight;  // of the ways, as the columns alone have them

    std::size_t size() const { return first.size() - 1; }
    static Result<CompletedTable> of(const HeldRows& rows, const ColumnModel& columns);
    // Weighs the ways by how likely they are given the class too, or without a model by the columns alone. Gives
    // log p(class | what is there) of each row: zeros without a model.
    Result<std::vector<double>> weigh(const HeldRows& rows, const LogisticRegression* model, const Context& context);
};

// What is left to estimate once a column has holes: the first link of the chain and the first number that it moves.
struct MovingColumns {
    std::size_t link = 0, number = 0;
};

// The covariance of a regression's estimates from the information of what is there, I_complete - I_missing, in the
// coefficients and the columns' parameters together (Louis, "Finding the observed information matrix when using the EM
// algorithm", 1982). `completed`: that of the regression on completed rows alone.
Result<std::vector<double>> covariance_with_holes(const LogisticRegression& model, const CompletedTable& table,
                                                  const HeldRows& rows, MovingColumns moving,
                                                  const std::vector<double>& class_factor,
                                                  const std::vector<double>& completed, std::vector<Note>& notes,
                                                  const Context& context);

}  // namespace suffice
