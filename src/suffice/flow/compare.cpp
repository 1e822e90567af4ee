// Learns the names of classes and levels in one pass, then compares under them.
#include "suffice/flow/compare.hpp"

#include <algorithm>

#include "suffice/flow/open_data.hpp"

namespace suffice {

Result<ComparedFiles> compare(const std::vector<std::string>& files, const FitOptions& options,
                              const FoldOptions& folds, const Context& context) {
    if (std::ranges::find(files, "-") != files.end())
        return Error(ErrorKind::usage, "compare reads its data several times; save standard input to a file first");
    FitOptions plain = options;
    plain.model = "naive_bayes";
    const auto first = fit(files, plain, context);
    if (!first) return first.error();
    ApplyOptions again;
    again.read = options.read;
    again.need_target = true;
    again.weight = options.weight;
    auto applied = open_for_model(*first, files, again);
    if (!applied) return applied.error();
    const Schema& schema = first->schema();
    std::vector<Candidate> candidates = usual_candidates(schema);
    for (auto& candidate : candidates) {
        candidate.recipe.families = options.families;
        candidate.recipe.settings.smoothing = options.smoothing;
    }
    auto compared = cross_validate(*applied->data.stream, schema, candidates, folds, context);
    if (!compared) return compared.error();
    return ComparedFiles{std::move(*compared), first->seen().rows, first->notes()};
}

}  // namespace suffice
