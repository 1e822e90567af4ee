// What one family makes of the columns of a table, in words and for programs.
#pragma once
#include <string>
#include <vector>

#include "suffice/base/record.hpp"

namespace suffice {

struct FamilyFit {
    std::string column, family;
    double rows = 0;
    Record likelihood, unbiased;  // parameters; unbiased is empty where there is no such form
    std::vector<double> natural;
    double log_partition = 0, log_likelihood = 0;
    std::string prior_name;  // empty: the family has no conjugate prior
    Record prior, posterior, posterior_mean;
    double log_evidence = 0;
};

std::string family_text(const std::vector<FamilyFit>& fits);
std::string family_json(const std::vector<FamilyFit>& fits);

}  // namespace suffice
