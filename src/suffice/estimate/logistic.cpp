// Finds the minimum of the penalised softmax loss, and says where it does not exist.
#include "suffice/estimate/logistic.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "suffice/data/stream.hpp"
#include "suffice/estimate/class_contrasts.hpp"
#include "suffice/estimate/logistic_curvature.hpp"
#include "suffice/estimate/logistic_pass.hpp"
#include "suffice/kernel/lapack.hpp"
#include "suffice/math/cholesky.hpp"
#include "suffice/math/lbfgs.hpp"

namespace suffice {
namespace {

constexpr std::size_t most_squared = 2000;  // features whose scatter is kept
constexpr std::size_t most_pairs_of = 30;   // classes whose exact Hessian is formed
constexpr double exact_work = 2e9;          // multiplications of one exact Hessian that are not worth avoiding
constexpr double sampled_work = 5e8;
constexpr int refresh_after = 12;  // steps with one guess of the curvature

double dot(std::span<const double> a, std::span<const double> b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

struct Point {
    std::vector<double> phi, gradient;
    double value = 0, loss = 0;
    LogisticSums sums;  // with the curvature, where it was asked for
};

class Solver {
public:
    Solver(const Schema& schema, const Features& features, Stream& stream, const LogisticSettings& settings,
           const Context& context)
        : stream_(stream),
          settings_(settings),
          context_(context),
          contrasts_(schema.classes.size()),
          d_(features.count()),
          width_(d_ + 1),
          penalty_(settings.penalty * (schema.classes.size() == 2 ? 2 : 1)) {
        rows_.features = features;
        rows_.classes = schema.classes;
        for (const Column& column : schema.columns) rows_.columns.push_back(column.name);
        rows_.class_weight = settings.class_weight;
        rows_.wide = d_ > most_squared && features.plain();
        rows_.centre.assign(d_, 0.0);
        fixed_.fixed.assign(width_, false);
        fixed_.fixed[d_] = !settings.intercept;
        const auto sources = features.sources();
        for (std::size_t j = 0; j < d_; ++j)
            if (schema.columns[sources[j]].name == settings.offset) fixed_.fixed[j] = true, offset_ = j;
    }

    Result<LogisticFit> run(const std::optional<LogisticParameter>& start) {
        if (auto looked = look_at_rows(); !looked) return looked.error();
        auto at = first_point(start);
        if (!at) return at.error();
        if (auto done = descend(*at); !done) return done.error();
        if (auto told = tell_separation(*at); !told) return told.error();
        return finish(*at);
    }

private:
    std::size_t class_count() const { return contrasts_.class_count(); }
    std::size_t parameter_count() const { return contrasts_.count() * width_; }

    template <class P>
    Result<typename P::Statistic> pass_over(const P& pass) {
        if (auto again = stream_.rewind(); !again) return again.error();
        ++fit_.passes;
        return fold(pass, stream_, context_);
    }

    Result<void> look_at_rows() {
        auto gathered = pass_over(MomentPass{&rows_});
        if (!gathered) return gathered.error();
        moments_ = std::move(*gathered);
        std::vector<double>& weight = moments_.scatter.class_weight;
        const double total = moments_.weight();
        if (!(total > 0)) return Error("there are no labelled rows to fit");
        for (std::size_t c = 0; c < weight.size(); ++c)
            if (!(weight[c] > 0)) return Error("class " + rows_.classes[c] + " has no rows");
        if (settings_.balanced) {
            rows_.class_weight.resize(weight.size(), 1.0);
            for (std::size_t c = 0; c < weight.size(); ++c) {
                const double factor = total / (static_cast<double>(weight.size()) * weight[c]);
                rows_.class_weight[c] *= factor;
                weight[c] *= factor;
            }
        }
        fit_.class_weight = weight;
        total_ = moments_.weight();
        shape_of_features();
        plan();
        return {};
    }

    // Centre, scatter about it, rank.
    void shape_of_features() {
        if (rows_.wide) {
            space_.rank = d_;
            space_.scale.assign(d_, 1.0);
            for (std::size_t j = 0; j < d_; ++j)
                if (moments_.square[j] > 0) space_.scale[j] = std::sqrt(moments_.square[j]);
            return;
        }
        const ClassScatterStatistic& s = moments_.scatter;
        if (settings_.intercept)
            for (std::size_t c = 0; c < class_count(); ++c)
                for (std::size_t j = 0; j < d_; ++j) rows_.centre[j] += s.class_weight[c] / total_ * s.mean[c * d_ + j];
        scatter_ = s.scatter;
        for (std::size_t c = 0; c < class_count(); ++c)
            for (std::size_t i = 0; i < d_; ++i) {
                const double way = s.class_weight[c] * (s.mean[c * d_ + i] - rows_.centre[i]);
                for (std::size_t j = 0; j < d_; ++j)
                    scatter_[i * d_ + j] += way * (s.mean[c * d_ + j] - rows_.centre[j]);
            }
        space_ = FeatureSpace::of(scatter_, d_);
        if (space_.rank < d_)
            fit_.notes.push_back("the columns are collinear: " + std::to_string(d_) + " features have rank " +
                                 std::to_string(space_.rank) +
                                 (settings_.penalty > 0 ? "" : "; of all equal fits the one of least length is given"));
    }

    void plan() {
        squared_ = !rows_.wide && parameter_count() <= LogisticSettings::most_exact && class_count() <= most_pairs_of;
        const double k = static_cast<double>(class_count());
        const double per_row = k * (k - 1) / 2 * static_cast<double>(width_ * width_);
        exact_ = squared_ && per_row * total_ <= exact_work;
        const double rows = std::max(sampled_work / per_row, 20.0 * static_cast<double>(parameter_count()));
        share_ = exact_ ? 1.0 : squared_ ? std::min(1.0, rows / total_) : 0.0;
    }

    LogisticPass pass_at(std::span<const double> phi, double share) const {
        LogisticPass pass;
        pass.rows = &rows_;
        pass.curvature_share = share;
        spread(phi, pass.coefficient, pass.bias);
        return pass;
    }

    // Coefficients and biases by class, laid out as the pass wants them.
    void spread(std::span<const double> phi, std::vector<double>& coefficient, std::vector<double>& bias) const {
        const std::vector<double> theta = contrasts_.to_classes(phi, width_);
        const std::size_t k = class_count();
        coefficient.resize(k * d_);
        bias.resize(k);
        for (std::size_t c = 0; c < k; ++c) {
            bias[c] = theta[c * width_ + d_];
            for (std::size_t j = 0; j < d_; ++j)
                coefficient[rows_.wide ? j * k + c : c * d_ + j] = theta[c * width_ + j];
        }
    }

    Result<Point> evaluate(std::vector<double> phi, double share) {
        auto gathered = pass_over(pass_at(phi, share));
        if (!gathered) return gathered.error();
        Point at{std::move(phi), {}, 0, 0, std::move(*gathered)};
        const std::size_t k = class_count();
        std::vector<double> theta(k * width_);
        for (std::size_t c = 0; c < k; ++c) {
            theta[c * width_ + d_] = at.sums.bias_gradient[c];
            for (std::size_t j = 0; j < d_; ++j)
                theta[c * width_ + j] = at.sums.gradient[rows_.wide ? j * k + c : c * d_ + j];
        }
        at.gradient = contrasts_.to_contrasts(theta, width_);
        at.value = at.loss = at.sums.loss;
        for (std::size_t i = 0; i < at.phi.size(); ++i) {
            if (i % width_ == d_ || fixed_.fixed[i % width_]) continue;
            at.value += penalty_ / 2 * at.phi[i] * at.phi[i];
            at.gradient[i] += penalty_ * at.phi[i];
        }
        fixed_.clear(at.gradient);
        return at;
    }

    // Within-class scatter and penalty -> the discriminant's coefficients, in contrasts.
    std::vector<double> discriminant_start() const {
        const ClassScatterStatistic& s = moments_.scatter;
        std::vector<double> within = s.scatter;
        for (std::size_t j = 0; j < d_; ++j) within[j * d_ + j] += penalty_ + 1e-9 * space_.scale[j] * space_.scale[j];
        space_.pin(within.data(), d_);
        const CurvatureFactor factor = CurvatureFactor::of(std::move(within), d_);
        std::vector<double> theta(class_count() * width_);
        for (std::size_t c = 0; c < class_count(); ++c) {
            std::vector<double> way(d_);
            for (std::size_t j = 0; j < d_; ++j) way[j] = s.mean[c * d_ + j] - rows_.centre[j];
            std::vector<double> w = way;
            if (d_ > 0) factor.solve(w);
            for (std::size_t j = 0; j < d_; ++j) theta[c * width_ + j] = w[j] *= total_;
            theta[c * width_ + d_] = std::log(s.class_weight[c] / total_) - dot(way, w) / 2;
        }
        return contrasts_.to_contrasts(theta, width_);
    }

    std::vector<double> null_start() const {
        std::vector<double> theta(class_count() * width_);
        if (settings_.intercept)
            for (std::size_t c = 0; c < class_count(); ++c)
                theta[c * width_ + d_] = std::log(fit_.class_weight[c] / total_);
        std::vector<double> phi = contrasts_.to_contrasts(theta, width_);
        if (offset_) phi[*offset_] = std::sqrt(0.5);  // w_1 - w_0 = 1
        return phi;
    }

    std::vector<double> given_start(const LogisticParameter& start) const {
        std::vector<double> theta(class_count() * width_);
        for (std::size_t c = 0; c < class_count(); ++c) {
            const double* w = start.coefficient.data() + c * d_;
            std::copy_n(w, d_, theta.begin() + static_cast<std::ptrdiff_t>(c * width_));
            theta[c * width_ + d_] = start.intercept[c] + dot({w, d_}, rows_.centre);
        }
        return contrasts_.to_contrasts(theta, width_);
    }

    Result<Point> first_point(const std::optional<LogisticParameter>& start) {
        null_value_ = 0;
        for (double weight : fit_.class_weight)
            null_value_ -= weight * std::log(settings_.intercept ? weight / total_
                                                                 : 1 / static_cast<double>(fit_.class_weight.size()));
        if (start && start->coefficient.size() == class_count() * d_ && start->intercept.size() == class_count())
            return evaluate(given_start(*start), share_);
        if (rows_.wide || !settings_.intercept || offset_) return evaluate(null_start(), share_);
        auto at = evaluate(discriminant_start(), share_);
        if (at && !(at->value <= null_value_)) return evaluate(null_start(), share_);
        return at;
    }

    // The exact or sampled Hessian at the point, or Boehning's bound.
    CurvatureFactor curvature(const Point& at) const {
        const auto add_penalty = [&](double* block, std::size_t stride) {
            for (std::size_t j = 0; j < d_; ++j)
                if (!fixed_.fixed[j]) block[j * stride + j] += penalty_;
        };
        if (squared_) {
            const std::size_t side = parameter_count();
            std::vector<double> hessian = contrasts_.hessian(at.sums, d_, 1 / share_);
            for (std::size_t f = 0; f < contrasts_.count(); ++f) {
                double* block = hessian.data() + f * width_ * (side + 1);
                space_.pin(block, side);
                add_penalty(block, side);
            }
            fixed_.isolate(hessian, side);
            return CurvatureFactor::of(std::move(hessian), side);
        }
        if (rows_.wide) {
            std::vector<double> diagonal(width_, 0.5 * total_);
            for (std::size_t j = 0; j < d_; ++j)
                diagonal[j] = 0.5 * moments_.square[j] + penalty_ + (moments_.square[j] > 0 ? 0.0 : 1.0);
            return CurvatureFactor::diagonal(std::move(diagonal));
        }
        std::vector<double> bound(width_ * width_);
        for (std::size_t i = 0; i < d_; ++i)
            for (std::size_t j = 0; j < d_; ++j) bound[i * width_ + j] = 0.5 * scatter_[i * d_ + j];
        bound[d_ * width_ + d_] = 0.5 * total_;
        space_.pin(bound.data(), width_);
        add_penalty(bound.data(), width_);
        fixed_.isolate(bound, width_);
        return CurvatureFactor::of(std::move(bound), width_);
    }

    bool gradient_is_small(const Point& at) const {
        if (settings_.gradient_tolerance == 0) return false;
        double largest = 0;
        for (double g : contrasts_.to_classes(at.gradient, width_)) largest = std::max(largest, std::abs(g));
        return largest <= settings_.gradient_tolerance * total_;
    }

    Result<void> descend(Point& at) {
        CurvatureFactor guess = curvature(at);
        LbfgsMemory memory;
        int age = 0;
        for (; fit_.iterations < settings_.step_limit; ++fit_.iterations, ++age) {
            if (squared_ && !exact_ && age == refresh_after) {
                auto fresh = evaluate(std::move(at.phi), share_);
                if (!fresh) return fresh.error();
                at = std::move(*fresh);
                guess = curvature(at);
                memory.forget();
                age = 0;
            }
            last_step_ = memory.step(at.gradient, [&](std::span<double> v) { guess.solve(v); }, !squared_);
            fixed_.clear(last_step_);
            const double promised = dot(at.gradient, last_step_);  // twice the fall of the quadratic model
            fit_.converged = promised / 2 <= settings_.tolerance * total_ || gradient_is_small(at);
            if (fit_.converged && !exact_) return {};
            auto next = line_search(at, promised);
            if (!next) return next.error();
            if (!*next) {  // rounding is all that is left
                fit_.converged = fit_.converged || promised / 2 <= 1e-8 * std::max(1.0, std::abs(at.value));
                return {};
            }
            if (!exact_) {
                std::vector<double> change = (*next)->gradient;
                for (std::size_t i = 0; i < change.size(); ++i) change[i] -= at.gradient[i];
                std::vector<double> step((*next)->phi);
                for (std::size_t i = 0; i < step.size(); ++i) step[i] -= at.phi[i];
                memory.remember(std::move(step), std::move(change));
            }
            at = std::move(**next);
            if (fit_.converged) return {};
            if (exact_) guess = curvature(at);
        }
        return {};
    }

    // The first of full, half, quarter, ... steps that lowers the objective enough; none: it cannot be lowered.
    Result<std::optional<Point>> line_search(const Point& at, double promised) {
        const double noise = 1e-15 * std::max(1.0, std::abs(at.value)) * std::sqrt(std::max(1.0, total_) / 1e3 + 1);
        for (double length = 1; length > 1e-10; length /= 2) {
            std::vector<double> phi = at.phi;
            for (std::size_t i = 0; i < phi.size(); ++i) phi[i] -= length * last_step_[i];
            auto trial = evaluate(std::move(phi), exact_ ? share_ : 0);
            if (!trial) return trial.error();
            if (std::isfinite(trial->value) && trial->value <= at.value - 1e-4 * length * promised + noise)
                return std::optional(std::move(*trial));
        }
        return std::optional<Point>{};
    }

    // Without a maximum every step goes on and on in one direction; with one, the last step is short.
    Result<void> tell_separation(const Point& at) {
        if (settings_.penalty > 0) return {};
        double step = 0, size = 0;
        for (std::size_t i = 0; i < at.phi.size(); ++i) {
            const double unit = i % width_ == d_ ? std::sqrt(total_) : space_.scale[i % width_];
            step += unit * unit * last_step_[i] * last_step_[i];
            size += unit * unit * at.phi[i] * at.phi[i];
        }
        std::vector<std::vector<double>> directions = certain_classes(at);
        if (step > 1e-6 * size) {
            directions.push_back(last_step_);
            for (double& value : directions.back()) value = -value;
        }
        if (!directions.empty()) directions.push_back(at.phi);
        for (const std::vector<double>& direction : directions) {
            MarginPass pass;
            pass.rows = &rows_;
            spread(direction, pass.coefficient, pass.bias);
            auto margins = pass_over(pass);
            if (!margins) return margins.error();
            if (!margins->separate()) continue;
            fit_.separated = true;
            fit_.notes.push_back("the classes are " + std::string(margins->least > 0 ? "" : "partly ") +
                                 "separated by a combination of the columns (" + largest_in(direction) +
                                 "), so the likelihood has no maximum and the coefficients are only as large as the "
                                 "search went; a penalty gives finite ones");
            return {};
        }
        return {};
    }

    // A class that hardly a row is in doubt about may be apart from all others: the direction that says so.
    std::vector<std::vector<double>> certain_classes(const Point& at) const {
        std::vector<std::vector<double>> directions;
        const std::size_t k = class_count();
        if (at.sums.pair_weight.empty()) return directions;
        const std::vector<double> theta = contrasts_.to_classes(at.phi, width_);
        for (std::size_t c = 0; c < k; ++c) {
            double doubt = 0;
            for (std::size_t e = 0; e < k; ++e)
                if (e != c) doubt += at.sums.pair_weight[std::max(c, e) * (std::max(c, e) - 1) / 2 + std::min(c, e)];
            if (doubt > 1e-8 * fit_.class_weight[c]) continue;
            std::vector<double> alone(k * width_);
            std::copy_n(theta.begin() + static_cast<std::ptrdiff_t>(c * width_), width_,
                        alone.begin() + static_cast<std::ptrdiff_t>(c * width_));
            directions.push_back(contrasts_.to_contrasts(alone, width_));
        }
        return directions;
    }

    // The features that weigh most in a direction.
    std::string largest_in(const std::vector<double>& direction) const {
        std::vector<double> share(d_);
        for (std::size_t i = 0; i < direction.size(); ++i)
            if (i % width_ != d_) share[i % width_] += std::pow(direction[i] * space_.scale[i % width_], 2);
        const auto sources = rows_.features.sources();
        std::string names;
        for (int turn = 0; turn < 3; ++turn) {
            const auto most = std::ranges::max_element(share);
            if (most == share.end() || !(*most > 0)) break;
            const auto j = static_cast<std::size_t>(most - share.begin());
            if (turn > 0) names += ", ";
            names += rows_.columns[sources[j]];
            *most = 0;
        }
        return names.empty() ? "none" : names;
    }

    Result<LogisticFit> finish(Point& at) {
        if (!fit_.converged && !fit_.separated)
            fit_.notes.push_back("the search stopped at its limit of " + std::to_string(settings_.step_limit) +
                                 " steps before it settled");
        if (settings_.penalty == 0 && !offset_)
            for (std::size_t f = 0; f < contrasts_.count(); ++f)
                space_.shorten(std::span(at.phi).subspan(f * width_, d_));
        fit_.rank = space_.rank;
        fit_.log_likelihood = -at.loss;
        fit_.null_log_likelihood = -null_value_;
        fit_.objective = at.value;
        const std::vector<double> theta = contrasts_.to_classes(at.phi, width_);
        for (std::size_t c = 0; c < class_count(); ++c) {
            const auto w = std::span(theta).subspan(c * width_, d_);
            fit_.parameter.coefficient.insert(fit_.parameter.coefficient.end(), w.begin(), w.end());
            fit_.parameter.intercept.push_back(theta[c * width_ + d_] - dot(w, rows_.centre));
        }
        if (settings_.inference && squared_) {
            if (!exact_) {
                share_ = 1;
                auto whole = evaluate(at.phi, 1);
                if (!whole) return whole.error();
                at = std::move(*whole);
            }
            write_covariance(curvature(at));
        }
        return std::move(fit_);
    }

    // H^-1 in contrasts of phi about the centre -> contrasts with the first class about zero.
    void write_covariance(const CurvatureFactor& hessian) {
        const std::size_t side = parameter_count();
        std::vector<double> inverse = hessian.factor();
        if (!kernel::invert_cholesky(inverse, side)) return;
        for (std::size_t i = 0; i < side; ++i)
            if (fixed_.fixed[i % width_]) inverse[i * (side + 1)] = 0;
        std::vector<double> map(side * side), half(side * side);
        for (std::size_t c = 1; c < class_count(); ++c)
            for (std::size_t f = 0; f < contrasts_.count(); ++f) {
                const double q = contrasts_(c, f) - contrasts_(0, f);
                for (std::size_t j = 0; j <= d_; ++j) {
                    const std::size_t from = f * width_ + j;
                    map[(c - 1) * width_ * side + from] = j == d_ ? q : -q * rows_.centre[j];
                    if (j < d_) map[((c - 1) * width_ + j + 1) * side + from] = q;
                }
            }
        if (space_.null_count() > 0 && !offset_)
            for (std::size_t row = 0; row < side; ++row)
                for (std::size_t f = 0; f < contrasts_.count(); ++f)
                    space_.shorten(std::span(map).subspan(row * side + f * width_, d_));
        using kernel::Form;
        kernel::multiply(Form::plain, Form::plain, side, side, side, 1, map, inverse, 0, half);
        fit_.covariance.resize(side * side);
        kernel::multiply(Form::plain, Form::transposed, side, side, side, 1, half, map, 0, fit_.covariance);
    }

    Stream& stream_;
    const LogisticSettings& settings_;
    const Context& context_;
    ClassContrasts contrasts_;
    std::size_t d_, width_;
    double penalty_;  // on the contrasts
    LogisticRows rows_;
    FixedParameters fixed_;
    std::optional<std::size_t> offset_;
    FeatureMoments moments_;
    FeatureSpace space_;
    std::vector<double> scatter_;  // of the features about the centre
    double total_ = 0, null_value_ = 0;
    bool squared_ = false;  // Hessians of all parameters are formed
    bool exact_ = false;    // at every step
    double share_ = 0;      // of the rows, whose curvature is gathered
    std::vector<double> last_step_;
    LogisticFit fit_;
};

}  // namespace

Result<void> LogisticSettings::check(const Schema& schema) const {
    if (!(penalty >= 0) || std::isinf(penalty))
        return Error(ErrorKind::usage, "the penalty must be zero or a positive number");
    if (!(tolerance >= 0) || !(gradient_tolerance >= 0))
        return Error(ErrorKind::usage, "a tolerance must be zero or a positive number");
    if (step_limit == 0) return Error(ErrorKind::usage, "the limit of steps must be at least 1");
    if (!class_weight.empty() && class_weight.size() != schema.classes.size())
        return Error(ErrorKind::usage, "there must be one class weight for each of the " +
                                           std::to_string(schema.classes.size()) + " classes");
    for (double weight : class_weight)
        if (!(weight >= 0) || std::isinf(weight))
            return Error(ErrorKind::usage, "a class weight must be zero or a positive number");
    if (schema.classes.size() < 2) return Error("logistic regression needs at least two classes in the data");
    if (offset.empty()) return {};
    if (schema.classes.size() != 2) return Error(ErrorKind::usage, "an offset needs exactly two classes");
    const auto column = schema.column_named(offset);
    if (!column) return Error(ErrorKind::usage, "there is no column " + offset + " for the offset");
    if (schema.columns[*column].kind == ColumnKind::category)
        return Error(ErrorKind::usage, "the offset must be a column of numbers").in_column(offset);
    return {};
}

Result<LogisticFit> fit_logistic(const Schema& schema, const Features& features, Stream& stream,
                                 const LogisticSettings& settings, const Context& context,
                                 const std::optional<LogisticParameter>& start) {
    if (auto checked = settings.check(schema); !checked) return checked.error();
    return Solver(schema, features, stream, settings, context).run(start);
}

}  // namespace suffice
