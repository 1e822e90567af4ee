// Where in the files a problem lies, looked for once there is one.
#pragma once
#include "suffice/flow/open_data.hpp"

namespace suffice {

// Names the file, where there is only one.
Error in_data(Error error, const TableReader& reader);

// A value that a family does not allow shows in the sums only: reads the files again up to the first row that `recipe`
// refuses. A pipe cannot be read again; then the error stays as it is.
Error at_refused_row(Error error, OpenedData& opened, const ModelState& recipe);

// The error with the file and line of the row that it counts from the first one of all files.
Error at_counted_row(Error error, OpenedData& opened);

}  // namespace suffice
