// Fits mixtures class by class, then all of them together, and chooses among structures.
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "suffice/group/class_stream.hpp"
#include "suffice/group/mixture_moments.hpp"
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

// One mixture of one class: on from where an earlier fit has ended, if there was one.
Result<MixtureFit> fit_count(const Schema& columns, Stream& rows, const GaussianMixtureSettings& own,
                             const std::string& class_name, EarlierMixtures* earlier, const Context& context) {
    if (earlier != nullptr) {
        if (const Classifier* known = earlier->of(class_name, own.shape, own.components)) {
            auto went_on = continue_mixture(*known, rows, own.steps, context);
            if (went_on || went_on.error().kind == ErrorKind::cancelled) return went_on;
        }
    }
    auto fit = fit_gaussian_mixture(rows, columns, own, context);
    if (fit && earlier != nullptr) earlier->keep(class_name, own.shape, fit->model);
    return fit;
}

// The mixture of one class, from its rows alone: of more and more components, until BIC has risen twice.
Result<MixtureFit> fit_class(const Schema& columns, Stream& rows, const MixtureDiscriminantSettings& settings,
                             ComponentShape shape, const std::string& class_name, EarlierMixtures* earlier,
                             const Context& context) {
    GaussianMixtureSettings own;
    own.shape = shape;
    own.steps = settings.steps;
    own.components = settings.components;
    const auto fit = [&] { return fit_count(columns, rows, own, class_name, earlier, context); };
    if (settings.components > 0) return fit();
    std::optional<MixtureFit> best;
    std::size_t worse = 0;
    for (own.components = 1; own.components <= settings.most_components && worse < 2; ++own.components) {
        // Too few rows for as many scatters of full rank: degenerate, whatever EM finds.
        const auto fewest_rows = static_cast<double>(own.components * (columns.columns.size() + 1));
        if (best && needs_full_rank(shape) && best->weight < fewest_rows) break;
        auto tried = fit();
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

Error of_class(Error error, const Schema& schema, std::size_t c) {
    error.message = "class " + schema.classes[c] + ": " + error.message;
    return error;
}

Result<Fitted> fit_shape(const Schema& schema, Stream& stream, const MixtureDiscriminantSettings& settings,
                         ComponentShape shape, double unlabeled_weight, EarlierMixtures* earlier,
                         const Context& context) {
    MixtureState state;
    state.schema = schema;
    std::optional<ModelState> all;
    for (std::size_t c = 0; c < schema.classes.size(); ++c) {
        ClassStream rows(stream, static_cast<std::int32_t>(c), schema);
        auto own = fit_class(schema, rows, settings, shape, schema.classes[c], earlier, context);
        if (!own) return of_class(own.error(), schema, c);
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

std::vector<ComponentShape> shapes_to_try(const MixtureDiscriminantSettings& settings, bool all_seen, std::size_t d) {
    if (settings.shape != ComponentShape::any) return {settings.shape};
    if (!all_seen) return {large_shapes.begin(), large_shapes.end()};
    if (settings.structures == Structures::shared) return {usual_shapes.begin(), usual_shapes.end()};
    const auto every = every_shape(d);
    return {every.begin(), every.end()};
}

// With holes a step costs tens of times as much: what a BIC hardly depends on is left to the one that is chosen.
MixtureDiscriminantSettings rough_choice(MixtureDiscriminantSettings settings) {
    settings.steps.moves = false;
    settings.steps.tolerance = std::max(settings.steps.tolerance, 1e-5);
    return settings;
}

// Each class by itself; what comes of its structure is kept as covariances of full components.
class OwnStructures {
public:
    OwnStructures(const Schema& schema, const MixtureDiscriminantSettings& settings) : schema_(schema) {
        own_.steps = settings.steps;
        for (std::size_t k = 1; k <= settings.most_components; ++k) counts_.push_back(k);
        if (settings.components > 0) counts_ = {settings.components};
        state_.schema = schema;
        columns_ = schema;
        columns_.classes.clear();
    }

    Result<void> add(std::size_t c, Stream& stream, std::span<const ComponentShape> shapes, const Context& context) {
        ClassStream rows(stream, static_cast<std::int32_t>(c), schema_);
        const auto choice = choose_gaussian_mixture(rows, schema_, counts_, shapes, own_, context);
        if (!choice) return of_class(choice.error(), schema_, c);
        const MixtureFit& fit = choice->best;
        const MixtureCandidate& chosen = choice->candidates[choice->chosen];
        const auto found = components_of(fit.model);
        if (!found) return found.error();
        for (std::size_t k = 0; k < found->weight.size(); ++k) {
            moments_.weight.push_back(fit.weight * found->weight[k]);
            mean_.insert(mean_.end(), found->mean.row(k).begin(), found->mean.row(k).end());
            moments_.covariance.insert(moments_.covariance.end(), found->covariance[k].begin(),
                                       found->covariance[k].end());
            columns_.classes.push_back(schema_.classes[c] + " " + std::to_string(k + 1));
            state_.class_of.push_back(static_cast<std::uint32_t>(c));
        }
        class_weight_.push_back(fit.weight);
        state_.log_likelihood += fit.log_likelihood;
        state_.structures.emplace_back(name_of(chosen.shape));
        state_.parameters += chosen.parameter_count + (c > 0 ? 1 : 0);
        for (const Note& note : fit.notes) state_.notes.push_back("class " + schema_.classes[c] + ": " + note.sentence);
        return {};
    }

    Result<MixtureDiscriminant> finish() {
        const double total = std::accumulate(class_weight_.begin(), class_weight_.end(), 0.0);
        for (const double weight : class_weight_) state_.log_likelihood += weight * std::log(weight / total);
        own_.components = moments_.weight.size();
        own_.shape = ComponentShape::full;
        moments_.mean = Matrix(own_.components, schema_.columns.size());
        moments_.mean.values = std::move(mean_);
        moments_.total_weight = total;
        const auto all = gaussian_mixture_of(columns_, moments_, own_);
        if (!all) return all.error();
        state_.components = all->state();
        state_.components.statistic.schema.classes = columns_.classes;
        state_.components.passes = Passes::mixture;
        return MixtureDiscriminant::from(std::move(state_));
    }

private:
    const Schema& schema_;
    GaussianMixtureSettings own_;
    std::vector<std::size_t> counts_;
    MixtureState state_;
    Schema columns_;  // components in the place of classes
    ComponentMoments moments_;
    std::vector<double> mean_, class_weight_;
};

Result<MixtureDiscriminant> fit_own_structures(const Schema& schema, Stream& stream,
                                               const MixtureDiscriminantSettings& settings,
                                               std::span<const ComponentShape> shapes, double unlabeled_weight,
                                               const Context& context) {
    if (unlabeled_weight > 0)
        return Error(ErrorKind::usage, "rows without a class take part where all classes share a structure")
            .advise({"structures", "shared"});
    OwnStructures own(schema, settings);
    for (std::size_t c = 0; c < schema.classes.size(); ++c)
        if (auto added = own.add(c, stream, shapes, context); !added) return added.error();
    return own.finish();
}

}  // namespace

const Classifier* EarlierMixtures::of(const std::string& class_name, ComponentShape shape,
                                      std::size_t components) const {
    const auto found = ends_.find({class_name, shape, components});
    return found == ends_.end() ? nullptr : &found->second;
}

void EarlierMixtures::keep(const std::string& class_name, ComponentShape shape, const Classifier& end) {
    ends_.insert_or_assign({class_name, shape, end.class_count()}, end);
}

Result<MixtureDiscriminant> fit_mixture_discriminant(const Schema& schema, Stream& stream,
                                                     const MixtureDiscriminantSettings& settings,
                                                     const Context& context) {
    return fit_mixture_discriminant(schema, stream, settings, 0, context);
}

Result<MixtureDiscriminant> fit_mixture_discriminant(const Schema& schema, Stream& stream,
                                                     const MixtureDiscriminantSettings& settings,
                                                     double unlabeled_weight, const Context& context,
                                                     EarlierMixtures* earlier) {
    if (auto checked = check_unlabeled_weight(unlabeled_weight); !checked) return checked.error();
    const auto looked = look_at_rows(stream, schema, {}, context);
    if (!looked) return looked.error();
    const bool all_seen = looked->sample.size() < looked->sample.limit;
    const auto shapes = shapes_to_try(settings, all_seen, schema.columns.size());
    if (settings.structures == Structures::per_class)
        return fit_own_structures(schema, stream, settings, shapes, unlabeled_weight, context);
    const bool roughly = looked->sample.has_holes && (shapes.size() > 1 || settings.components == 0);
    const auto trying = roughly ? rough_choice(settings) : settings;
    std::optional<Fitted> best;
    std::optional<Error> failure;
    for (const ComponentShape shape : shapes) {
        auto tried = fit_shape(schema, stream, trying, shape, unlabeled_weight, earlier, context);
        if (!tried) {
            if (tried.error().kind == ErrorKind::cancelled || tried.error().kind == ErrorKind::io) return tried.error();
            if (!failure) failure = tried.error();
        } else if (!best || tried->better_than(*best)) {
            best = std::move(*tried);
        }
    }
    if (!best) return *failure;
    if (!roughly) return std::move(best->model);
    auto settled =
        fit_together(best->model.state(), best->model.components(), stream, settings.steps, unlabeled_weight, context);
    if (!settled) return settled.error();
    return std::move(settled->model);
}

Result<MixtureDiscriminant> update(const MixtureDiscriminant& model, Stream& stream, const Context& context) {
    if (!model.state().structures.empty())
        return Error(ErrorKind::usage, "classes with a structure of their own are fitted anew, not updated")
            .advise({"structures", "shared"});
    auto fitted = fit_together(model.state(), model.components(), stream, {}, 0, context);
    if (!fitted) return fitted.error();
    return std::move(fitted->model);
}

}  // namespace suffice
