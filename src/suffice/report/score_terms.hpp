// The terms of a score by name, heaviest first: what pulls toward a class, or from one class to another.
#pragma once
#include <string>
#include <vector>

#include "suffice/model/classifier.hpp"

namespace suffice {

struct ScoreTerms {
    struct Term {
        std::string name;  // "age", "age * income", "colour = red"
        double weight = 0;
    };
    bool complete = false;  // false: some columns have no such form, and are not among the terms
    double constant = 0;
    std::vector<Term> terms;
};

// log p(a, x) - log p(b, x) as a sum of terms.
ScoreTerms boundary_terms(const Predictor& model, std::size_t a, std::size_t b);

// Do all classes share their quadratic terms, so that they cancel in every comparison?
bool is_linear(const ScoreForm& form);

}  // namespace suffice
