// Proximal Newton steps by coordinate descent; where there are too many parameters, proximal gradients.
#include <algorithm>
#include <cmath>
#include <limits>

#include "suffice/math/cholesky.hpp"
#include "suffice/math/line_search.hpp"
#include "suffice/math/proximal_gradient.hpp"
#include "suffice/regress/logistic_search.hpp"

namespace suffice {
namespace {

constexpr int most_sweeps = 500;
constexpr double share_of_first_gain =
    1e-6;  // far from the minimum of the objective that of its model need not be exact
constexpr int sweeps_before_solving = 20, most_crossings = 20;

// The second-order model g.s + s'Hs/2 + sum corner |x + s| of the objective, and a step s toward its minimum.
class CornerModel {
public:
    CornerModel(const ProximalPoint& at, const ProximalRule& rule, const std::vector<double>& hessian)
        : at_(at), rule_(rule), hessian_(hessian), side_(at.x.size()), step_(side_), moved_(side_) {}

    // One coordinate after the other. Where that creeps, since columns say nearly the same, the coordinates that
    // are not at a corner are solved for together.
    std::vector<double> minimize(double precision) {
        for (int sweep = 0; sweep < most_sweeps; ++sweep) {
            double gain = 0;
            for (std::size_t i = 0; i < side_; ++i) gain = std::max(gain, visit(i));
            if (sweep == 0) precision = std::max(precision, share_of_first_gain * gain);
            if (gain <= precision) break;
            find_active();
            for (int inner = 1; inner <= most_sweeps && gain > precision; ++inner) {
                gain = 0;
                for (const std::size_t i : active_) gain = std::max(gain, visit(i));
                if (inner % sweeps_before_solving == 0 && gain > precision) solve_active();
            }
        }
        return std::move(step_);
    }

private:
    double there(std::size_t i) const { return at_.x[i] + step_[i]; }

    void move(std::size_t i, double change) {
        step_[i] += change;
        const double* line = hessian_.data() + i * side_;
        for (std::size_t j = 0; j < side_; ++j) moved_[j] += change * line[j];
    }

    double visit(std::size_t i) {
        const double bend = hessian_[i * (side_ + 1)];
        if (std::isinf(rule_.corner[i]) || !(bend > 0)) return 0.0;
        const double change =
            soften(there(i) - (at_.gradient[i] + moved_[i]) / bend, rule_.corner[i] / bend) - there(i);
        if (change == 0) return 0.0;
        move(i, change);
        return bend * change * change;
    }

    void find_active() {
        active_.clear();
        for (std::size_t i = 0; i < side_; ++i)
            if (there(i) != 0 && !std::isinf(rule_.corner[i])) active_.push_back(i);
    }

    // To the minimum among the active with their signs, or to the first of them that reaches its corner, which is
    // then left out; the model falls all the way.
    void solve_active() {
        for (int crossing = 0; crossing < most_crossings; ++crossing) {
            find_active();
            const std::size_t count = active_.size();
            std::vector<double> factor(count * count), way(count);
            for (std::size_t a = 0; a < count; ++a) {
                const std::size_t i = active_[a];
                for (std::size_t b = 0; b < count; ++b) factor[a * count + b] = hessian_[i * side_ + active_[b]];
                way[a] = -(at_.gradient[i] + moved_[i] + std::copysign(rule_.corner[i], there(i)));
            }
            if (count == 0 || !factorize(factor, count)) return;
            solve_factorized(factor, way);
            double share = 1;
            std::size_t first = count;
            for (std::size_t a = 0; a < count; ++a) {
                const double from = there(active_[a]);
                if (rule_.corner[active_[a]] > 0 && from * (from + share * way[a]) < 0)
                    share = -from / way[a], first = a;
            }
            for (std::size_t a = 0; a < count; ++a) move(active_[a], a == first ? -there(active_[a]) : share * way[a]);
            if (first == count) return;
        }
    }

