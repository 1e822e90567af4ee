// Models compared on files: cross-validated together, best first.
#pragma once
#include "suffice/compare/cross_validation.hpp"
#include "suffice/encode/data.hpp"
#include "suffice/flow/fit_options.hpp"
#include "suffice/flow/model.hpp"

namespace suffice {

class RowSource;  // flow/row_source.hpp

constexpr double usual_budget = 10;  // seconds that a candidate may take, so that a comparison of files ends

struct CompareOptions {
    std::uint32_t fold_count = 10;
    std::string fold_column = {};          // each of its values is a fold
    std::string group_column = {};         // rows of one value stay in one fold
    std::string time_column = {};          // folds follow each other in its order, and each is learned from the past
    std::uint32_t repeats = 1;             // how often rows are dealt out to folds anew
    bool leave_one_out = false;            // in closed form
    bool fewer_folds = false;              // no more of them than rows
    std::vector<std::string> models = {};  // only these; empty: every model that fits the columns
    CrossValidation how = {};
};

struct ComparedFiles {
    std::vector<Compared> models;
    std::vector<LearningPoint> curve;
    std::optional<NestedScores> nested;
    double rows = 0;
    std::vector<Note> notes;
    bool stopped = false;  // before all models were ready
};

// `options.model` is not read: every model that fits the columns is tried.
Result<ComparedFiles> compare(const Data& data, const FitOptions& options, const CompareOptions& how,
                              const Context& context = {});

// Rows in memory with class codes, for models that take numbers as they are.
Result<Comparison> compare(const LabeledBlock& rows, const Schema& schema, const FitOptions& options,
                           const CompareOptions& how, std::vector<std::uint32_t> fold_of_row,
                           const Context& context = {});

// Of rows wherever they lie, under names from a first pass that `names` is for (as naming_options makes it). Of rows in
// parts, mixtures and regressions are tried where they are named, and no candidate has a budget.
FitOptions naming_options(const FitOptions& options, const CompareOptions& how);
Result<ComparedFiles> compare(RowSource& source, const FitOptions& options, const FitOptions& names,
                              const CompareOptions& how, const Context& context = {});

// The model that compares best, fitted to all rows; the table is kept in its file.
Result<Model> fit_best(const Data& data, const FitOptions& options, const Context& context = {});
Result<Model> fit_best(RowSource& source, const FitOptions& options, const Context& context = {});

}  // namespace suffice
