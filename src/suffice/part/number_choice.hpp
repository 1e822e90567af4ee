// Which family explains a column of numbers best, by the evidence of what was counted of it.
//
// Flags, counts and codes give probabilities, the others densities; these compare on the grid of the values, whose
// step is the least distance between two: a density counts step times, and a Gaussian has the variance of a value that
// was rounded to the grid. Evidence: of tables the Dirichlet's closed form, of the others the likelihood less half a
// log of the class's rows for each parameter (BIC's), with one row of the whole column added to each class so that
// classes of few rows stay sane.
#pragma once
#include <string>
#include <vector>

#include "suffice/accumulate/number_counts.hpp"

namespace suffice {

// Log of a Bayes factor (Kass and Raftery 1995): less does not displace the Gaussian, nor a family that a user named.
inline constexpr double very_strong = 5;

struct FamilyEvidence {
    std::string family;  // a column family's, "categorical", "histogram" or "zero_inflated"
    double evidence = 0;
    NumberCounts bins = {};  // of a histogram
};

struct NumberChoice {
    std::string family;
    std::string next = {};   // the best of the others
    double gain = 0;         // log evidence above that one's; below zero: the Gaussian stays unless it is clearly worse
    NumberCounts bins = {};  // of a histogram
};

// All families of the list that know what to make of the numbers, the chosen one first.
std::vector<FamilyEvidence> weigh_families(const NumberCounts& counts, double smoothing,
                                           const std::vector<std::string>& among);
NumberChoice choose_family(const NumberCounts& counts, double smoothing, const std::vector<std::string>& among);
// Every family that needs no shape; a state keeps the list it began with, so that a later family changes no old model.
std::vector<std::string> families_to_choose();

}  // namespace suffice
