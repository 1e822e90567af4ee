// A model that did not learn from some of the rows, and how it does on those.
#pragma once
#include "suffice/flow/evaluate.hpp"
#include "suffice/flow/fit.hpp"

namespace suffice {

struct HeldOut {
    Model model;
    Evaluated judged;  // on the rows held out
};

// A column by whose value rows are held out is not learned from: its value tells which rows those are. The files are
// read twice.
Result<HeldOut> fit_and_judge(const std::vector<std::string>& files, const FitOptions& options, const RowsApart& apart,
                              const Context& context = {});

}  // namespace suffice