    const ProximalPoint& at_;
    const ProximalRule& rule_;
    const std::vector<double>& hessian_;
    std::size_t side_;
    std::vector<double> step_, moved_;  // moved = H step
    std::vector<std::size_t> active_;
};

ProximalRule rule_of(const LogisticProblem& problem) {
    const LogisticSettings& settings = problem.settings;
    ProximalRule rule;
    for (std::size_t i = 0; i < problem.parameter_count(); ++i) {
        const std::size_t j = i % problem.width;
        const bool bias = j == problem.feature_count;
        rule.corner.push_back(problem.fixed.fixed[j] ? std::numeric_limits<double>::infinity() : problem.lasso_of(j));
        rule.bend.push_back((bias ? problem.total() : problem.space.scale[j] * problem.space.scale[j]) +
                            problem.ridge_of(j));
    }
    // The tolerance is for gradients by class, of which two classes have one, in phi sqrt 2 times as large.
    rule.violation = settings.gradient_tolerance * problem.total() * (problem.class_count() == 2 ? std::sqrt(2.0) : 1);
    rule.least_fall = settings.tolerance * problem.total();
    rule.step_limit = settings.step_limit;
    return rule;
}

Result<void> newton_steps(LogisticProblem& problem, const ProximalRule& rule, LogisticSearch& search) {
    LogisticPoint& at = search.at;
    double before = at.value + corner_sum(rule, at.phi), damping = 0;
    double promised_before = std::numeric_limits<double>::infinity();
    while (search.iterations < rule.step_limit) {
        const ProximalPoint here{at.phi, at.gradient, at.value};
        const bool small = rule.violation > 0 && largest_violation(rule, here) <= rule.violation;
        auto hessian = problem.hessian(at);
        if (damping > 0) add_bound(problem, hessian, at.phi.size(), damping);
        const double precision = std::min(1e-4 * rule.least_fall, 1e-13 * std::abs(before));
        const auto step = CornerModel(here, rule, hessian).minimize(std::max(precision, 1e-300));
        std::vector<double> whole = at.phi;
        double promised = corner_sum(rule, at.phi);
        for (std::size_t i = 0; i < step.size(); ++i) promised -= at.gradient[i] * step[i], whole[i] += step[i];
        promised -= corner_sum(rule, whole);
        search.converged = (small || promised <= rule.least_fall) &&
                           left_after_newton(promised, promised_before) <= share_left_by_newton * std::abs(before);
        promised_before = promised;
        const double noise = 1e-15 * std::max(1.0, std::abs(before)) * std::sqrt(problem.total() / 1e3 + 1);
        LogisticPoint trial;
        double after = 0;
        const auto attempt = [&](double length) -> Result<double> {
            std::vector<double> phi = length == 1 ? whole : at.phi;
            for (std::size_t i = 0; length < 1 && i < phi.size(); ++i) phi[i] += length * step[i];
            auto reached = problem.evaluate(std::move(phi), true);
            if (!reached) return reached.error();
            trial = std::move(*reached);
            search.last_length = length;
            return after = trial.value + corner_sum(rule, trial.phi);
        };
        const auto fell = halve_until_it_falls({before, promised, noise}, attempt);
        if (!fell) return fell.error();
        if (!*fell && !search.converged && damping < 1) {
            damping = std::max(100 * damping, 1e-6);
            continue;
        }
        if (*fell) {
            at = std::move(trial), before = after;
            damping = damping > 1e-8 ? damping / 10 : 0;
            ++search.iterations;
            note_step(problem, search, before);
        } else {
            search.converged = search.converged || promised <= 1e-8 * std::max(1.0, std::abs(before));
        }
        if (search.converged || !*fell) return {};
    }
    return {};
}

}  // namespace

double corner_penalty(const LogisticProblem& problem, std::span<const double> phi) {
    if (problem.lasso == 0) return 0;
    return corner_sum(rule_of(problem), {phi.begin(), phi.end()});
}

Result<void> minimize_lasso(LogisticProblem& problem, const CurvaturePlan& plan, LogisticSearch& search) {
    const ProximalRule rule = rule_of(problem);
    if (plan.squared) return newton_steps(problem, rule, search);
    const auto evaluate = [&](std::vector<double> phi) -> Result<ProximalPoint> {
        auto at = problem.evaluate(std::move(phi), false);
        if (!at) return at.error();
        return ProximalPoint{std::move(at->phi), std::move(at->gradient), at->value};
    };
    auto found = proximal_gradient(evaluate, rule, {search.at.phi, search.at.gradient, search.at.value});
    if (!found) return found.error();
    search.iterations = found->steps;
    search.converged = found->converged;
    auto last = problem.evaluate(std::move(found->at.x), false);
    if (!last) return last.error();
    search.at = std::move(*last);
    return {};
}

}  // namespace suffice
