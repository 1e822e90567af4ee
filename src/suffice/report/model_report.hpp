// A model in words and numbers: what `fit` says at the end, and all that `inspect` shows.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "suffice/evaluate/evaluation.hpp"
#include "suffice/model/classifier.hpp"
#include "suffice/model/given.hpp"
#include "suffice/model/recipe.hpp"
#include "suffice/persist/model_file.hpp"
#include "suffice/regress/logistic_profile.hpp"

namespace suffice {

// "estimate map, smoothing 1, class priors empirical"
std::string settings_words(const Settings& settings);

struct FitSummary {
    const Predictor& model;
    const Provenance& seen;
    const std::vector<ColumnChoice>& choices;
    const std::vector<Note>& notes;
    double seconds = 0;
    std::optional<double> accuracy = {};     // of the rows that it was fitted to
    std::optional<double> rows_before = {};  // where rows were added to a model or taken out of it
    Spelling spell = spell_plainly;
    const Scores* held_out = nullptr;      // on rows that it did not learn from; null: none were set apart
    const LogisticTrace* trace = nullptr;  // of a regression whose steps were watched
};
std::string fit_text(const FitSummary& summary);
std::string fit_json(const FitSummary& summary);  // also of what merge, update, forget and derive have made

// Which of the classes and how many of the columns are shown to people; programs get everything.
struct InspectView {
    std::optional<std::size_t> of_class = {}, versus = {};
    std::size_t top = 20;
    std::optional<BayesError> bayes_error = {};
    LikelihoodRatios ratios = {};    // of a regression, where asked for
    Spelling spell = spell_plainly;  // of what would show more
};
inline std::string top_shows(const InspectView& view) { return view.spell({"top", "N"}) + " shows N"; }
std::string model_text(const Predictor& model, const Provenance& seen, const InspectView& view);
std::string model_json(const Predictor& model, const Provenance& seen, const InspectView& view);

}  // namespace suffice
