// Where in the files a problem lies, looked for once there is one.
#pragma once
#include "suffice/data/stream.hpp"
#include "suffice/model/classifier.hpp"
#include "suffice/read/table.hpp"

namespace suffice {

// Names the file, where there is only one.
Error in_data(Error error, const TableReader& reader);

// What must be said of rows that were read: ragged ones that were skipped, bytes that were replaced.
std::vector<Note> notes_of_reading(const TableReader& reader);

// A value that a family does not allow shows in the sums only: reads the rows again up to the first one that `recipe`
// refuses. A pipe cannot be read again; then the error stays as it is.
Error at_refused_row(Error error, Stream& rows, const ModelState& recipe);

// The error with the file and line of the row that it counts from the first one of all.
Error at_counted_row(Error error, Stream& rows);

}  // namespace suffice
