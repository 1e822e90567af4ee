// Fits mixtures class by class, then all of them together, and chooses among structures.
#include <array>
#include <cmath>
#include <numeric>

#include "suffice/group/class_stream.hpp"
#include "suffice/group/mixture_unlabeled.hpp"

namespace suffice {
namespace {

// From one sphere size for all to a covariance of each component. One component per class makes them nearest means,
// diagonal and linear discriminants, naive Bayes and the quadratic discriminant.
constexpr std::array usual_shapes{ComponentShape::full, ComponentShape::tied,      ComponentShape::diagonal,
                                  ComponentShape::eei,  ComponentShape::spherical, ComponentShape::eii};
// Of rows too many to be looked at all.
constexpr std::array large_shapes{ComponentShape::full, ComponentShape::tied};

struct Fitted {
    MixtureDiscriminant model;
    double bic = 0;
    bool degenerate = false;

    bool better_than(const Fitted& other) const {
        if (degenerate != other.degenerate) return !degenerate;
        return bic < other.bic;
    }
};

// EM for all classes together; `state` says which component belongs to which.
Result<Fitted> fit_together(MixtureState state, const Classifier& first, Stream& stream, const MixtureSettings& steps,
                            double unlabeled_weight, const Context& context) {
    const std::vector<std::int32_t> class_of(state.class_of.begin(), state.class_of.end());
    auto fit = continue_mixture(Mixture{first, class_of, unlabeled_weight}, stream, steps, context);
    if (!fit) return fit.error();
    state.components = fit->model.state();
    state.log_likelihood = fit->log_likelihood;
    state.notes = std::move(fit->notes);
    const double bic = fit->bic();
    const bool degenerate = !fit->degenerate.empty();
    auto model = MixtureDiscriminant::from(std::move(state));
    if (!model) return model.error();
    return Fitted{std::move(*model), bic, degenerate};
}

// The mixture of one class, from its rows alone: of more and more components, until BIC has risen twice.
Result<MixtureFit> fit_class(const Schema& columns, Stream& rows, const MixtureDiscriminantSettings& settings,
                             ComponentShape shape, const Context& context) {
    GaussianMixtureSettings own;
    own.shape = shape;
    own.steps = settings.steps;
    own.components = settings.components;
    if (settings.components > 0) return fit_gaussian_mixture(rows, columns, own, context);
    std::optional<MixtureFit> best;
    std::size_t worse = 0;
    for (own.components = 1; own.components <= settings.most_components && worse < 2; ++own.components) {
        auto tried = fit_gaussian_mixture(rows, columns, own, context);
        if (!tried) {
            if (!best || tried.error().kind == ErrorKind::cancelled) return tried.error();
            break;
        }
        const bool better = !best || std::pair(!tried->degenerate.empty(), tried->bic()) <
                                         std::pair(!best->degenerate.empty(), best->bic());
        worse = better ? 0 : worse + 1;
        if (better) best = std::move(*tried);
    }
    return std::move(*best);
}

Result<Fitted> fit_shape(const Schema& schema, Stream& stream, const MixtureDiscriminantSettings& settings,
                         ComponentShape shape, double unlabeled_weight, const Context& context) {
    MixtureState state;
    state.schema = schema;
    std::optional<ModelState> all;
    for (std::size_t c = 0; c < schema.classes.size(); ++c) {
        ClassStream rows(stream, static_cast<std::int32_t>(c), schema);
        auto own = fit_class(schema, rows, settings, shape, context);
        if (!own) {
            Error error = own.error();
            error.message = "class " + schema.classes[c] + ": " + error.message;
            return error;
        }
        ModelState part = own->model.state();
        auto& names = part.statistic.schema.classes;
        for (std::size_t k = 0; k < names.size(); ++k) {
            names[k] = schema.classes[c] + " " + std::to_string(k + 1);
            state.class_of.push_back(static_cast<std::uint32_t>(c));
        }
        if (!all) {
            all = std::move(part);
        } else {
            all->statistic.merge(part.statistic);
        }
    }
    all->passes = Passes::mixture;
    const auto first = Classifier::from(*all);
    if (!first) return first.error();
    return fit_together(std::move(state), *first, stream, settings.steps, unlabeled_weight, context);
}

}  // namespace

Result<MixtureDiscriminant> fit_mixture_discriminant(const Schema& schema, Stream& stream,
                                                     const MixtureDiscriminantSettings& settings,
                                                     const Context& context) {
    return fit_mixture_discriminant(schema, stream, settings, 0, context);
}

Result<MixtureDiscriminant> fit_mixture_discriminant(const Schema& schema, Stream& stream,
                                                     const MixtureDiscriminantSettings& settings,
                                                     double unlabeled_weight, const Context& context) {
    if (auto checked = check_unlabeled_weight(unlabeled_weight); !checked) return checked.error();
    const auto looked = look_at_rows(stream, schema, {}, context);
    if (!looked) return looked.error();
    const bool all_seen = looked->sample.size() < looked->sample.limit;
    std::vector<ComponentShape> shapes{settings.shape};
    if (settings.shape == ComponentShape::any && all_seen) shapes.assign(usual_shapes.begin(), usual_shapes.end());
    if (settings.shape == ComponentShape::any && !all_seen) shapes.assign(large_shapes.begin(), large_shapes.end());
    std::optional<Fitted> best;
    std::optional<Error> failure;
    for (const ComponentShape shape : shapes) {
        auto tried = fit_shape(schema, stream, settings, shape, unlabeled_weight, context);
        if (!tried) {
            if (tried.error().kind == ErrorKind::cancelled || tried.error().kind == ErrorKind::io) return tried.error();
            if (!failure) failure = tried.error();
        } else if (!best || tried->better_than(*best)) {
            best = std::move(*tried);
        }
    }
    if (!best) return *failure;
    return std::move(best->model);
}

Result<MixtureDiscriminant> update(const MixtureDiscriminant& model, Stream& stream, const Context& context) {
    auto fitted = fit_together(model.state(), model.components(), stream, {}, 0, context);
    if (!fitted) return fitted.error();
    return std::move(fitted->model);
}

}  // namespace suffice
