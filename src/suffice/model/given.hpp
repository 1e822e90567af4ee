// Classifiers from stated parameters, without data.
//
// They are kept as the statistics of one row's worth of data (or as many as are said) that would give these parameters,
// so a given model scores, samples, explains and saves like a fitted one; it weighs as many rows when merged.
#pragma once
#include "suffice/model/classifier.hpp"

namespace suffice {

// One column, independent of the others given the class.
struct GivenColumn {
    std::string name;
    std::string family;  // gaussian, log_normal, gamma, beta, exponential, poisson, geometric, bernoulli or categorical
    std::vector<std::vector<double>> by_class;  // the family's numbers in its order; of categorical one for each level
    std::vector<std::string> levels = {};       // of categorical
};

struct GivenModel {
    std::vector<std::string> classes;
    std::vector<double> priors;
    // Columns that are Gaussian together: a mean per class, one covariance (shared) or one per class, d x d.
    std::vector<std::string> columns = {};
    std::vector<std::vector<double>> means = {};
    std::vector<std::vector<double>> covariances = {};
    std::vector<GivenColumn> independent = {};
    std::string model = {};  // its name; empty: what has these columns
    double weight = 1;       // rows that the parameters stand for when the model is merged
};

Result<Classifier> classifier_from(const GivenModel& given);

// The error that no rule can beat when the model is the truth: the mean of 1 - max p(class | x) over rows drawn from
// it.
struct BayesError {
    double error = 0;
    double standard_error = 0;
};
Result<BayesError> simulate_bayes_error(const Predictor& model, std::size_t row_count, Rng& rng);

}  // namespace suffice
