// Mixtures of Gaussians: the structures of the components as recipes for EM, components given by their parameters, and
// the choice of number and structure by BIC.
#pragma once
#include <optional>
#include <span>

#include "suffice/group/component_shape.hpp"
#include "suffice/group/mixture_fit.hpp"

namespace suffice {

struct GaussianMixtureSettings {
    std::size_t components = 1;
    ComponentShape shape = ComponentShape::full;
    double added_variance = 0;  // to every variance, in the columns' units, as scikit-learn has it
    MixtureSettings steps = {};
    // Normal-Wishart, on the precisions that the shape allows: the mode of the posterior, so no component collapses.
    std::optional<GaussianPrior> prior = {};
    // Such a prior from the rows themselves, after Fraley and Raftery (2007), its mode over covariances: mean and
    // covariance of all rows, the latter over components^(2 / columns), worth 0.01 rows for the mean and columns + 2
    // for the scatter, or the mean_weight and the degrees of `prior` where they are positive.
    bool default_prior = false;
    std::span<const std::int32_t> labels = {};  // the component that each row begins in, instead of looked-for starts
    bool learns_on = false;                     // rows with holes may come later, though those of now have none
};

// Every column of the schema is a number. Tied components pool their scatter unless rows have holes.
Result<ModelState> gaussian_mixture_recipe(const Schema& schema, const GaussianMixtureSettings& settings,
                                           bool rows_have_holes = true);

Result<MixtureFit> fit_gaussian_mixture(Stream& stream, const Schema& schema, const GaussianMixtureSettings& settings,
                                        const Context& context = {});

struct GaussianComponents {
    std::vector<double> weight;                   // sums to one
    Matrix mean;                                  // components x columns
    std::vector<std::vector<double>> covariance;  // of each component, columns x columns; of diagonal shapes the
                                                  // diagonal counts, of tied ones the first
};

// The model with these parameters, to score with or to continue from.
Result<Classifier> gaussian_mixture_of(const Schema& schema, const GaussianComponents& components,
                                       const GaussianMixtureSettings& settings);
// The parameters of a fitted one.
Result<GaussianComponents> components_of(const Classifier& model);

struct MixtureCandidate {
    std::size_t components = 0;
    ComponentShape shape = ComponentShape::full;
    double bic = 0, log_likelihood = 0;  // NaN: it could not be fitted
    std::size_t parameter_count = 0;
    bool degenerate = false;  // some component rests on the floor: no choice
};
struct MixtureChoice {
    MixtureFit best;
    std::vector<MixtureCandidate> candidates;  // in the order asked for, those left out that one component makes alike
    std::size_t chosen = 0;                    // among them
};
// The lowest BIC among all numbers and shapes whose components all have a scatter of full rank; without any such, the
// lowest of all.
Result<MixtureChoice> choose_gaussian_mixture(Stream& stream, const Schema& schema,
                                              std::span<const std::size_t> components,
                                              std::span<const ComponentShape> shapes,
                                              const GaussianMixtureSettings& settings, const Context& context = {});

}  // namespace suffice
