// Rows of counts under a Dirichlet posterior: the Dirichlet-multinomial, log p(x | c) = log h(x) +
// log G(A_c)/G(A_c + n) + sum_j log G(a_cj + x_j)/G(a_cj) with n = sum x, A_c = sum a_cj, h = n! / prod x!. Minka,
// "Estimating a Dirichlet distribution", 2000.
#pragma once
#include <memory>
#include <vector>

#include "suffice/score/scorer.hpp"

namespace suffice {

struct DirichletCounts {
    std::vector<std::uint32_t> columns;
    std::size_t class_count = 0;
    std::vector<double> alpha;       // classes x columns: pseudo-counts and counts seen
    std::vector<double> total;       // by class
    std::vector<double> mean_total;  // by class: of a row's counts; how many a drawn row has
};

std::unique_ptr<Scorer> dirichlet_counts_scorer(DirichletCounts posterior);

}  // namespace suffice
