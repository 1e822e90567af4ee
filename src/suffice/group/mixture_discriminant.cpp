// Scores classes by summing over their components, and fits models to rows of unknown class too.
#include "suffice/group/mixture_discriminant.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "suffice/group/mixture_unlabeled.hpp"
#include "suffice/kernel/softmax.hpp"
#include "suffice/math/log_sum_exp.hpp"
#include "suffice/math/sampling.hpp"

namespace suffice {
namespace {

constexpr double minus_infinity = -std::numeric_limits<double>::infinity();

struct ComponentScratch {
    std::vector<double> joint;
};

// One component per class, and rows of any class.
Result<Classifier> fit_with_unlabeled(const Classifier& first, Stream& stream, double unlabeled_weight,
                                      const MixtureSettings& settings, const Context& context) {
    std::vector<std::int32_t> own(first.class_count());
    std::iota(own.begin(), own.end(), 0);
    auto fit = continue_mixture(Mixture{first, own, unlabeled_weight}, stream, settings, context);
    if (!fit) return fit.error();
    ModelState state = fit->model.state();
    state.statistic.log_likelihood = fit->log_likelihood;
    return Classifier::from(std::move(state));
}

}  // namespace

Result<void> check_unlabeled_weight(double weight) {
    if (weight >= 0 && !std::isinf(weight)) return {};
    return Error(ErrorKind::usage, "the weight of rows without a class must be zero or a positive number");
}

bool MixtureState::valid() const {
    const std::size_t classes = schema.classes.size();
    return components.valid() && classes > 0 && std::ranges::is_sorted(class_of) &&
           schema.columns.size() == components.statistic.schema.columns.size() &&
           class_of.size() == components.statistic.schema.classes.size() &&
           std::ranges::all_of(class_of, [&](auto c) { return c < classes; }) &&
           (structures.empty() || structures.size() == classes);
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

Result<ScoreExpression> MixtureDiscriminant::express() const {
    auto sum = components_.express();
    if (sum) sum->class_of = state_.class_of;
    return sum;
}

Explanation MixtureDiscriminant::contributions(const Block& rows, std::size_t row) const {
    const Explanation parts = components_.contributions(rows, row);
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

Result<Classifier> fit_semi_supervised(const ModelState& recipe, Stream& stream, double unlabeled_weight,
                                       const MixtureSettings& settings, const Context& context) {
    if (auto checked = check_unlabeled_weight(unlabeled_weight); !checked) return checked.error();
    auto start = feed(recipe, stream, context);
    if (!start) return start.error();
    start->passes = Passes::unlabeled_rows;
    auto first = Classifier::from(std::move(*start));
    if (!first) return first.error();
    if (auto dense = first->check_density(); !dense) return dense.error();
    return fit_with_unlabeled(*first, stream, unlabeled_weight, settings, context);
}

Result<Classifier> update_semi_supervised(const Classifier& model, Stream& stream, const Context& context) {
    return fit_with_unlabeled(model, stream, 1, {}, context);
}

}  // namespace suffice
