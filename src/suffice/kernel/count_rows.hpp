// Rows of counts and of flags: what a row of counts adds to the logarithm of its multinomial's h(x), and flags.
#pragma once
#include "suffice/kernel/rows.hpp"

namespace suffice::kernel {

// out[r] = log(N! / prod_j x_rj!) with N = sum_j x_rj, by log-gamma where a count is not whole; the error is below
// 1e-14 (log N! + columns + 1). False: a value is negative or not finite, and what is in `out` means nothing.
bool log_arrangements(Rows rows, double* out);

// Is every value 0 or 1?
bool are_flags(Rows rows);

// out = 1 where x > threshold, else 0; out: row-major without gaps, and doubles may be where the rows lie. False: a
// value is not finite.
bool to_flags(Rows rows, double threshold, double* out);
bool to_flags(Rows rows, double threshold, std::uint8_t* out);

// Adds 1 to class_weight and each flag to `ones` (k x d, row-major) of each row's class; code as in class_moments.
// False: a value is neither 0 nor 1, and what was added means nothing.
bool class_flag_counts(ByteRows rows, const std::int32_t* code, std::size_t class_count, double* class_weight,
                       double* ones);

}  // namespace suffice::kernel
