// A model held against files whose classes are known.
#pragma once
#include "suffice/evaluate/evaluation.hpp"
#include "suffice/evaluate/text_fit.hpp"
#include "suffice/flow/predict.hpp"

namespace suffice {

struct Evaluated {
    Scores scores;
    std::vector<Note> notes;
    TextFit text = {};  // of language models; without words: there are none
};

// One pass; rows without a class are counted apart.
Result<Evaluated> evaluate(const Model& model, const Data& data, const ApplyOptions& options,
                           const Context& context = {});

// What one part of the rows adds, for whoever has them in parts: it merges.
Result<Evaluation> measure(const Model& model, std::unique_ptr<TableReader> rows, const std::string& weight,
                           const Context& context = {});

}  // namespace suffice
