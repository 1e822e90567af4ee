// Parameters as people write and read them, covariances and probabilities, beside the form in which families keep them:
// Cholesky factors and logarithms.
#pragma once
#include "suffice/base/record.hpp"
#include "suffice/base/result.hpp"

namespace suffice {

// `covariance` becomes `factor`, a list `probability` becomes `log_probability`. What is no covariance is refused with
// its eigenvalue.
Result<Record> as_kept(const Record& told);

// The other way; everything else stays as it is.
Record as_told(const Record& kept);

// Lists that are square matrices, row by row.
bool is_matrix(std::string_view name);

}  // namespace suffice
