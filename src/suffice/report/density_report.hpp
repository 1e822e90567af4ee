// What one family makes of the columns of a table, in words and for programs.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "suffice/base/record.hpp"
#include "suffice/family/credible_interval.hpp"
#include "suffice/family/predictive_form.hpp"

namespace suffice {

// What is known of the parameter after some rows, and how well they were foretold by what was known before.
struct FamilyBatch {
    std::string name;
    double rows = 0;
    Record posterior, posterior_mean;
    double log_predictive = 0;  // of the batch's rows given all earlier ones
    std::vector<NamedInterval> credible;
    std::optional<PredictiveForm> predictive;  // of the next row
};

struct FamilyFit {
    std::string column, family;        // of a family of vectors: all columns, with commas between them
    std::vector<std::string> columns;  // of a family of vectors
    std::vector<std::string> levels;   // of a family over levels
    double rows = 0;
    double missing_rows = 0;      // left out, because a value is missing
    Record likelihood, unbiased;  // parameters; unbiased is empty where there is no such form
    std::vector<double> mean;     // expectation of the values, or of the levels, under the likelihood's parameter
    std::vector<double> natural;
    double log_partition = 0, log_likelihood = 0;
    std::string prior_name;  // empty: the family has no conjugate prior
    Record prior, posterior, posterior_mean;
    double log_evidence = 0;
    double mass = 0;                                      // of the credible intervals
    std::vector<NamedInterval> prior_credible, credible;  // under the prior, under the posterior
    std::optional<PredictiveForm> prior_predictive, predictive;
    std::vector<FamilyBatch> batches;  // where asked for
    // Where several families were asked for: what speaks for this one (the log evidence; without a conjugate prior
    // minus half of BIC, which is close to it), and its probability when all were equally probable before.
    struct Judged {
        double log_evidence = 0, probability = 0;
        bool by_bic = false;
    };
    std::optional<Judged> judged;
};

// A model that stands already, and what the rows say for it.
struct ModelEvidence {
    std::string name;
    double log_evidence = 0;  // of all rows, log p(x) of each by its weight
    double probability = 0;   // when all models were equally probable before
};

// The most probable first, under the rows that they were asked about.
std::string evidence_text(std::vector<ModelEvidence> models, double rows);
std::string evidence_json(const std::vector<ModelEvidence>& models, double rows);

std::string family_text(const std::vector<FamilyFit>& fits);
std::string family_json(const std::vector<FamilyFit>& fits);

}  // namespace suffice
