// Passes over the rows, and what is made of their sums.
#include "suffice/regress/logistic_problem.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "suffice/data/for_each_block.hpp"

namespace suffice {
namespace {

constexpr std::size_t most_named = 5;  // features without a coefficient
// Log odds of a class's middle at the start: where classes separate those of the discriminant have no bound, and far
// out the objective is flat and its digits are lost.
constexpr double beyond_doubt = 60;
constexpr std::size_t most_scaled = 40;  // classes whose pairs are all looked at before the start

double dot(std::span<const double> a, std::span<const double> b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

}  // namespace

LogisticProblem::LogisticProblem(const Schema& schema, const Features& features, Stream& stream,
                                 const LogisticSettings& given, const Context& context)
    : settings(given),
      contrasts(schema.classes.size(), given.lasso > 0 && schema.classes.size() > 2),
      feature_count(features.count()),
      width(feature_count + 1),
      ridge(given.penalty * (schema.classes.size() == 2 ? 2 : 1)),
      bias_ridge(given.intercept_scale > 0 ? ridge / (given.intercept_scale * given.intercept_scale) : 0),
      lasso(given.lasso * (schema.classes.size() == 2 ? std::numbers::sqrt2 : 1)),
      bias_lasso(given.intercept_scale > 0 ? lasso / given.intercept_scale : 0),
      unit(feature_count, 1.0),
      stream_(stream),
      context_(context) {
    rows.features = features;
    rows.classes = schema.classes;
    for (const Column& column : schema.columns) rows.columns.push_back(column.name);
    rows.class_weight = settings.class_weight;
    rows.wide = feature_count > most_squared && features.plain();
    rows.centre.assign(feature_count, 0.0);
    feature_names = features.names(schema);
    fixed.fixed.assign(width, false);
    fixed.fixed[feature_count] = !settings.intercept;
    offsets = settings.offsets(schema, features);
    for (const OffsetFeature& each : offsets) fixed.fixed[each.feature] = true;
}

LogisticProblem::LogisticProblem(const LogisticProblem& whole, const Schema& schema, const Features& features,
                                 Stream& stream, const LogisticSettings& given, double share)
    : LogisticProblem(schema, features, stream, given, whole.context_) {
    rows.centre = whole.rows.centre;
    space = whole.space;
    unit = whole.unit;
    scatter_ = whole.scatter_;
    class_weight_ = whole.class_weight_;
    for (double& value : scatter_) value *= share;
    for (double& value : class_weight_) value *= share;
    total_ = share * whole.total_;
    offsets = whole.offsets;
    fixed = whole.fixed;
}

Result<void> LogisticProblem::look_at_rows() {
    auto gathered = pass_over(MomentPass{&rows});
    if (!gathered) return gathered.error();
    moments = std::move(*gathered);
    if (auto taken = take_weights(); !taken) return taken.error();
    shape_of_features();
    return {};
}

Result<void> LogisticProblem::take_weights() {
    std::vector<double>& weight = moments.scatter.class_weight;
    total_ = moments.weight();
    if (!(total_ > 0)) return Error("there are no labelled rows to fit");
    for (std::size_t c = 0; c < weight.size(); ++c)
        if (!(weight[c] > 0)) return Error("class " + rows.classes[c] + " has no rows");
    if (settings.balanced) {
        rows.class_weight.resize(weight.size(), 1.0);
        const double all = total_;
        for (std::size_t c = 0; c < weight.size(); ++c) {
            const double factor = all / (static_cast<double>(weight.size()) * weight[c]);
            rows.class_weight[c] *= factor;
            weight[c] *= factor;
        }
        total_ = moments.weight();
    }
    class_weight_ = weight;
    return {};
}

void LogisticProblem::shape_of_features() {
    const std::size_t d = feature_count;
    if (rows.wide) {
        space.rank = d;
        space.scale.assign(d, 1.0);
        for (std::size_t j = 0; j < d; ++j)
            if (moments.square[j] > 0) space.scale[j] = std::sqrt(moments.square[j]);
        return;
    }
    const ClassScatterStatistic& s = moments.scatter;
    if (settings.intercept && settings.intercept_scale == 0)
        for (std::size_t c = 0; c < class_count(); ++c)
            for (std::size_t j = 0; j < d; ++j) rows.centre[j] += s.class_weight[c] / total_ * s.mean[c * d + j];
    scatter_ = s.scatter;
    for (std::size_t c = 0; c < class_count(); ++c)
        for (std::size_t i = 0; i < d; ++i) {
            const double way = s.class_weight[c] * (s.mean[c * d + i] - rows.centre[i]);
            for (std::size_t j = 0; j < d; ++j) scatter_[i * d + j] += way * (s.mean[c * d + j] - rows.centre[j]);
        }
    // What is given is not estimated, so that it leaves nothing else undetermined.
    std::vector<double> free_scatter = scatter_;
    for (const OffsetFeature& each : offsets) {
        for (std::size_t j = 0; j < d; ++j) free_scatter[each.feature * d + j] = free_scatter[j * d + each.feature] = 0;
        free_scatter[each.feature * (d + 1)] = std::max(scatter_[each.feature * (d + 1)], 1.0);
    }
    space = FeatureSpace::of(free_scatter, d);
    if (settings.standardized)
        for (std::size_t j = 0; j < d; ++j) {
            const double within = s.scatter[j * (d + 1)], all = scatter_[j * (d + 1)];
            if (all > 0) unit[j] = std::sqrt((within > 1e-9 * all ? within : all) / total_);
        }
    if (space.rank < d) note_collinear();
}

void LogisticProblem::note_collinear() {
    std::string told = "the columns are collinear: " + std::to_string(feature_count - offsets.size()) +
                       " features have rank " + std::to_string(space.rank - offsets.size());
    if (settings.free() && settings.undetermined == Undetermined::shortest)
        told += "; of all equal fits the one of least length is given";
    if (settings.free() && settings.undetermined == Undetermined::later_ones_left_out) {
        told += "; without a coefficient, because they follow from columns before them:";
        std::vector<std::size_t> left = space.aliased;
        std::ranges::sort(left);
        for (std::size_t e = 0; e < left.size() && e < most_named; ++e)
            told += (e == 0 ? " " : ", ") + feature_names[left[e]];
        if (left.size() > most_named) told += ", ...";
    }
    notes.push_back(std::move(told));
}

void LogisticProblem::determine(std::span<double> coefficient) const {
    if (settings.undetermined == Undetermined::shortest)
        space.shorten(coefficient);
    else
        space.leave_out(coefficient);
}

void LogisticProblem::determine_function(std::span<double> weight) const {
    if (settings.undetermined == Undetermined::shortest || !settings.free())
        space.shorten(weight);  // which is its own transpose
    else
        space.leave_out_of_function(weight);
}

double LogisticProblem::null_loss() const {
    double loss = 0;
    const double even = 1 / static_cast<double>(class_count());
    for (double weight : class_weight_) loss -= weight * std::log(settings.intercept ? weight / total_ : even);
    return loss;
}

// By how much to shrink the discriminant's coefficients so that penalty and loss together are least, were the classes
// Gaussian: of pairs c, e the log odds of a row of c are then normal with mean s D / 2 and variance s^2 D, where D is
// the squared distance of Mahalanobis.
double LogisticProblem::best_scale(const std::vector<double>& theta) const {
    const std::size_t d = feature_count, k = class_count();
    const ClassScatterStatistic& s = moments.scatter;
    double squares = 0, magnitudes = 0;
    for (std::size_t c = 0; c < k; ++c)
        for (std::size_t j = 0; j < d; ++j) {
            const double w = unit[j] * theta[c * width + j];
            squares += w * w;
            magnitudes += std::abs(w);
        }
    std::vector<double> distance, weight;
    for (std::size_t c = 0; c < k; ++c)
        for (std::size_t e = 0; e < k; ++e) {
            if (c == e) continue;
            double sum = 0;
            for (std::size_t j = 0; j < d; ++j)
                sum += (theta[c * width + j] - theta[e * width + j]) * (s.mean[c * d + j] - s.mean[e * d + j]);
            distance.push_back(std::max(sum, 0.0));
            weight.push_back(s.class_weight[c]);
        }
    double best = 1, least = std::numeric_limits<double>::infinity();
    for (double scale = 1; scale > 1e-3; scale *= std::numbers::sqrt2 / 2) {
        double sum = scale * scale * ridge / 2 * squares + scale * settings.lasso * magnitudes;
        for (std::size_t pair = 0; pair < distance.size(); ++pair)
            for (double t = -4; t <= 4; t += 0.5) {
                const double odds = scale * (distance[pair] / 2 + t * std::sqrt(distance[pair]));
                const double share = std::exp(-t * t / 2) / std::sqrt(2 * std::numbers::pi) / 2;
                sum +=
                    weight[pair] * share * (odds > 0 ? std::log1p(std::exp(-odds)) : std::log1p(std::exp(odds)) - odds);
            }
        if (sum < least) least = sum, best = scale;
    }
    return best;
}

// Within-class scatter and penalty -> the discriminant's coefficients.
std::vector<double> LogisticProblem::discriminant_start() const {
    const ClassScatterStatistic& s = moments.scatter;
    const std::size_t d = feature_count;
    std::vector<double> within = s.scatter;
    for (std::size_t j = 0; j < d; ++j)
        within[j * d + j] += ridge * unit[j] * unit[j] + 1e-9 * space.scale[j] * space.scale[j];
    space.pin(within.data(), d);
    const CurvatureFactor factor = CurvatureFactor::of(std::move(within), d);
    std::vector<double> theta(class_count() * width);
    double farthest = 0;
    for (std::size_t c = 0; c < class_count(); ++c) {
        std::vector<double> way(d);
        for (std::size_t j = 0; j < d; ++j) way[j] = s.mean[c * d + j] - rows.centre[j];
        std::vector<double> w = way;
        if (d > 0) factor.solve(w);
        for (std::size_t j = 0; j < d; ++j) theta[c * width + j] = w[j] *= total_;
        const double distance = dot(way, w);
        theta[c * width + d] = -distance / 2;
        farthest = std::max(farthest, distance);
    }
    double scale = settings.free() || class_count() > most_scaled ? 1 : best_scale(theta);
    scale = std::min(scale, beyond_doubt / std::max(farthest, beyond_doubt));
    for (double& value : theta) value *= scale;
    for (std::size_t c = 0; c < class_count(); ++c) theta[c * width + d] += std::log(s.class_weight[c] / total_);
    return contrasts.to_contrasts(theta, width);
}

std::vector<double> LogisticProblem::null_start() const {
    std::vector<double> theta(class_count() * width);
    if (settings.intercept)
        for (std::size_t c = 0; c < class_count(); ++c)
            theta[c * width + feature_count] = std::log(class_weight_[c] / total_);
    place_offsets(theta);
    return contrasts.to_contrasts(theta, width);
}

void LogisticProblem::place_offsets(std::vector<double>& theta) const {
    for (const OffsetFeature& each : offsets)
        for (std::size_t c = 0; c < class_count(); ++c) theta[c * width + each.feature] = c == each.class_code ? 1 : 0;
}

std::vector<double> LogisticProblem::given_start(const LogisticParameter& start) const {
    const std::size_t d = feature_count;
    std::vector<double> theta(class_count() * width);
    for (std::size_t c = 0; c < class_count(); ++c) {
        const double* w = start.coefficient.data() + c * d;
        std::copy_n(w, d, theta.begin() + static_cast<std::ptrdiff_t>(c * width));
        theta[c * width + d] = start.intercept[c] + dot({w, d}, rows.centre);
    }
    place_offsets(theta);
    return contrasts.to_contrasts(theta, width);
}

void LogisticProblem::spread(std::span<const double> phi, std::vector<double>& coefficient,
                             std::vector<double>& bias) const {
    const std::vector<double> theta = contrasts.to_classes(phi, width);
    coefficient.clear();
    bias.clear();
    for (std::size_t c = 0; c < class_count(); ++c) {
        const auto first = theta.begin() + static_cast<std::ptrdiff_t>(c * width);
        coefficient.insert(coefficient.end(), first, first + static_cast<std::ptrdiff_t>(feature_count));
        bias.push_back(theta[c * width + feature_count]);
    }
}

LogisticParameter LogisticProblem::parameter(std::span<const double> phi) const {
    LogisticParameter made;
    spread(phi, made.coefficient, made.intercept);
    const std::size_t d = feature_count;
    for (std::size_t c = 0; c < class_count(); ++c)
        made.intercept[c] -= dot({made.coefficient.data() + c * d, d}, rows.centre);
    return made;
}

Result<LogisticPoint> LogisticProblem::evaluate(std::vector<double> phi, bool with_curvature) {
    LogisticPass pass;
    pass.rows = &rows;
    pass.with_curvature = with_curvature;
    spread(phi, pass.coefficient, pass.bias);
    auto gathered = settings.link == Link::probit ? gather_probit(phi, Information::observed) : pass_over(pass);
    if (!gathered) return gathered.error();
    LogisticPoint at{std::move(phi), {}, 0, 0, std::move(*gathered)};
    const std::size_t d = feature_count;
    std::vector<double> theta(class_count() * width);
    for (std::size_t c = 0; c < class_count(); ++c) {
        theta[c * width + d] = at.sums.bias_gradient[c];
        for (std::size_t j = 0; j < d; ++j) theta[c * width + j] = at.sums.gradient[c * d + j];
    }
    at.gradient = contrasts.to_contrasts(theta, width);
    at.value = at.loss = at.sums.loss;
    for (std::size_t i = 0; i < at.phi.size(); ++i) {
        if (fixed.fixed[i % width]) continue;
        const double penalty = ridge_of(i % width);
        at.value += penalty / 2 * at.phi[i] * at.phi[i];
        at.gradient[i] += penalty * at.phi[i];
    }
    fixed.clear(at.gradient);
    if (settings.firth)
        if (auto added = add_firth(at); !added) return added.error();
    return at;
}

void LogisticProblem::add_penalty(double* block, std::size_t stride) const {
    for (std::size_t j = 0; j < width; ++j)
        if (!fixed.fixed[j]) block[j * stride + j] += ridge_of(j);
}

std::vector<double> LogisticProblem::hessian(const LogisticPoint& at) const {
    const std::size_t side = parameter_count();
    std::vector<double> all = contrasts.hessian(at.sums, feature_count);
    for (std::size_t f = 0; f < contrasts.count(); ++f) {
        double* block = all.data() + f * width * (side + 1);
        if (settings.free()) space.pin(block, side);  // a penalty determines every direction
        add_penalty(block, side);
    }
    fixed.isolate(all, side);
    return all;
}

Result<std::vector<LabeledBlock>> LogisticProblem::units_in_memory() {
    std::vector<LabeledBlock> units;
    if (dynamic_cast<MemoryStream*>(&stream_) == nullptr) return units;
    if (auto again = stream_.rewind(); !again) return again.error();
    const auto kept = for_each_block(stream_, [&](const LabeledBlock& block, const Stream::Lane&) -> Result<bool> {
        units.push_back(block);
        return true;
    });
    if (!kept) return kept.error();
    return units;
}

double LogisticProblem::largest(std::span<const double> gradient) const {
    double most = 0;
    for (double g : contrasts.to_classes(gradient, width)) most = std::max(most, std::abs(g));
    return most;
}

}  // namespace suffice
