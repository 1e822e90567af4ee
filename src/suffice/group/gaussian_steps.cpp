// Moments of passes to parameters and states.
#include "suffice/group/gaussian_steps.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "suffice/group/mixture_moments.hpp"
#include "suffice/part/covariance_part.hpp"
#include "suffice/part/family_part.hpp"

namespace suffice {
namespace {

GaussianNames names_of(const Schema& schema) {
    GaussianNames names{schema.classes, {}};
    for (const Column& column : schema.columns) names.columns.push_back(column.name);
    return names;
}

Settings by_columns(const Settings& settings) {
    Settings columnwise = settings;
    if (columnwise.covariance == Covariance::full) columnwise.covariance = Covariance::diagonal;
    return columnwise;
}

// All columns in order, in one Part of Gaussians.
bool is_gaussian(const ModelState& state) {
    const auto& statistic = state.statistic;
    if (statistic.parts.size() != 1) return false;
    const Part& part = statistic.parts[0];
    const auto* joint = part.as<CovariancePart>();
    if (joint == nullptr && part.as<FamilyPart<Gaussian>>() == nullptr) return false;
    if (joint != nullptr && joint->fourth.gathered()) return false;
    const auto& columns = part.columns();
    for (std::size_t at = 0; at < columns.size(); ++at)
        if (columns[at] != at) return false;
    const Settings& settings = state.settings;
    return columns.size() == statistic.schema.columns.size() && settings.column_priors.empty() &&
           settings.priors.rule == PriorRule::empirical && settings.priors.smoothing == 0 &&
           settings.estimate != Estimate::predictive && settings.estimate != Estimate::unbiased &&
           (settings.estimate != Estimate::map || !settings.gaussian_prior.vague);
}

// What component c has seen: rows of this weight about this mean. `scatter`: d x d.
void set_moments(ModelStatistic& statistic, std::size_t c, double weight, std::span<const double> mean,
                 std::span<const double> scatter) {
    const std::size_t d = mean.size();
    Part& part = statistic.parts[0];
    statistic.class_weight[c] = weight;
    if (auto* joint = part.as<CovariancePart>()) {
        joint->complete.class_weight[c] = weight;
        std::ranges::copy(mean, joint->complete.mean.begin() + static_cast<std::ptrdiff_t>(c * d));
        auto& into = joint->complete.scatter;  // one for all components where there is no room for more
        const std::size_t first = into.size() == d * d ? 0 : c * d * d;
        for (std::size_t at = 0; at < d * d; ++at) into[first + at] += scatter[at];
    } else if (auto* columns = part.as<FamilyPart<Gaussian>>()) {
        for (std::size_t i = 0; i < d; ++i) columns->by_class[c][i] = {weight, mean[i], scatter[i * (d + 1)]};
    }
}

// The scatter of component c as a square, whatever the form of the moments; tied: each has its share of the whole.
std::vector<double> scatter_of(const ComponentMoments& moments, ComponentShape form, std::size_t c) {
    const std::size_t d = moments.mean.column_count;
    const double weight = moments.weight[c];
    std::vector<double> scatter(d * d);
    if (form == ComponentShape::full || form == ComponentShape::tied) {
        const double* own = moments.covariance.data() + (form == ComponentShape::full ? c * d * d : 0);
        for (std::size_t at = 0; at < d * d; ++at) scatter[at] = own[at] * weight;
    } else {
        const bool one = form == ComponentShape::spherical;
        const double* own = moments.covariance.data() + c * (one ? 1 : d);
        for (std::size_t i = 0; i < d; ++i) scatter[i * (d + 1)] = own[one ? 0 : i] * weight;
    }
    return scatter;
}

}  // namespace

Result<EstimatedGaussians> gaussians_of(const ModelState& state) {
    const Schema& schema = state.statistic.schema;
    if (state.statistic.parts.size() == 1) {
        const Part& part = state.statistic.parts[0];
        if (const auto* joint = part.as<CovariancePart>()) return gaussians_of(*joint, state.settings, schema);
        if (const auto* columns = part.as<FamilyPart<Gaussian>>()) {
            std::vector<std::vector<Gaussian::Statistic>> moments;
            for (const auto& row : columns->by_class) moments.emplace_back(row.begin(), row.end());
            return estimate_gaussian_columns(moments, by_columns(state.settings), names_of(schema));
        }
    }
    return Error(ErrorKind::usage, "the model is not a mixture of Gaussians");
}

Result<EstimatedGaussians> gaussians_of(const ComponentMoments& moments, const ModelState& recipe) {
    const std::size_t k = moments.mean.row_count, d = moments.mean.column_count;
    const GaussianNames names = names_of(recipe.statistic.schema);
    if (recipe.statistic.parts[0].as<CovariancePart>() == nullptr) {
        std::vector<std::vector<Gaussian::Statistic>> columns(k);
        const std::size_t each = moments.covariance.size() / k;
        for (std::size_t c = 0; c < k; ++c)
            for (std::size_t i = 0; i < d; ++i)
                columns[c].push_back({moments.weight[c], moments.mean(c, i),
                                      moments.covariance[c * each + (each == 1 ? 0 : i)] * moments.weight[c]});
        return estimate_gaussian_columns(columns, by_columns(recipe.settings), names);
    }
    std::vector<std::vector<double>> scatter;
    std::vector<ClassMoments> by_class;
    const ComponentShape form = moments_of(shape_of(recipe));
    for (std::size_t c = 0; c < k; ++c) scatter.push_back(scatter_of(moments, form, c));
    for (std::size_t c = 0; c < k; ++c) by_class.push_back({moments.weight[c], moments.mean.row(c), scatter[c]});
    return estimate_gaussians(by_class, recipe.settings, names);
}

ModelState state_of(const ComponentMoments& moments, const ModelState& recipe) {
    ModelState state{recipe.model, recipe.settings, recipe.statistic.blank(), recipe.passes};
    const ComponentShape form = moments_of(shape_of(recipe));
    for (std::size_t c = 0; c < moments.weight.size(); ++c)
        set_moments(state.statistic, c, moments.weight[c], moments.mean.row(c), scatter_of(moments, form, c));
    state.statistic.log_likelihood = moments.log_likelihood;
    return state;
}

Result<std::unique_ptr<GaussianSteps>> GaussianSteps::over(const Mixture& learner, Stream& stream, bool hard,
                                                           const Context& context) {
    const ModelState& first = learner.first.state();
    const ComponentShape form = moments_of(shape_of(first));
    // Tied components are the scatter of all rows less that of the means, which rows that count differently have not.
    if (!is_gaussian(first) || (form == ComponentShape::tied && learner.unlabeled_weight != 1))
        return std::unique_ptr<GaussianSteps>();
    auto rows = std::make_shared<GaussianRows>(stream, first.statistic.schema.columns.size(), form);
    const auto finite = rows->look(context);
    if (!finite) return finite.error();
    if (!*finite) return std::unique_ptr<GaussianSteps>();
    auto start = gaussians_of(first);
    if (!start) return start.error();
    auto made = std::make_unique<GaussianSteps>(
        std::move(rows), ModelState{first.model, first.settings, first.statistic.blank(), first.passes},
        ScoredComponents{std::move(start->parameters), learner.first.log_prior()}, hard,
        Narrowing{learner.class_of, learner.unlabeled_weight});
    made->first_ = learner.first;
    return made;
}

Result<MixtureSteps::Seen> GaussianSteps::expect(const Context& context) {
    auto gathered = rows_->step(current_, hard_ ? Assignment::hard : Assignment::soft, false, context, narrowing_);
    if (!gathered) return gathered.error();
    gathered_ = std::move(*gathered);
    return Seen{gathered_.log_likelihood, gathered_.total_weight};
}

Result<void> GaussianSteps::maximize() {
    auto estimated = gaussians_of(gathered_, recipe_);
    if (!estimated) return estimated.error();
    previous_ = std::move(current_);
    previous_moments_ = std::move(moments_);
    moments_ = gathered_;
    const double total = std::accumulate(moments_->weight.begin(), moments_->weight.end(), 0.0);
    current_.gaussians = std::move(estimated->parameters);
    current_.offset.clear();
    for (const double weight : moments_->weight) current_.offset.push_back(std::log(weight / total));
    return {};
}

void GaussianSteps::take_back() {
    current_ = previous_;
    moments_ = previous_moments_;
}

Result<Classifier> GaussianSteps::model() const {
    if (moments_) return Classifier::from(state_of(*moments_, recipe_));
    if (first_) return *first_;
    return Error(ErrorKind::usage, "this mixture has taken no step by which it could go on");
}

bool GaussianSteps::never_falls() const {
    return recipe_.settings.by_likelihood() && recipe_.settings.added_variance == 0;
}

}  // namespace suffice
