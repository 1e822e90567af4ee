// What a distribution comes to, and what is done with it, written as terms.
#pragma once
#include <vector>

#include "suffice/base/result.hpp"
#include "suffice/family/prior_text.hpp"
#include "suffice/report/calculation.hpp"

namespace suffice {

// The family of a prior that is no family itself, such as categorical of dirichlet; empty: there is none.
std::string_view family_of_prior_term(std::string_view name);
std::vector<std::string_view> prior_terms();
// A prior by itself, as "wishart(degrees=5, covariance=[[1, 0], [0, 1]])": where its mean and its mode are, and what
// holds 95 % of it.
Result<Calculation> calculate_prior(const PriorText& term, const std::string& text);
// The first term is a family with its parameter; see calculate.hpp.
Result<Calculation> calculate_family(const std::vector<PriorText>& terms);

}  // namespace suffice
