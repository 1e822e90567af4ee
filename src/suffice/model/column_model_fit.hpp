// The columns' model from completed rows: one step of EM, and the moments that its errors need.
#pragma once
#include "suffice/accumulate/held_rows.hpp"
#include "suffice/model/column_model.hpp"

namespace suffice {

// Sums over completed rows of (1, z, u - centre): indicators of categories and numbers.
struct ColumnMoments {
    double weight = 0;
    std::vector<double> centre;   // of the numbers
    std::vector<double> squares;  // side x side
    std::size_t side = 0;
};

// A normal prior of variance one on what an indicator changes: in the chain of log odds, in a mean in units of S. It
// keeps both finite where a level is rare or follows from another.
inline constexpr double indicator_penalty = 1;

// Each column as if independent of the others, from the values that are there: where EM starts. Columns with fewer
// holes come first, so that those without any follow from nothing that is missing.
Result<ColumnModel> independent_columns(const Schema& schema, const HeldRows& rows);

// `from` says which columns there are and where to start; links before `moving` are left as they are, once fitted.
Result<ColumnModel> fit_columns(ColumnModel from, const HeldRows& completed, std::size_t moving,
                                const Context& context);

// Indicators of the categories of each row, side by side.
std::vector<double> indicators_of(const ColumnModel& model, const HeldRows& completed);
ColumnMoments moments_of(const ColumnModel& model, const HeldRows& completed, std::span<const double> indicators);
// One link of the chain, from where it stands. An Error names its column.
Result<LogisticFit> fit_link(const ColumnModel& model, std::size_t link, const HeldRows& completed,
                             std::span<const double> indicators, Inference inference, const Context& context);

}  // namespace suffice
