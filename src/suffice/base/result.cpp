// Throws what a Result holds instead of a value.
#include "suffice/base/result.hpp"

namespace suffice {

void throw_error(const Error& error) { throw Exception(error); }

}  // namespace suffice
