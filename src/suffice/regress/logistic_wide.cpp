// Conjugate gradients on products with the Hessian, each of them one pass over the rows.
#include "suffice/regress/logistic_wide.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "suffice/math/line_search.hpp"
#include "suffice/math/proximal_gradient.hpp"
#include "suffice/regress/logistic_dual.hpp"
#include "suffice/regress/logistic_wide_pass.hpp"

namespace suffice {
namespace {

constexpr int most_products = 60;  // of one step

class WideSearch {
public:
    explicit WideSearch(LogisticProblem& problem)
        : problem_(problem),
          shape_{problem.class_count(), problem.feature_count},
          width_(shape_.width()),
          // With one score for two classes the penalty is on w itself.
          ridge_(problem.settings.penalty),
          bias_ridge_(problem.settings.intercept_scale > 0 ? ridge_ / std::pow(problem.settings.intercept_scale, 2)
                                                           : 0) {}

    Result<LogisticFit> run(const std::optional<LogisticParameter>& start) {
        if (auto searched = search_from(start); !searched) return searched.error();
        if (start && !converged_ && iterations_ < problem_.settings.step_limit)  // stuck where the curvature vanishes
            if (auto searched = search_from({}); !searched) return searched.error();
        if (problem_.settings.free() && !problem_.offsets.empty()) {  // offsets separate nothing: they cannot grow
            std::vector<double> found = at_.theta;
            clear_fixed(found);
            const auto without = evaluate(std::move(found));
            if (!without) return without.error();
            at_.least_margin = without->least_margin;
        }
        return finish();
    }

    Result<double> largest_at_zero() {
        auto at = evaluate(first_theta({}));
        if (!at) return at.error();
        at->gradient.resize(shape_.bias());
        return largest(at->gradient);
    }

private:
    struct Point {
        std::vector<double> theta, gradient, doubt;
        double value = 0, loss = 0, least_margin = 0;
    };

    Result<void> search_from(const std::optional<LogisticParameter>& start) {
        std::vector<double> theta = first_theta(start);
        iterations_ = 0;
        if (!start && ridge_ > 0 && problem_.settings.lasso == 0 && problem_.offsets.empty()) {
            auto swept = dual_sweeps(problem_, shape_, theta);
            if (!swept) return swept.error();
            iterations_ = *swept;
        }
        auto at = evaluate(std::move(theta));
        if (at && !(at->value <= problem_.null_loss())) at = evaluate(first_theta({}));  // worse than nothing
        if (!at) return at.error();
        at_ = std::move(*at);
        return problem_.settings.lasso > 0 ? proximal() : newton();
    }

    double penalty_at(std::size_t i) const { return i < shape_.bias() ? ridge_ : bias_ridge_; }

    // Entries of what is given: no intercept, and offsets.
    void clear_fixed(std::vector<double>& vector) const {
        for (std::size_t j = 0; j <= shape_.feature_count; ++j)
            if (problem_.fixed.fixed[j])
                std::fill_n(vector.begin() + static_cast<std::ptrdiff_t>(j * width_), width_, 0.0);
    }

    std::vector<double> first_theta(const std::optional<LogisticParameter>& start) const {
        const std::size_t m = shape_.score_count(), skipped = shape_.class_count - m, d = shape_.feature_count;
        std::vector<double> theta(shape_.size());
        if (start && start->coefficient.size() == shape_.class_count * d) {
            for (std::size_t c = 0; c < m; ++c) {
                const double* from = start->coefficient.data() + (c + skipped) * d;
                for (std::size_t j = 0; j < d; ++j)
                    theta[j * width_ + c] = from[j] - (skipped == 1 ? start->coefficient[j] : 0);
                theta[shape_.bias() + c] = start->intercept[c + skipped] - (skipped == 1 ? start->intercept[0] : 0);
            }
        } else {
            const std::vector<double>& weight = problem_.class_weight();
            double middle = 0;
            for (double each : weight) middle += std::log(each) / static_cast<double>(weight.size());
            for (std::size_t c = 0; c < m; ++c)
                theta[shape_.bias() + c] =
                    std::log(weight[c + skipped]) - (skipped == 1 ? std::log(weight[0]) : middle);
        }
        clear_fixed(theta);
        for (const OffsetFeature& each : problem_.offsets) {
            if (skipped == 1)
                theta[each.feature] = each.class_code == 1 ? 1 : -1;
            else
                theta[each.feature * width_ + each.class_code] = 1;
        }
        return theta;
    }

