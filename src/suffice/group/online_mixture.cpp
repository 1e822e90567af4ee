// Steps of a mixture over batches.
#include "suffice/group/online_mixture.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "suffice/accumulate/fold.hpp"

namespace suffice {
namespace {

constexpr double power = 0.7;  // above 1/2, so that the noise of batches averages out (Cappe and Moulines, section 3)

}  // namespace

Result<void> OnlineSteps::check() const {
    if (keep && !(*keep > 0 && *keep <= 1))
        return Error(ErrorKind::usage, "what is kept of earlier batches must be above 0 and at most 1");
    if (batch_rows == 0) return Error(ErrorKind::usage, "a batch must have at least 1 row");
    return {};
}

double OnlineSteps::kept(double before, double batch, double part) const {
    if (keep) return std::pow(*keep, part);
    // Batches of equal weight weigh t^power together after the t-th, of which the last is one.
    const double weight = before / batch;
    if (!(weight >= 1)) return 1;
    const double count = std::pow(weight, 1 / power);
    return (std::pow(count + 1, power) - 1) / weight;
}

Result<OnlineMixture> OnlineMixture::from(Classifier first, const OnlineSteps& steps) {
    if (auto checked = steps.check(); !checked) return checked.error();
    const auto& parts = first.state().statistic.parts;
    if (!std::ranges::all_of(parts, [](const Part& part) { return part.decays(); }))
        return Error(ErrorKind::usage, "a mixture can forget only where every column's statistic can be scaled");
    std::vector<std::int32_t> own(first.class_count());
    std::iota(own.begin(), own.end(), 0);
    return OnlineMixture(Mixture{std::move(first), std::move(own)}, steps);
}

Result<ModelStatistic> OnlineMixture::shares(const LabeledBlock& rows, const Context& context) const {
    if (column_count(rows.rows) != model().schema().columns.size())
        return Error(ErrorKind::usage, "the rows do not have the columns of the mixture");
    LabeledBlock unlabeled = rows;
    unlabeled.label = {};
    MemoryStream stream(unlabeled, model().schema());
    return fold(learner_.pass(model()), stream, context);
}

Result<void> OnlineMixture::step(const ModelStatistic& batch, double part) {
    if (!(batch.weight() > 0)) return {};
    ModelStatistic all = model().state().statistic;
    const double keep = steps_.kept(all.weight(), batch.weight(), part);
    if (keep < 1) {
        all.scale(keep);
        all.log_likelihood *= keep;
    }
    all.merge(batch);
    auto next = learner_.step(model(), std::move(all));
    if (!next) return next.error();
    learner_.first = std::move(*next);
    ++step_count_;
    return {};
}

Result<void> OnlineMixture::learn(const LabeledBlock& batch, const Context& context) {
    const auto gathered = shares(batch, context);
    if (!gathered) return gathered.error();
    return step(*gathered, 1);
}

Result<void> OnlineMixture::add(const LabeledBlock& rows, const Context& context) {
    for (std::size_t first = 0; first < rows.size();) {
        const std::size_t count = std::min(rows.size() - first, room());
        const auto gathered = shares(rows.slice(first, count), context);
        if (!gathered) return gathered.error();
        gathered_.merge(*gathered);
        gathered_rows_ += count;
        first += count;
        if (gathered_rows_ == steps_.batch_rows)
            if (auto made = finish(); !made) return made;
    }
    return {};
}

Result<void> OnlineMixture::finish() {
    const ModelStatistic batch = std::exchange(gathered_, gathered_.blank());
    const std::size_t rows = std::exchange(gathered_rows_, 0);
    return step(batch, static_cast<double>(rows) / static_cast<double>(steps_.batch_rows));
}

}  // namespace suffice
