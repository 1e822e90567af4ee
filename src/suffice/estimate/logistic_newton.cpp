// Newton's method and limited-memory BFGS on the smooth objective.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "suffice/estimate/logistic_search.hpp"
#include "suffice/math/lbfgs.hpp"

namespace suffice {
namespace {

constexpr std::size_t most_pairs_of = 30;  // classes whose exact Hessian is formed
constexpr double exact_work = 5e8;         // multiplications of one exact Hessian that are not worth avoiding
constexpr double sampled_work = 5e8;
constexpr int refresh_after = 12;  // steps with one guess of the curvature

double dot(std::span<const double> a, std::span<const double> b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

// The exact or sampled Hessian at the point, or Boehning's bound.
CurvatureFactor curvature(const LogisticProblem& problem, const CurvaturePlan& plan, const LogisticPoint& at) {
    if (plan.squared) return CurvatureFactor::of(problem.hessian(at, plan.share), problem.parameter_count());
    const std::size_t d = problem.feature_count, width = problem.width;
    std::vector<double> bound(width * width);
    for (std::size_t i = 0; i < d; ++i)
        for (std::size_t j = 0; j < d; ++j) bound[i * width + j] = 0.5 * problem.scatter()[i * d + j];
    bound[d * width + d] = 0.5 * problem.total();
    if (problem.settings.free()) problem.space.pin(bound.data(), width);
    problem.add_penalty(bound.data(), width);
    problem.fixed.isolate(bound, width);
    return CurvatureFactor::of(std::move(bound), width);
}

// The first of full, half, quarter, ... steps that lowers the objective enough; none: it cannot be lowered.
Result<std::optional<LogisticPoint>> line_search(LogisticProblem& problem, const LogisticPoint& at,
                                                 std::span<const double> step, double promised, double share) {
    const double noise =
        1e-15 * std::max(1.0, std::abs(at.value)) * std::sqrt(std::max(1.0, problem.total()) / 1e3 + 1);
    for (double length = 1; length > 1e-10; length /= 2) {
        std::vector<double> phi = at.phi;
        for (std::size_t i = 0; i < phi.size(); ++i) phi[i] -= length * step[i];
        auto trial = problem.evaluate(std::move(phi), share);
        if (!trial) return trial.error();
        if (std::isfinite(trial->value) && trial->value <= at.value - 1e-4 * length * promised + noise)
            return std::optional(std::move(*trial));
    }
    return std::optional<LogisticPoint>{};
}

std::vector<double> difference(std::span<const double> a, std::span<const double> b) {
    std::vector<double> left(a.begin(), a.end());
    for (std::size_t i = 0; i < left.size(); ++i) left[i] -= b[i];
    return left;
}

}  // namespace

CurvaturePlan CurvaturePlan::of(const LogisticProblem& problem) {
    CurvaturePlan plan;
    const std::size_t limit = problem.lasso > 0 ? LogisticSettings::most_lasso : LogisticSettings::most_exact;
    plan.squared = problem.parameter_count() <= limit && problem.class_count() <= most_pairs_of;
    const double k = static_cast<double>(problem.class_count());
    const double per_row = k * (k - 1) / 2 * static_cast<double>(problem.width * problem.width);
    plan.exact = plan.squared && (per_row * problem.total() <= exact_work || problem.lasso > 0);
    const double rows = std::max(sampled_work / per_row, 20.0 * static_cast<double>(problem.parameter_count()));
    plan.share = plan.exact ? 1.0 : plan.squared ? std::min(1.0, rows / problem.total()) : 0.0;
    return plan;
}

Result<void> minimize_smooth(LogisticProblem& problem, const CurvaturePlan& plan, LogisticSearch& search) {
    const LogisticSettings& settings = problem.settings;
    LogisticPoint& at = search.at;
    CurvatureFactor guess = curvature(problem, plan, at);
    LbfgsMemory memory;
    int age = 0;
    for (; search.iterations < settings.step_limit; ++search.iterations, ++age) {
        if (plan.squared && !plan.exact && age == refresh_after) {
            auto fresh = problem.evaluate(std::move(at.phi), plan.share);
            if (!fresh) return fresh.error();
            at = std::move(*fresh);
            guess = curvature(problem, plan, at);
            memory.forget();
            age = 0;
        }
        search.last_step = memory.step(at.gradient, [&](std::span<double> v) { guess.solve(v); }, !plan.squared);
        problem.fixed.clear(search.last_step);
        const double promised = dot(at.gradient, search.last_step);  // twice the fall of the quadratic model
        search.converged = promised / 2 <= settings.tolerance * problem.total() ||
                           (settings.gradient_tolerance > 0 &&
                            problem.largest(at.gradient) <= settings.gradient_tolerance * problem.total());
        if (search.converged && !plan.exact) return {};
        auto next = line_search(problem, at, search.last_step, promised, plan.exact ? plan.share : 0);
        if (!next) return next.error();
        if (!*next) {  // rounding is all that is left
            search.converged = search.converged || promised / 2 <= 1e-8 * std::max(1.0, std::abs(at.value));
            return {};
        }
        if (!plan.exact) memory.remember(difference((*next)->phi, at.phi), difference((*next)->gradient, at.gradient));
        at = std::move(**next);
        if (search.converged) return {};
        if (plan.exact) guess = curvature(problem, plan, at);
    }
    return {};
}

}  // namespace suffice
