// Decimal text to the nearest double, exactly as strtod rounds.
#pragma once

namespace suffice::kernel {

// [begin, end) must be one whole number: digits with an optional sign, point and exponent, or inf, infinity, nan in any
// case. Too large gives infinity, too small zero. False: not a number, and `value` is untouched.
bool parse_decimal(const char* begin, const char* end, double& value);

}  // namespace suffice::kernel
