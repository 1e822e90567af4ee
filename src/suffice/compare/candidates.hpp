// The models that are worth a try on some columns.
#pragma once
#include <functional>
#include <memory>

#include "suffice/model/recipe.hpp"

namespace suffice {

using FitAgain =
    std::function<Result<std::shared_ptr<const Predictor>>(const Schema&, Stream& rows, const Context& context)>;

struct Candidate {
    std::string model;                  // canonical name
    std::vector<GivenSetting> options;  // in which it differs from the model's defaults
    Recipe recipe;
    FitAgain fit_again = {};  // of models that are no sums over rows, which each fold fits anew
    double penalty = 0;       // of logistic_regression
};

// The sums over rows that fit the columns: every Gaussian structure with shrinkage and RDA grids, naive Bayes with its
// variants, text models. Densities made of points cost rows x rows, so they are tried on few rows only.
std::vector<Candidate> usual_candidates(const Schema& schema, double row_count = 0);

}  // namespace suffice
