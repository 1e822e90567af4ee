// What options of passes make no sense together.
#include "suffice/flow/fit_options.hpp"

namespace suffice {

Result<void> PassOptions::check() const {
    if (unlabeled_weight != 1 && !uses_unlabeled())
        return Error(ErrorKind::usage, "unlabeled_weight is for rows without a class that take part")
            .advise({"unlabeled", "use"});
    return {};
}

}  // namespace suffice
