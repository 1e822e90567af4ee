// A model as text and bytes for other programs, which need nothing of this library: the same posteriors and decisions.
#pragma once
#include "suffice/export/exported_model.hpp"

namespace suffice {

// The bytes of an ONNX file.
Result<std::string> to_onnx(const Model& model, const ExportOptions& options = {});
// C99: PREFIX.c, which includes PREFIX.h.
Result<CSource> to_c(const Model& model, const std::string& prefix = "suffice", const ExportOptions& options = {},
                     CNumber number = CNumber::real_double);
// One SELECT over the table.
Result<std::string> to_sql(const Model& model, SqlDialect dialect, const std::string& table = "data",
                           const ExportOptions& options = {});

}  // namespace suffice
