// Learning curves: models fitted to more and more rows, drawn from a stated model whose Bayes error is known, or from
// files.
#pragma once
#include "suffice/flow/fit_options.hpp"
#include "suffice/flow/model.hpp"
#include "suffice/report/learn_curve_report.hpp"

namespace suffice {

struct LearnCurveOptions {
    std::vector<std::string> models = {"linear_discriminant", "logistic_regression"};
    std::vector<std::size_t> sizes = {};  // rows to learn from, ascending; empty: doubling
    std::size_t repeats = 20;             // draws of each size
    std::size_t test_rows = 10'000;       // of a stated model: drawn once, to judge on
};

// Rows drawn from the model. Errors are the model's own probability of the classes decided against, so they have no
// noise of labels, and never fall below the Bayes error of the same rows.
Result<LearnCurve> learn_curve(const Model& truth, const FitOptions& options, const LearnCurveOptions& how,
                               const Context& context = {});

// Rows dealt out of files: each draw learns from some of them and is judged on all others.
Result<LearnCurve> learn_curve(const std::vector<std::string>& files, const FitOptions& options,
                               const LearnCurveOptions& how, const Context& context = {});

// Rows in memory with the name of a class for each; the columns are numbers.
Result<LearnCurve> learn_curve(const Block& x, const std::vector<std::string>& labels, const FitOptions& options,
                               const LearnCurveOptions& how, const Context& context = {});

}  // namespace suffice
