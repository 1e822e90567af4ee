// Reads how a mixture steps over batches.
#include "cli/online_options.hpp"

namespace suffice::cli {

Result<OnlineSteps> online_steps(const Arguments& arguments) {
    OnlineSteps steps;
    if (arguments.has("--decay")) {
        const auto keep = arguments.number("--decay", 1);
        if (!keep) return keep.error();
        if (!(*keep > 0 && *keep <= 1))
            return Error(ErrorKind::usage,
                         "--decay takes a number above 0 and up to 1, not \"" + arguments.text("--decay") + "\"");
        steps.keep = *keep;
    }
    const auto batch = arguments.whole("--batch", steps.batch_rows);
    if (!batch) return batch.error();
    if (*batch == 0) return Error(ErrorKind::usage, "--batch takes a number from 1");
    steps.batch_rows = *batch;
    return steps;
}

}  // namespace suffice::cli
