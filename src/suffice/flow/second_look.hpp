// A quick cross-validation on some of the rows behind a fit: is the model worth anything, and is there a far better
// one?
#pragma once
#include "suffice/flow/fit.hpp"

namespace suffice {

// What should be said of a model that was fitted to these files: that it does no better than always giving the same
// answer, or, where `others` may be named, that another kind of model does better by a wide margin. Nothing: all is
// well, or the files are too large, too wide or a pipe, so that looking again would cost more than the fit.
std::optional<Note> second_look(const std::vector<std::string>& files, const FitOptions& options, const Model& model,
                                bool others, const Context& context = {});

}  // namespace suffice
