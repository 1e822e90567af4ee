// What the calls about models share: the model in hand, and pieces of answers.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "session.hpp"

#include "suffice/data/block.hpp"
#include "suffice/model/predictor.hpp"

namespace suffice::page {

const Predictor& model_in_hand();
void take_in_hand(std::unique_ptr<Predictor> model);

DenseBlock block_of(const std::vector<double>& values, std::size_t columns);
Schema names_of(const Json& request);             // {"columns": a name, or {"name", "levels"} of categories; "classes"}
std::vector<double> values_of(const Json& rows);  // null is missing
Json rows_of(const Matrix& matrix);
Json lines_of(const std::vector<double>& mean, const std::vector<double>& covariance, double deviations);
Json told_of(const Predictor& model);  // what `suffice inspect --json` says, with scores of pairs and outlines
Json outlines_of(const Predictor& model, double deviations);  // of the classes, where two columns are Gaussian

// Each takes a request and gives the answer; what goes wrong is thrown as an Exception.
Json fit_rows(Session& session, const Json& request);
Json state_model(Session& session, const Json& request);
Json score_rows(Session& session, const Json& request);
Json explain_row(Session& session, const Json& request);
Json draw_rows(Session& session, const Json& request);
Json grid_of(Session& session, const Json& request);
Json evaluate_rows(Session& session, const Json& request);
Json stream_rows(Session& session, const Json& request);
Json step_k_means(Session& session, const Json& request);
Json step_mixture(Session& session, const Json& request);
Json choose_mixture(Session& session, const Json& request);
Json step_logistic(Session& session, const Json& request);

}  // namespace suffice::page
