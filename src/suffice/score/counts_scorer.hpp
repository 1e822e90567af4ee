// Rows of counts, scored by one weight per column and class: log p(x | c) = sum_j x_j w_cj + log h(x). For the
// multinomial w = log p and h = (sum x)! / prod x!; for the complement form (Rennie et al. 2003) scores are no
// densities.
#pragma once
#include <memory>
#include <vector>

#include "suffice/score/scorer.hpp"

namespace suffice {

struct CountWeights {
    std::vector<std::uint32_t> columns;
    std::size_t class_count = 0;
    std::vector<double> weight;      // classes x columns
    bool density = true;             // log h belongs to the score, and rows can be drawn
    std::vector<double> mean_total;  // by class: of a row's counts; how many a drawn row has
};

std::unique_ptr<Scorer> counts_scorer(CountWeights weights);

// log of (sum x)! / prod x!, for counts that need not be whole; NaN where one is negative or not finite.
double log_arrangements(const double* counts, std::size_t count);

}  // namespace suffice
