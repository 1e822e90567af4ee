// From a model to its formula, and from that to text.
#include "suffice/export/export.hpp"

namespace suffice {

Result<std::string> to_onnx(const Model& model, const ExportOptions& options) {
    const auto made = exported(model, options);
    if (!made) return made.error();
    return onnx_model(*made);
}

Result<CSource> to_c(const Model& model, const std::string& prefix, const ExportOptions& options, CNumber number) {
    const auto made = exported(model, options);
    if (!made) return made.error();
    return c_source(*made, prefix, prefix + ".h", number);
}

Result<std::string> to_sql(const Model& model, SqlDialect dialect, const std::string& table,
                           const ExportOptions& options) {
    const auto made = exported(model, options);
    if (!made) return made.error();
    return sql_query(*made, dialect, table);
}

}  // namespace suffice
