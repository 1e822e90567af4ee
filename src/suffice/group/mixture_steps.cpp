// The loop of EM, and steps over Parts.
#include "suffice/group/mixture_steps.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "suffice/group/gaussian_steps.hpp"
#include "suffice/group/mixture_fit.hpp"

namespace suffice {
namespace {

class PartSteps final : public MixtureSteps {
public:
    PartSteps(Mixture learner, Stream& stream, bool hard)
        : learner_(std::move(learner)), current_(learner_.first), stream_(stream), hard_(hard) {}

    Result<Seen> expect(const Context& context) override {
        if (auto again = stream_.rewind(); !again) return again.error();
        SharedRows pass = learner_.pass(current_);
        pass.hard = hard_;
        auto gathered = fold(pass, stream_, context);
        if (!gathered) return gathered.error();
        gathered_ = std::move(*gathered);
        return Seen{gathered_.log_likelihood, gathered_.weight()};
    }
    Result<void> maximize() override {
        auto next = learner_.step(current_, gathered_);
        if (!next) return next.error();
        previous_ = std::exchange(current_, std::move(*next));
        return {};
    }
    void take_back() override {
        if (previous_) current_ = *previous_;
    }
    Result<Classifier> model() const override { return current_; }
    bool never_falls() const override {
        const Settings& settings = current_.state().settings;
        return settings.by_likelihood() && settings.added_variance == 0;
    }

private:
    Mixture learner_;
    Classifier current_;
    std::optional<Classifier> previous_;
    ModelStatistic gathered_;
    Stream& stream_;
    bool hard_;
};

}  // namespace

Result<StepsTaken> run_steps(MixtureSteps& steps, const MixtureSettings& settings, const Context& context,
                             std::optional<double> before) {
    StepsTaken taken;
    for (; taken.steps < settings.step_limit && !taken.settled; ++taken.steps) {
        const auto seen = steps.expect(context);
        if (!seen) return seen.error();
        const double now = seen->objective;
        taken.weight = seen->weight;
        if (!std::isfinite(now)) return Error("the log-likelihood of the mixture is not finite");
        const double earlier = !taken.path.empty() ? taken.path.back()
                               : before            ? *before * seen->weight
                                                   : -std::numeric_limits<double>::infinity();
        taken.path.push_back(now);
        if (settings.follow) {
            const auto model = steps.model();
            if (!model) return model.error();
            taken.followed.push_back(group_step(*model));
        }
        // Where a step has lowered what it should raise, that is rounding or the floor: the step is taken back.
        if (steps.never_falls() && now < earlier - 1e-9 * (std::abs(now) + seen->weight)) {
            steps.take_back();
            taken.settled = true;
            break;
        }
        if (auto made = steps.maximize(); !made) return made.error();
        taken.settled = std::abs(now - earlier) < settings.tolerance * seen->weight;
    }
    return taken;
}

Result<std::unique_ptr<MixtureSteps>> mixture_steps(const Mixture& learner, Stream& stream, bool hard,
                                                    const Context& context) {
    auto gaussian = GaussianSteps::over(learner, stream, hard, context);
    if (!gaussian) return gaussian.error();
    if (*gaussian) return std::unique_ptr<MixtureSteps>(std::move(*gaussian));
    return std::unique_ptr<MixtureSteps>(std::make_unique<PartSteps>(learner, stream, hard));
}

}  // namespace suffice
