// Rows of counts and of flags: what a row of counts adds to the logarithm of its multinomial's h(x), and flags.
#pragma once
#include "suffice/kernel/rows.hpp"

namespace suffice::kernel {

// out[r] = log(N! / prod_j x_rj!) with N = sum_j x_rj, by log-gamma where a count is not whole; the error is below
// 1e-14 (log N! + columns + 1). False: a value is negative or not finite, and what is in `out` means nothing.
bool log_arrangements(Rows rows, double* out);

// Is every value 0 or 1?
bool are_flags(Rows rows);

// out = 1 where x > threshold, else 0; out: row-major without gaps, and it may be where the rows lie. False: a value is
// not finite.
bool to_flags(Rows rows, double threshold, double* out);

}  // namespace suffice::kernel
