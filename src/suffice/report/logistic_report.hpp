// The table of estimates of a logistic regression, in words and for programs.
#pragma once
#include "suffice/model/logistic_regression.hpp"
#include "suffice/report/json_text.hpp"
#include "suffice/report/model_report.hpp"

namespace suffice {

std::string coefficient_table(const LogisticRegression& model, const InspectView& view);
// Empty where the penalty was given.
std::string path_table(const LogisticRegression& model);
void write_path(JsonText& json, const LogisticRegression& model);
void write_coefficients(JsonText& json, const LogisticRegression& model, const LikelihoodRatios& ratios);
// Empty where no tests were asked for.
std::string test_table(const LikelihoodRatios& ratios);
// The steps that led to the model, as a table, for programs and as a picture.
std::string trace_table(const LogisticRegression& model, const LogisticTrace& trace);
void write_trace(JsonText& json, const LogisticRegression& model, const LogisticTrace& trace);

}  // namespace suffice
