// What a report tells of columns: histograms, fitted densities, misfit, better families, how much they tell.
#pragma once
#include "suffice/show/report_rows.hpp"

namespace suffice {

// The columns that separate the classes most (all of them where there are not many), in the order of the schema.
std::vector<ColumnPicture> column_pictures(const Predictor& model, const SeenRows& rows, std::size_t most);

// The mean over rows of each class of log p(x_k | class) against the other classes, largest first. Text tells by words.
std::vector<TellingColumn> telling_columns(const Predictor& model, const SeenRows& rows, std::size_t most_rows);

// log p(x) of the rows beside that of rows drawn from the model; empty where the model has text or no density.
Result<std::optional<Novelty>> novelty_of(const Predictor& model, const SeenRows& rows, std::uint64_t seed);

}  // namespace suffice
