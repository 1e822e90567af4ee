// EM over rows that come batch by batch and are seen once: each batch's E-step statistic is added to what was seen
// before, which may count for less and less. Neal and Hinton (1998); Liang and Klein (2009); Cappe and Moulines (2009).
#pragma once
#include <optional>

#include "suffice/group/degenerate.hpp"
#include "suffice/group/mixture.hpp"

namespace suffice {

struct OnlineSteps {
    // What the weight of earlier batches is multiplied by when a new one comes: 1 forgets nothing, less follows a
    // drift. Not given: they fade just so fast that the t-th batch has the share t^-0.7, by which what the first
    // batches got wrong is forgotten and a stream without drift still settles.
    std::optional<double> keep = {};
    std::size_t batch_rows = 4096;  // rows until the parameters are made anew

    Result<void> check() const;
    // The factor for a batch of weight `batch` behind batches that weigh `before`.
    // `part`: how much of a whole batch it is.
    double kept(double before, double batch, double part = 1) const;
};

class OnlineMixture {
public:
    static Result<OnlineMixture> from(Classifier first, const OnlineSteps& steps = {});

    const Classifier& model() const { return learner_.first; }
    std::size_t step_count() const { return step_count_; }
    // Shares under the model so far, then the model from all shares. Labels are not looked at. On an Error nothing has
    // changed.
    Result<void> learn(const LabeledBlock& batch, const Context& context = {});
    // Rows of a stream, cut into batches wherever they come from; finish() learns what is left of the last one.
    Result<void> add(const LabeledBlock& rows, const Context& context = {});
    Result<void> finish();
    std::size_t room() const { return steps_.batch_rows - gathered_rows_; }  // rows until the next step

private:
    OnlineMixture(Mixture learner, const OnlineSteps& steps)
        : learner_(std::move(learner)), steps_(steps), gathered_(model().state().statistic.blank()) {}
    Result<ModelStatistic> shares(const LabeledBlock& rows, const Context& context) const;
    Result<void> step(const ModelStatistic& batch, double part);

    Mixture learner_;  // `first` is the model so far
    OnlineSteps steps_;
    ModelStatistic gathered_;  // of the batch that is not full yet
    std::size_t gathered_rows_ = 0, step_count_ = 0;
};

}  // namespace suffice