    Result<Point> evaluate(std::vector<double> theta) {
        auto sums = problem_.pass_over(WidePass{&problem_.rows, shape_, theta.data(), nullptr});
        if (!sums) return sums.error();
        Point at{std::move(theta), std::move(sums->gradient), std::move(sums->doubt), sums->loss,
                 sums->loss,       sums->least_margin};
        double squares = 0, bias_squares = 0;
        for (std::size_t i = 0; i < shape_.bias(); ++i) {
            if (problem_.fixed.fixed[i / width_]) continue;
            squares += at.theta[i] * at.theta[i];
            at.gradient[i] += ridge_ * at.theta[i];
        }
        for (std::size_t i = shape_.bias(); i < shape_.size(); ++i) {
            bias_squares += at.theta[i] * at.theta[i];
            at.gradient[i] += bias_ridge_ * at.theta[i];
        }
        at.value += (ridge_ * squares + bias_ridge_ * bias_squares) / 2;
        clear_fixed(at.gradient);
        return at;
    }

    double largest(const std::vector<double>& gradient) const {
        double most = 0;
        for (double g : gradient) most = std::max(most, std::abs(g));
        return most;
    }

    // What the diagonal of the Hessian would be, were doubt spread evenly over the rows.
    std::vector<double> diagonal(const Point& at) const {
        std::vector<double> all(shape_.size(), 1.0);
        for (std::size_t j = 0; j <= shape_.feature_count; ++j) {
            const bool bias = j == shape_.feature_count;
            const double square = bias ? problem_.total() : problem_.moments.square[j];
            for (std::size_t c = 0; c < shape_.score_count(); ++c) {
                const double value = penalty_at(j * width_) + square * at.doubt[c] / problem_.total();
                if (value > 0) all[j * width_ + c] = value;
            }
        }
        return all;
    }

    // s with H s about g, up to a residual that shrinks with the gradient: then Newton's method is superlinear.
    Result<std::vector<double>> newton_step(double forcing) {
        const std::vector<double> scale = diagonal(at_);
        const std::size_t size = shape_.size();
        std::vector<double> step(size), residual = at_.gradient, way(size);
        double length = 0;
        for (std::size_t i = 0; i < size; ++i) {
            way[i] = residual[i] / scale[i];
            length += residual[i] * way[i];
        }
        const double enough = forcing * forcing * length;
        for (int turn = 0; turn < most_products && length > enough && length > 0; ++turn) {
            auto sums = problem_.pass_over(WidePass{&problem_.rows, shape_, at_.theta.data(), way.data()});
            if (!sums) return sums.error();
            std::vector<double>& product = sums->gradient;
            clear_fixed(product);
            double bend = 0;
            for (std::size_t i = 0; i < size; ++i) {
                product[i] += penalty_at(i) * way[i];
                bend += way[i] * product[i];
            }
            if (!(bend > 0)) break;
            const double share = length / bend;
            double next = 0;
            for (std::size_t i = 0; i < size; ++i) {
                step[i] += share * way[i];
                residual[i] -= share * product[i];
                next += residual[i] * residual[i] / scale[i];
            }
            const double carry = next / length;
            for (std::size_t i = 0; i < size; ++i) way[i] = residual[i] / scale[i] + carry * way[i];
            length = next;
        }
        return step;
    }

    Result<void> newton() {
        const LogisticSettings& settings = problem_.settings;
        const double total = problem_.total(), first = largest(at_.gradient);
        for (; iterations_ < settings.step_limit; ++iterations_) {
            const double most = largest(at_.gradient);
            converged_ = most <= settings.gradient_tolerance * total || most == 0;
            if (converged_) return {};
            auto step = newton_step(std::min(0.25, std::sqrt(most / first)));
            if (!step) return step.error();
            double promised = 0;
            for (std::size_t i = 0; i < step->size(); ++i) promised += at_.gradient[i] * (*step)[i];
            converged_ = promised / 2 <= settings.tolerance * total;
            auto trial = at_;
            const auto attempt = [&](double length) -> Result<double> {
                std::vector<double> theta = at_.theta;
                for (std::size_t i = 0; i < theta.size(); ++i) theta[i] -= length * (*step)[i];
                auto reached = evaluate(std::move(theta));
                if (!reached) return reached.error();
                trial = std::move(*reached);
                return trial.value;
            };
            const double noise = 1e-14 * std::max(1.0, std::abs(at_.value));
            const auto fell = halve_until_it_falls({at_.value, promised, noise}, attempt);
            if (!fell) return fell.error();
            if (*fell)
                at_ = std::move(trial);
            else
                converged_ = converged_ || promised / 2 <= 1e-8 * std::max(1.0, std::abs(at_.value));
            if (converged_ || !*fell) return {};
        }
        return {};
    }

