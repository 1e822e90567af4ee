// Fits without some rows, then evaluates on them.
#include "suffice/flow/holdout.hpp"

#include <algorithm>

namespace suffice {

Result<HeldOut> fit_and_judge(const std::vector<std::string>& files, const FitOptions& options, const RowsApart& apart,
                              const Context& context) {
    if (std::ranges::find(files, "-") != files.end())
        return Error(ErrorKind::usage, "rows held out are read a second time; save standard input to a file first");
    FitOptions own = options;
    own.read.apart = apart;
    own.read.apart.only = false;
    own.read.apart.seed = context.seed;
    const bool by_value = !apart.column.empty() && !apart.later;
    if (by_value) own.exclude.push_back(apart.column);
    auto model = fit(files, own, context);
    if (!model) return model.error();
    if (by_value)
        *model = model->with_note("the column " + apart.column +
                                  " says which rows were held out, so it was not learned from");
    ApplyOptions again;
    again.read = own.read;
    again.read.apart.only = true;
    again.allow_missing_columns = options.read.missing_columns;
    again.weight = options.weight;
    auto judged = evaluate(*model, files, again, context);
    if (!judged)
        return Error(judged.error().kind, "of the rows held out: " + judged.error().message)
            .in_file(judged.error().file);
    return HeldOut{std::move(*model), std::move(*judged)};
}

}  // namespace suffice
