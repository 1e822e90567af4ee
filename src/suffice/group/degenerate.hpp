// Components of Gaussian mixtures that have shrunk onto a few rows, a line or a plane: the likelihood has no maximum
// there, and what is found measures the floor under variances.
#pragma once
#include "suffice/model/classifier.hpp"

namespace suffice {

// Whether EM found the classes of this model, nobody having named them.
bool is_mixture(const ModelState& state);

// Components whose scatter lacks full rank, or of which a variance rests on the floor. None under a prior.
std::vector<std::size_t> degenerate_components(const Classifier& model);

// The sentence on them, which names the cure.
Note degenerate_note(const Classifier& model, const std::vector<std::size_t>& components);

// What is to be said of a model: its own notes, and of a mixture that it has degenerate components.
std::vector<Note> notes_on(const Predictor& model);

}  // namespace suffice
