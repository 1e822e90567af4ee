// Proximal Newton steps by coordinate descent; where there are too many parameters, proximal gradients.
#include <algorithm>
#include <cmath>
#include <limits>

#include "suffice/math/line_search.hpp"
#include "suffice/math/proximal_gradient.hpp"
#include "suffice/regress/logistic_search.hpp"

namespace suffice {
namespace {

constexpr int most_sweeps = 500;

// The minimum of g.s + s'Hs/2 + sum corner |x + s| over s, one coordinate after the other.
std::vector<double> coordinate_descent(const ProximalPoint& at, const ProximalRule& rule,
                                       const std::vector<double>& hessian, double precision) {
    const std::size_t side = at.x.size();
    std::vector<double> step(side), moved(side);  // moved = H step
    std::vector<std::size_t> active;
    const auto visit = [&](std::size_t i) {
        const double bend = hessian[i * (side + 1)];
        if (std::isinf(rule.corner[i]) || !(bend > 0)) return 0.0;
        const double here = at.x[i] + step[i];
        const double there = soften(here - (at.gradient[i] + moved[i]) / bend, rule.corner[i] / bend);
        const double change = there - here;
        if (change == 0) return 0.0;
        step[i] = there - at.x[i];
        const double* line = hessian.data() + i * side;
        for (std::size_t j = 0; j < side; ++j) moved[j] += change * line[j];
        return bend * change * change;
    };
    for (int sweep = 0; sweep < most_sweeps; ++sweep) {
        double gain = 0;
        for (std::size_t i = 0; i < side; ++i) gain = std::max(gain, visit(i));
        if (gain <= precision) break;
        active.clear();
        for (std::size_t i = 0; i < side; ++i)
            if (at.x[i] + step[i] != 0) active.push_back(i);
        for (int inner = 0; inner < most_sweeps && gain > precision; ++inner) {
            gain = 0;
            for (std::size_t i : active) gain = std::max(gain, visit(i));
        }
    }
    return step;
}

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
    while (search.iterations < rule.step_limit) {
        const ProximalPoint here{at.phi, at.gradient, at.value};
        search.converged = rule.violation > 0 && largest_violation(rule, here) <= rule.violation;
        auto hessian = problem.hessian(at);
        if (damping > 0) add_bound(problem, hessian, at.phi.size(), damping);
        const auto step = coordinate_descent(here, rule, hessian, std::max(1e-4 * rule.least_fall, 1e-300));
        std::vector<double> whole = at.phi;
        double promised = corner_sum(rule, at.phi);
        for (std::size_t i = 0; i < step.size(); ++i) promised -= at.gradient[i] * step[i], whole[i] += step[i];
        promised -= corner_sum(rule, whole);
        search.converged = search.converged || promised <= rule.least_fall;
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
