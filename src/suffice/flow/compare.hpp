// Models compared on files: cross-validated together, best first.
#pragma once
#include "suffice/compare/cross_validation.hpp"
#include "suffice/flow/model.hpp"

namespace suffice {

struct ComparedFiles {
    std::vector<Compared> models;
    double rows = 0;
    std::vector<std::string> notes;
};

// `options.model` is not read: every model that fits the columns is tried.
Result<ComparedFiles> compare(const std::vector<std::string>& files, const FitOptions& options,
                              const FoldOptions& folds, const Context& context = {});

}  // namespace suffice
