// Prints summaries as JSON.
#include "cli/summary.hpp"

#include "cli/output.hpp"
#include "cli/spelling.hpp"

#include "suffice/report/model_report.hpp"

namespace suffice::cli {

Result<void> check_model_output(const Arguments& arguments, const std::string& path) {
    if (arguments.has("--json") && (path.empty() || path == "-"))
        return Error(ErrorKind::usage, "--json writes to standard output, so the model needs a file; name one with -o");
    return check_model_output(path);
}

Result<void> print_summary(const Model& model, const Made& made, double seconds) {
    return print(fit_json({model.predictor(), model.seen(), model.choices(), model.notes(), seconds, made.accuracy,
                           made.rows_before, spell_option, made.held_out ? &*made.held_out : nullptr, made.trace}));
}

}  // namespace suffice::cli
