// Steps of a mixture over batches.
#include "suffice/model/online_mixture.hpp"

#include <algorithm>
#include <numeric>

#include "suffice/accumulate/fold.hpp"

namespace suffice {

Result<OnlineMixture> OnlineMixture::from(Classifier first, double keep) {
    if (!(keep > 0 && keep <= 1))
        return Error(ErrorKind::usage, "what is kept of earlier batches must be above 0 and at most 1");
    const auto& parts = first.state().statistic.parts;
    if (!std::ranges::all_of(parts, [](const Part& part) { return part.decays(); }))
        return Error(ErrorKind::usage, "a mixture can forget only where every column's statistic can be scaled");
    return OnlineMixture(std::move(first), keep);
}

Result<void> OnlineMixture::learn(const LabeledBlock& batch, const Context& context) {
    if (column_count(batch.rows) != model_.schema().columns.size())
        return Error(ErrorKind::usage, "the rows do not have the columns of the mixture");
    std::vector<std::int32_t> own(model_.class_count());
    std::iota(own.begin(), own.end(), 0);
    LabeledBlock unlabeled = batch;
    unlabeled.label = {};
    MemoryStream stream(unlabeled, model_.schema());
    auto gathered = fold(SharedRows{model_, own}, stream, context);
    if (!gathered) return gathered.error();
    ModelState state = model_.state();
    if (keep_ < 1) state.statistic.scale(keep_);
    state.statistic.merge(*gathered);
    auto next = Classifier::from(std::move(state));
    if (!next) return next.error();
    model_ = std::move(*next);
    return {};
}

}  // namespace suffice
