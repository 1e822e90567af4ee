// Rows in memory read as flags: 1 where a value is above a threshold. Made unit by unit, so X is never copied.
#pragma once
#include <memory>

#include "suffice/data/stream.hpp"

namespace suffice::python {

std::unique_ptr<Stream> flag_stream(LabeledBlock rows, Schema names, double threshold);

}  // namespace suffice::python
