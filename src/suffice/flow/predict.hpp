// Rows of files to lines of predictions, in order and in constant memory.
#pragma once
#include <functional>
#include <optional>
#include <string_view>

#include "suffice/decide/decision.hpp"
#include "suffice/flow/open_data.hpp"

namespace suffice {

struct PredictOptions {
    ApplyOptions apply = {};
    bool posteriors = false;    // p(CLASS) of every class
    bool log_evidence = false;  // log p(x)
    std::size_t top = 0;        // the most probable classes with their posteriors
    DecisionRule rule = {};
    std::optional<ClassPriors> priors = {};  // instead of the model's
    bool moderated = false;                  // of logistic_regression: its coefficients are not certain
    bool adapt_priors = false;               // those under which the data are most likely; the data are read twice
};

// Takes whole lines; an Error ends the run.
using TextSink = std::function<Result<void>(std::string_view)>;

// CSV with a header; returns what must be said about the data. A row skipped as ragged gives a line without a
// prediction.
Result<std::vector<Note>> predict(const Model& model, const Data& data, const PredictOptions& options,
                                  const TextSink& sink, const Context& context = {});

// The same of every row that is read, kept in memory.
struct Predicted {
    std::vector<std::int32_t> answer = {};  // places among the model's classes; -1: none, as the rule says
    Matrix posteriors = {};                 // a row for each row
    std::vector<double> log_evidence = {};  // where the options ask for it
    std::vector<Note> notes = {};
};
Result<Predicted> predict(const Model& model, const Data& data, const PredictOptions& options,
                          const Context& context = {});

// The same model under other class priors.
Result<std::unique_ptr<Predictor>> with_priors(const Predictor& model, const ClassPriors& priors);

}  // namespace suffice
