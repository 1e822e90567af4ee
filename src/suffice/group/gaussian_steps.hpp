// EM over Gaussian rows without holes: the fused pass of the kernels, and the estimator of Gaussian classes.
#pragma once
#include "suffice/estimate/gaussians.hpp"
#include "suffice/group/gaussian_pass.hpp"
#include "suffice/group/mixture_steps.hpp"

namespace suffice {

// The parameters that a state of Gaussian components has, by its settings. An Error: it has other Parts.
Result<EstimatedGaussians> gaussians_of(const ModelState& state);
// Those that an M-step makes of gathered moments; `recipe` says how.
Result<EstimatedGaussians> gaussians_of(const ComponentMoments& moments, const ModelState& recipe);
// The state whose statistic is these moments.
ModelState state_of(const ComponentMoments& moments, const ModelState& recipe);

class GaussianSteps final : public MixtureSteps {
public:
    // Components given by their scores. `recipe` is a blank state with a class for each component.
    GaussianSteps(std::shared_ptr<GaussianRows> rows, ModelState recipe, ScoredComponents start, bool hard,
                  Narrowing narrowing = {})
        : rows_(std::move(rows)),
          recipe_(std::move(recipe)),
          current_(std::move(start)),
          hard_(hard),
          narrowing_(std::move(narrowing)) {}
    // Nothing where the components are not Gaussian or values are missing.
    static Result<std::unique_ptr<GaussianSteps>> over(const Mixture& learner, Stream& stream, bool hard,
                                                       const Context& context);

    Result<Seen> expect(const Context& context) override;
    Result<void> maximize() override;
    void take_back() override;
    Result<Classifier> model() const override;
    bool never_falls() const override;

    const ScoredComponents& components() const { return current_; }
    // What the parameters come from; nothing before the first M-step.
    const std::optional<ComponentMoments>& moments() const { return moments_; }

private:
    std::shared_ptr<GaussianRows> rows_;
    ModelState recipe_;
    ScoredComponents current_, previous_;
    bool hard_;
    Narrowing narrowing_;
    ComponentMoments gathered_;
    std::optional<ComponentMoments> moments_, previous_moments_;
    std::optional<Classifier> first_;  // the model of the start, where there is one
};

}  // namespace suffice
