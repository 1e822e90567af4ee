// Densities of rows without classes: fitted to files, written for the rows of the same or of other files.
#pragma once
#include "suffice/flow/predict.hpp"
#include "suffice/report/density_report.hpp"

namespace suffice {

// The model of one class that these files are taken for; its log evidence is the log density.
Result<Model> fit_density(const std::vector<std::string>& files, FitOptions options, const Context& context = {});

// CSV with the header log_density, a line per row of `at`, or of the files themselves where `at` is empty.
Result<std::vector<std::string>> write_densities(const std::vector<std::string>& files, const FitOptions& options,
                                                 const std::vector<std::string>& at, const TextSink& sink,
                                                 const Context& context = {});

// Every column of numbers under the family; priors by column name as in FitOptions, else the family's default one.
Result<std::vector<FamilyFit>> fit_family(const std::vector<std::string>& files, const std::string& family,
                                          const FitOptions& options, const Context& context = {});

}  // namespace suffice
