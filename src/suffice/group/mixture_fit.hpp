// Fits a mixture of anything: several starts, EM over the same Parts until the log-likelihood stops rising, and what
// one asks of the result. The recipe says what a component is; its classes are the components.
#pragma once
#include "suffice/group/group_step.hpp"
#include "suffice/group/mixture.hpp"
#include "suffice/group/mixture_start.hpp"
#include "suffice/model/recipe.hpp"

namespace suffice {

struct MixtureSettings {
    MixtureStart start = MixtureStart::several;
    std::size_t starts = 1;  // the best is kept; 0: ten, or one where rows are so many that starts see a sample only
    std::size_t step_limit = 1000;
    double tolerance = 1e-7;  // EM stops once the log-likelihood per row rises by less
    bool hard = false;        // classification EM: it raises sum of w log p(x, best component) instead
    bool follow = false;      // the parameters before each step are kept, and those after the last
    bool moves = true;        // after several starts, components go from where they are hardly needed to where they are

    Result<void> check() const;
};

struct MixtureFit {
    Classifier model;
    double log_likelihood = 0;  // of all rows, under this model
    double log_classified = 0;  // sum of w log p(most probable component | row)
    double weight = 0;          // of all rows
    std::size_t steps = 0;
    bool settled = false;                      // else the limit of steps was reached
    std::vector<double> path = {};             // the log-likelihood before each step
    std::vector<GroupStep> followed = {};      // where asked for: one more than the path has
    std::vector<std::size_t> degenerate = {};  // components that rest on the floor of variances
    std::vector<Note> notes = {};

    // Of two fits the one without degenerate components is better, then the one with the higher objective.
    bool better_than(const MixtureFit& other, bool hard) const;
    // What the steps raise: the log-likelihood, or in classification EM sum of w log p(x, best component).
    double objective(bool hard) const { return log_likelihood + (hard ? log_classified : 0); }
    double bic() const;
    double aic() const;
    double icl() const { return bic() - 2 * log_classified; }  // Biernacki, Celeux, Govaert (2000)
};

// Names of components, "0" and on.
std::vector<std::string> component_names(std::size_t count);
// A blank state with so many components in place of classes; components are estimated by likelihood.
Result<ModelState> mixture_recipe(Recipe components, Schema schema, std::size_t count);

Result<MixtureFit> fit_mixture(const ModelState& recipe, Stream& stream, const MixtureSettings& settings,
                               const Context& context = {});
Result<MixtureFit> fit_mixture(const ModelState& recipe, Stream& stream, const LookedAt& looked,
                               const MixtureSettings& settings, const Context& context);
// EM from the component that each row begins in, by row number.
Result<MixtureFit> fit_from_labels(const ModelState& recipe, Stream& stream, std::span<const std::int32_t> label_of,
                                   const MixtureSettings& settings, const Context& context = {});
// EM from a model that is there already: one start, none looked for. The second form knows labels.
Result<MixtureFit> continue_mixture(const Classifier& first, Stream& stream, const MixtureSettings& settings,
                                    const Context& context = {});
Result<MixtureFit> continue_mixture(const Mixture& learner, Stream& stream, const MixtureSettings& settings,
                                    const Context& context);

// log p(x) of each row.
Result<std::vector<double>> log_densities(const Classifier& model, const Block& rows, const Context& context = {});

struct MixtureSample {
    Matrix rows;
    std::vector<std::int32_t> component;
};
MixtureSample sample_mixture(const Classifier& model, std::size_t count, Rng& rng);

}  // namespace suffice
