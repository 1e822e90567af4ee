// EM over rows that come batch by batch and are seen once: each batch's E-step statistic is added to what was seen
// before, which may count for less and less. Neal and Hinton (1998); Cappe and Moulines (2009).
#pragma once
#include "suffice/model/mixture.hpp"

namespace suffice {

class OnlineMixture {
public:
    // keep: what the weight of earlier batches is multiplied by when a new one comes; 1 forgets nothing.
    static Result<OnlineMixture> from(Classifier first, double keep = 1);

    const Classifier& model() const { return model_; }
    // Shares under the model so far, then the model from all shares. Labels are not looked at.
    Result<void> learn(const LabeledBlock& batch, const Context& context = {});

private:
    OnlineMixture(Classifier first, double keep) : model_(std::move(first)), keep_(keep) {}

    Classifier model_;
    double keep_ = 1;
};

}  // namespace suffice
