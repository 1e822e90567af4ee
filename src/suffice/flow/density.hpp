// Densities of rows without classes: fitted to files, written for the rows of the same or of other files.
#pragma once
#include "suffice/flow/predict.hpp"
#include "suffice/report/density_report.hpp"

namespace suffice {

// The model of one class that these files are taken for; its log evidence is the log density.
Result<Model> fit_density(const std::vector<std::string>& files, FitOptions options, const Context& context = {});

// CSV with the header log_density, a line per row of `at`, or of the files themselves where `at` is empty.
Result<std::vector<Note>> write_densities(const std::vector<std::string>& files, const FitOptions& options,
                                          const std::vector<std::string>& at, const TextSink& sink,
                                          const Context& context = {});

// What is asked of a family.
struct FamilyQuestion {
    std::string family;
    std::string prior =
        {};                // as text, for every column that FitOptions::column_priors does not name; empty: the default
    double mass = 0.95;    // of credible intervals
    bool batches = false;  // each file is a batch: what is known after each of them
    bool is_joint = false;                 // set by the family: all columns together
    std::vector<std::string> levels = {};  // that there are, whether or not a row has them; empty: those of the rows
};

// Every column under the family, or all columns together where it is one of vectors; folded in constant memory.
// Families over levels take words and numbers alike.
Result<std::vector<FamilyFit>> fit_family(const std::vector<std::string>& files, const FamilyQuestion& question,
                                          const FitOptions& options, const Context& context = {});

// The same of several families, or of one under several priors, with the evidence for each where they are of the same
// columns.
Result<std::vector<FamilyFit>> compare_families(const std::vector<std::string>& files,
                                                const std::vector<FamilyQuestion>& questions, const FitOptions& options,
                                                const Context& context = {});

// Models that stand already, stated or fitted, compared by the evidence of the rows; classes are summed over.
struct ComparedModels {
    std::vector<ModelEvidence> models;  // in the order of the files
    double rows = 0;                    // their weight
};
Result<ComparedModels> compare_models(const std::vector<std::string>& model_files,
                                      const std::vector<std::string>& files, const ApplyOptions& options,
                                      const Context& context = {});

// CSV with the header log_density, a line per row of `at`: by the likelihood's parameter, or the posterior predictive
// where a prior is given. Columns are independent unless the family is one of vectors.
Result<std::vector<Note>> write_family_densities(const std::vector<std::string>& files, const FamilyQuestion& question,
                                                 const FitOptions& options, const std::vector<std::string>& at,
                                                 const TextSink& sink, const Context& context = {});

}  // namespace suffice