    ProximalRule rule() const {
        const LogisticSettings& settings = problem_.settings;
        const double scale = settings.intercept_scale;
        ProximalRule rule;
        rule.corner.assign(shape_.size(), settings.lasso);
        rule.bend.assign(shape_.size(), 1.0);
        const double never = std::numeric_limits<double>::infinity();
        for (std::size_t j = 0; j <= shape_.feature_count; ++j) {
            const bool bias = j == shape_.feature_count;
            for (std::size_t c = 0; c < width_; ++c) {
                const std::size_t i = j * width_ + c;
                const double square = bias ? problem_.total() : problem_.moments.square[j];
                if (square > 0) rule.bend[i] = square + penalty_at(i);
                if (bias) rule.corner[i] = scale > 0 ? settings.lasso / scale : 0;
                if (c >= shape_.score_count() || problem_.fixed.fixed[j]) rule.corner[i] = never;
            }
        }
        rule.violation = settings.gradient_tolerance * problem_.total();
        rule.least_fall = settings.tolerance * problem_.total();
        rule.step_limit = settings.step_limit;
        return rule;
    }

    Result<void> proximal() {
        const ProximalRule given = rule();
        const auto evaluated = [&](std::vector<double> theta) -> Result<ProximalPoint> {
            auto at = evaluate(std::move(theta));
            if (!at) return at.error();
            return ProximalPoint{std::move(at->theta), std::move(at->gradient), at->value};
        };
        auto found = proximal_gradient(evaluated, given, {at_.theta, at_.gradient, at_.value});
        if (!found) return found.error();
        iterations_ = found->steps;
        converged_ = found->converged;
        corners_ = corner_sum(given, found->at.x);
        auto last = evaluate(std::move(found->at.x));
        if (!last) return last.error();
        at_ = std::move(*last);
        return {};
    }

    LogisticFit finish() const {
        const std::size_t d = shape_.feature_count, k = shape_.class_count, m = shape_.score_count();
        LogisticFit fit;
        fit.parameter.coefficient.resize(k * d);
        fit.parameter.intercept.resize(k);
        double middle = 0;  // of the intercepts
        for (std::size_t c = 0; c < m; ++c) middle += at_.theta[shape_.bias() + c] / static_cast<double>(k);
        for (std::size_t c = 0; c < m; ++c) {
            const double b = at_.theta[shape_.bias() + c];
            if (m == 1)
                fit.parameter.intercept = {-b / 2, b / 2};
            else
                fit.parameter.intercept[c] = problem_.settings.intercept ? b - middle : 0;
            for (std::size_t j = 0; j < d; ++j) {
                const double w = at_.theta[j * width_ + c];
                if (m == 1) fit.parameter.coefficient[j] = -w / 2;
                fit.parameter.coefficient[(c + k - m) * d + j] = m == 1 ? w / 2 : w;
            }
        }
        fit.log_likelihood = -at_.loss;
        fit.objective = at_.value + corners_;
        fit.class_weight = problem_.class_weight();
        fit.rank = d;
        fit.iterations = iterations_;
        fit.passes = problem_.passes;
        fit.converged = converged_;
        fit.separated = problem_.settings.free() && at_.least_margin > 0;
        fit.notes = problem_.notes;
        if (fit.separated)
            fit.notes.emplace_back(
                "the classes are separated by the columns, so the likelihood has no maximum and the "
                "coefficients are only as large as the search went; a penalty gives finite ones");
        else if (!fit.converged)
            fit.notes.push_back("the search stopped at its limit of " + std::to_string(problem_.settings.step_limit) +
                                " steps before it settled");
        return fit;
    }

    LogisticProblem& problem_;
    WideShape shape_;
    std::size_t width_;
    double ridge_, bias_ridge_, corners_ = 0;
    Point at_;
    std::size_t iterations_ = 0;
    bool converged_ = false;
};

}  // namespace

Result<double> largest_wide_gradient(LogisticProblem& problem) { return WideSearch(problem).largest_at_zero(); }

Result<LogisticFit> fit_wide(LogisticProblem& problem, const std::optional<LogisticParameter>& start) {
    return WideSearch(problem).run(start);
}

}  // namespace suffice
