// Fits mixtures class by class, then all of them together, and scores by summing over components.
#include "suffice/model/mixture_discriminant.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "suffice/kernel/softmax.hpp"
#include "suffice/math/log_sum_exp.hpp"
#include "suffice/math/sampling.hpp"
#include "suffice/model/class_stream.hpp"
#include "suffice/model/mixture_unlabeled.hpp"

namespace suffice {
namespace {

constexpr double minus_infinity = -std::numeric_limits<double>::infinity();

struct ComponentScratch {
    std::vector<double> joint;
};

Result<void> check_unlabeled_weight(double weight) {
    if (weight >= 0 && !std::isinf(weight)) return {};
    return Error(ErrorKind::usage, "the weight of rows without a class must be zero or a positive number");
}

// EM for all classes together; `state` says which component belongs to which.
Result<MixtureDiscriminant> fit_together(MixtureState state, const Classifier& first, Stream& stream,
                                         const MixtureSettings& steps, double unlabeled_weight,
                                         const Context& context) {
    const std::vector<std::int32_t> class_of(state.class_of.begin(), state.class_of.end());
    auto fit = continue_mixture(Mixture{first, class_of, 1e-9, unlabeled_weight}, stream, steps, context);
    if (!fit) return fit.error();
    state.components = fit->model.state();
    state.log_likelihood = fit->log_likelihood;
    state.notes = std::move(fit->notes);
    return MixtureDiscriminant::from(std::move(state));
}

// One component per class, and rows of any class.
Result<Classifier> fit_with_unlabeled(const Classifier& first, Stream& stream, double unlabeled_weight,
                                      const MixtureSettings& settings, const Context& context) {
    std::vector<std::int32_t> own(first.class_count());
    std::iota(own.begin(), own.end(), 0);
    auto fit = continue_mixture(Mixture{first, own, 1e-9, unlabeled_weight}, stream, settings, context);
    if (!fit) return fit.error();
    ModelState state = fit->model.state();
    state.statistic.log_likelihood = fit->log_likelihood;
    return Classifier::from(std::move(state));
}

// The mixture of one class, from its rows alone.
Result<MixtureFit> fit_class(const Schema& columns, Stream& rows, const MixtureDiscriminantSettings& settings,
                             double added_variance, const Context& context) {
    GaussianMixtureSettings own;
    own.shape = settings.shape;
    own.steps = settings.steps;
    own.added_variance = added_variance;
    if (settings.components > 0) {
        own.components = settings.components;
        return fit_gaussian_mixture(rows, columns, own, context);
    }
    std::vector<std::size_t> counts(settings.most_components);
    std::iota(counts.begin(), counts.end(), std::size_t{1});
    auto chosen = choose_gaussian_mixture(rows, columns, counts, std::span(&settings.shape, 1), own, context);
    if (!chosen) return chosen.error();
    return std::move(chosen->best);
}

}  // namespace

bool MixtureState::valid() const {
    const std::size_t classes = schema.classes.size();
    return components.valid() && classes > 0 && std::ranges::is_sorted(class_of) &&
           schema.columns.size() == components.statistic.schema.columns.size() &&
           class_of.size() == components.statistic.schema.classes.size() &&
           std::ranges::all_of(class_of, [&](auto c) { return c < classes; });
}

MixtureDiscriminant::MixtureDiscriminant(MixtureState state, Classifier components)
    : state_(std::move(state)), components_(std::move(components)) {
    set_priors();
}

Result<MixtureDiscriminant> MixtureDiscriminant::from(MixtureState state) {
    if (!state.valid()) return Error("the parts of the mixture discriminant do not fit together");
    auto components = Classifier::from(state.components);
    if (!components) return components.error();
    return MixtureDiscriminant(std::move(state), std::move(*components));
}

void MixtureDiscriminant::set_priors() {
    log_prior_.assign(class_count(), minus_infinity);
    class_weight_.assign(class_count(), 0.0);
    for (std::size_t k = 0; k < state_.class_of.size(); ++k) {
        double& log_prior = log_prior_[state_.class_of[k]];
        log_prior = log_add_exp(log_prior, components_.log_prior()[k]);
        class_weight_[state_.class_of[k]] += components_.class_weight()[k];
    }
}

std::unique_ptr<Predictor> MixtureDiscriminant::under_priors(std::vector<double> log_prior) const {
    std::vector<double> moved = components_.log_prior();
    for (std::size_t k = 0; k < moved.size(); ++k)
        moved[k] += log_prior[state_.class_of[k]] - log_prior_[state_.class_of[k]];
    auto made = std::make_unique<MixtureDiscriminant>(*this);
    made->components_ = components_.with_priors(std::move(moved));
    made->set_priors();
    return made;
}

Result<void> MixtureDiscriminant::score_tile(const Block& rows, kernel::Tile joint, Exactness, Workspace& workspace,
                                             std::uint64_t first_row) const {
    auto& values = workspace.of<ComponentScratch>().joint;
    const std::size_t count = components_.class_count();
    values.resize(count * joint.row_count);
    const kernel::Tile parts{values.data(), joint.row_count, count, joint.row_count};
    if (auto scored = components_.score_tile(rows, parts, Exactness::density, workspace, first_row); !scored)
        return scored;
    for (std::size_t c = 0, first = 0; c < joint.class_count; ++c) {
        const auto [begin, end] = std::ranges::equal_range(state_.class_of, static_cast<std::uint32_t>(c));
        const auto own = static_cast<std::size_t>(end - begin);
        kernel::softmax({values.data() + first * parts.stride, parts.row_count, own, parts.stride}, joint.of_class(c));
        first += own;
    }
    return {};
}

Explanation MixtureDiscriminant::explain(const Block& rows, std::size_t row) const {
    const Explanation parts = components_.explain(rows, row);
    std::vector<double> joint = parts.intercept, of_class(class_count(), minus_infinity);
    for (const auto& term : parts.terms)
        for (std::size_t k = 0; k < joint.size(); ++k) joint[k] += term.by_class[k];
    for (std::size_t k = 0; k < joint.size(); ++k) {
        double& sum = of_class[state_.class_of[k]];
        sum = log_add_exp(sum, joint[k]);
    }
    Explanation all{of_class, {}};
    for (const auto& term : parts.terms) {
        auto& own = all.terms.emplace_back(term.column, term.level, std::vector<double>(class_count()));
        for (std::size_t k = 0; k < joint.size(); ++k) {
            const std::uint32_t c = state_.class_of[k];
            own.by_class[c] += std::exp(joint[k] - of_class[c]) * term.by_class[k];
        }
        for (std::size_t c = 0; c < class_count(); ++c) all.intercept[c] -= own.by_class[c];
    }
    return all;
}

SampledRow MixtureDiscriminant::sample(std::size_t class_code, Rng& rng) const {
    std::vector<double> share(components_.class_count());
    for (std::size_t k = 0; k < share.size(); ++k)
        if (state_.class_of[k] == class_code) share[k] = std::exp(components_.log_prior()[k] - log_prior_[class_code]);
    return components_.sample(sample_index(share, rng), rng);
}

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
    const double added_variance = 1e-6 * Embedding(schema, *looked).least_variance();
    MixtureState state;
    state.schema = schema;
    std::optional<ModelState> all;
    for (std::size_t c = 0; c < schema.classes.size(); ++c) {
        ClassStream rows(stream, static_cast<std::int32_t>(c), schema);
        auto own = fit_class(schema, rows, settings, added_variance, context);
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
    all->passes = "a mixture takes repeated passes over its rows";
    const auto first = Classifier::from(*all);
    if (!first) return first.error();
    return fit_together(std::move(state), *first, stream, settings.steps, unlabeled_weight, context);
}

Result<MixtureDiscriminant> update(const MixtureDiscriminant& model, Stream& stream, const Context& context) {
    return fit_together(model.state(), model.components(), stream, {}, 0, context);
}

Result<Classifier> fit_semi_supervised(const ModelState& recipe, Stream& stream, double unlabeled_weight,
                                       const MixtureSettings& settings, const Context& context) {
    if (auto checked = check_unlabeled_weight(unlabeled_weight); !checked) return checked.error();
    auto start = feed(recipe, stream, context);
    if (!start) return start.error();
    start->passes = "rows without a class took part by EM";
    auto first = Classifier::from(std::move(*start));
    if (!first) return first.error();
    if (auto dense = first->check_density(); !dense) return dense.error();
    return fit_with_unlabeled(*first, stream, unlabeled_weight, settings, context);
}

Result<Classifier> update_semi_supervised(const Classifier& model, Stream& stream, const Context& context) {
    return fit_with_unlabeled(model, stream, 1, {}, context);
}

}  // namespace suffice
