// EM, once for every mixture: an E-step that gathers statistics of components in one read of the rows, an M-step that
// is the estimator of the labelled model, and one rule for stopping. What a component is made of is the steps' own:
// Gaussian rows without holes go straight through the kernels, everything else over the Parts.
#pragma once
#include <memory>

#include "suffice/base/context.hpp"
#include "suffice/group/group_step.hpp"
#include "suffice/group/mixture.hpp"

namespace suffice {

struct MixtureSettings;

// Parameters of components, and the steps that better them.
class MixtureSteps {
public:
    struct Seen {
        double objective = 0,
               weight = 0;  // log-likelihood of the rows under the parameters as they stand, and their weight
    };

    virtual ~MixtureSteps() = default;
    virtual Result<Seen> expect(const Context& context) = 0;  // E-step: gathers under the parameters as they stand
    virtual Result<void> maximize() = 0;                      // M-step: parameters of what was gathered
    virtual void take_back() = 0;                             // the parameters before the last M-step
    virtual Result<Classifier> model() const = 0;             // as the parameters stand
    // A step never lowers the likelihood, except where something is added to variances or a prior pulls.
    virtual bool never_falls() const = 0;
};

struct StepsTaken {
    std::size_t steps = 0;
    bool settled = false;                  // else the limit of steps was reached
    std::vector<double> path = {};         // the objective before each step
    std::vector<GroupStep> followed = {};  // the parameters before each step, where they are asked for
    double weight = 0;                     // of the rows
};

// Until the objective per row rises by less than the tolerance. `before`: per row, of steps taken earlier.
Result<StepsTaken> run_steps(MixtureSteps& steps, const MixtureSettings& settings, const Context& context,
                             std::optional<double> before = {});

// The steps that fit the rows best. The stream must outlive them.
Result<std::unique_ptr<MixtureSteps>> mixture_steps(const Mixture& learner, Stream& stream, bool hard,
                                                    const Context& context);

}  // namespace suffice
