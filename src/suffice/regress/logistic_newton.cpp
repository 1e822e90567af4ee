// Newton's method and limited-memory BFGS on the smooth objective.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "suffice/math/lbfgs.hpp"
#include "suffice/math/line_search.hpp"
#include "suffice/regress/logistic_search.hpp"

namespace suffice {
namespace {

constexpr std::size_t most_pairs_of = 30;  // classes whose exact Hessian is formed
constexpr double exact_work = 5e8;         // multiplications of one exact Hessian that are not worth avoiding
// Rows of a sample: for each parameter at least, and else no more than this many and this much work.
constexpr double rows_per_parameter = 40, most_sampled = 20000, sampled_work = 5e8;
constexpr double largest_sample = 0.3;  // of the rows
constexpr int refresh_after = 12;       // steps with one guess of the curvature
constexpr double trace_of_bound = 1e-6;
// A small gradient is not enough where nearly all rows are certain: what is left to gain must be a small share as well.
constexpr double small_share = 0.02;
// Newton's method ends much nearer to the minimum than its gradient is asked to be; steps by the Hessian of a sample go
// on until they are as near, and exact ones until the last of them leaves no more than a share.
constexpr double newton_share = 5e-11;
constexpr double bound_share = 1e-12, quick_pass = 4e6;  // multiplications

// Boehning's bound, for each contrast the same.
CurvatureFactor bound_of(const LogisticProblem& problem) {
    const std::size_t width = problem.width;
    std::vector<double> bound(width * width);
    add_bound(problem, bound, width, 1);
    if (problem.settings.free()) problem.space.pin(bound.data(), width);
    problem.add_penalty(bound.data(), width);
    problem.fixed.isolate(bound, width);
    return CurvatureFactor::of(std::move(bound), width);
}

// Steps by the bound promise less than there is to gain, as far as the curvature is below it. Where a pass is nothing
// they go on until even that is no matter; elsewhere a small gradient has to do.
double share_left_by_bound(const LogisticProblem& problem) {
    const double work = problem.total() * static_cast<double>(problem.class_count() * problem.width);
    return work <= quick_pass ? bound_share : std::numeric_limits<double>::infinity();
}

// The exact or sampled Hessian at the point. Where rows in doubt are few, a sample may have none of them: a trace of
// the bound keeps steps finite.
// `damping`: the share of the bound that is added to an exact Hessian.
Result<CurvatureFactor> curvature(const LogisticProblem& problem, const CurvaturePlan& plan, LogisticSample* sample,
                                  const LogisticPoint& at, double damping = 0) {
    if (!plan.squared) return bound_of(problem);
    const std::size_t d = problem.feature_count, side = problem.parameter_count();
    if (plan.exact) {
        auto exact = problem.hessian(at);
        if (damping > 0) add_bound(problem, exact, side, damping);
        return CurvatureFactor::of(std::move(exact), side);
    }
    auto hessian = sample->hessian(at.phi);
    if (!hessian) return hessian.error();
    for (std::size_t i = 0; i < side; ++i) {
        const std::size_t j = i % problem.width;
        (*hessian)[i * (side + 1)] += trace_of_bound * (j == d ? problem.total() : problem.scatter()[j * (d + 1)]);
    }
    return CurvatureFactor::of(std::move(*hessian), side);
}

// The first of full, half, quarter, ... steps that lowers the objective enough; none: it cannot be lowered.
Result<std::optional<LogisticPoint>> line_search(LogisticProblem& problem, const LogisticPoint& at,
                                                 std::span<const double> step, double promised, bool with_curvature,
                                                 double& taken) {
    // Firth's objective is rounded more: it has a determinant in it.
    const double noise = (problem.settings.firth ? 1e-13 : 1e-15) * std::max(1.0, std::abs(at.value)) *
                         std::sqrt(std::max(1.0, problem.total()) / 1e3 + 1);
    std::optional<LogisticPoint> reached;
    const auto attempt = [&](double length) -> Result<double> {
        std::vector<double> phi = at.phi;
        for (std::size_t i = 0; i < phi.size(); ++i) phi[i] -= length * step[i];
        auto trial = problem.evaluate(std::move(phi), with_curvature);
        if (!trial) return trial.error();
        reached = std::move(*trial);
        taken = length;
        return reached->value;
    };
    const auto fell = halve_until_it_falls({at.value, promised, noise}, attempt);
    if (!fell) return fell.error();
    if (!*fell) reached.reset();
    return reached;
}

std::vector<double> difference(std::span<const double> a, std::span<const double> b) {
    std::vector<double> left(a.begin(), a.end());
    for (std::size_t i = 0; i < left.size(); ++i) left[i] -= b[i];
    return left;
}

}  // namespace

double left_after_newton(double promised, double before) {
    const double ratio = promised / before;
    return std::min(5 * ratio * ratio, 1.0) * promised;
}

void add_bound(const LogisticProblem& problem, std::vector<double>& matrix, std::size_t side, double share) {
    const std::size_t d = problem.feature_count, width = problem.width;
    for (std::size_t block = 0; block < side; block += width) {
        double* const corner = matrix.data() + block * (side + 1);
        for (std::size_t i = 0; i < d; ++i)
            for (std::size_t j = 0; j < d; ++j) corner[i * side + j] += share * 0.5 * problem.scatter()[i * d + j];
        corner[d * (side + 1)] += share * 0.5 * problem.total();
    }
}

CurvaturePlan CurvaturePlan::of(const LogisticProblem& problem) {
    if (problem.settings.firth || problem.settings.link == Link::probit) return {true, true, 1};
    CurvaturePlan plan;
    const std::size_t limit = problem.lasso > 0 ? LogisticSettings::most_lasso : LogisticSettings::most_exact;
    plan.squared = problem.parameter_count() <= limit && problem.class_count() <= most_pairs_of;
    const double k = static_cast<double>(problem.class_count());
    const double per_row = k * (k - 1) / 2 * static_cast<double>(problem.width * problem.width);
    const double rows = std::max(std::min(sampled_work / per_row, most_sampled),
                                 rows_per_parameter * static_cast<double>(problem.parameter_count()));
    plan.exact = plan.squared && (per_row * problem.total() <= exact_work || rows > largest_sample * problem.total() ||
                                  problem.lasso > 0 || problem.costly_passes());
    plan.share = plan.exact ? 1.0 : plan.squared ? rows / problem.total() : 0.0;
    return plan;
}

namespace {

// Whether the step about to be taken is the last, by what its quadratic model promises; twice its fall is `promised`.
bool is_last(const LogisticProblem& problem, const CurvaturePlan& plan, LogisticSearch& search, double promised,
             double before) {
    const LogisticSettings& settings = problem.settings;
    const LogisticPoint& at = search.at;
    // The information is not quite the curvature of Firth's objective: steps shrink by a factor only, so the last one
    // must be small itself.
    const double tolerance = settings.firth ? 1e-12 * settings.tolerance : settings.tolerance;
    const bool sampled = plan.squared && !plan.exact;
    const bool near = plan.exact ? left_after_newton(promised, before) <= share_left_by_newton * at.value
                                 : promised / 2 <= (sampled ? newton_share : small_share) * at.value;
    // Where classes separate the objective falls to nothing, and no share of it is ever near.
    const bool vanished = settings.free() && at.value <= 4 * tolerance * problem.total();
    const bool may_vanish = !sampled && (vanished || settings.firth || (settings.free() && !plan.exact));
    search.converged = (promised / 2 <= tolerance * problem.total() && (near || may_vanish)) ||
                       (settings.gradient_tolerance > 0 && near &&
                        problem.largest(at.gradient) <= settings.gradient_tolerance * problem.total());
    return search.converged && (plan.squared || vanished || promised / 2 <= share_left_by_bound(problem) * at.value);
}

}  // namespace

Result<void> minimize_smooth(LogisticProblem& problem, const CurvaturePlan& plan, LogisticSample* sample,
                             LogisticSearch& search) {
    const LogisticSettings& settings = problem.settings;
    LogisticPoint& at = search.at;
    auto guess = curvature(problem, plan, sample, at);
    if (!guess) return guess.error();
    LbfgsMemory memory;
    int age = 0;
    bool bounded = false;
    double damping = 0;
    const bool sampled = plan.squared && !plan.exact;
    double before = std::numeric_limits<double>::infinity();  // what the last step promised
    for (; search.iterations < settings.step_limit; ++age) {
        const bool renew = sampled && !bounded && age == refresh_after;
        if (renew || (plan.exact && age > 0)) {
            guess = curvature(problem, plan, sample, at, damping);
            if (!guess) return guess.error();
            if (renew) memory.forget();
            age = 0;
        }
        search.last_step =
            memory.step(at.gradient, [&](std::span<double> v) { guess->solve(v); }, !plan.squared || bounded);
        problem.fixed.clear(search.last_step);
        const double promised = std::inner_product(at.gradient.begin(), at.gradient.end(), search.last_step.begin(),
                                                   0.0);  // twice the fall of the quadratic model
        const bool done = is_last(problem, plan, search, promised, before);
        before = promised;
        if (done && !plan.exact) return {};
        auto next = line_search(problem, at, search.last_step, promised, plan.exact, search.last_length);
        if (!next) return next.error();
        if (!*next && !bounded && sampled) {  // the sample misleads: go on by the bound
            bounded = true;
            guess = bound_of(problem);
            memory.forget();
            continue;
        }
        if (!*next && plan.exact && !search.converged &&
            damping < 1) {  // the curvature misleads: go on nearer to the bound
            damping = std::max(100 * damping, 1e-6);
            continue;
        }
        if (!*next) {  // rounding is all that is left
            search.converged = search.converged || promised / 2 <= 1e-8 * std::max(1.0, std::abs(at.value));
            return {};
        }
        damping = damping > 1e-8 ? damping / 10 : 0;
        ++search.iterations;
        if (!plan.exact) memory.remember(difference((*next)->phi, at.phi), difference((*next)->gradient, at.gradient));
        at = std::move(**next);
        note_step(problem, search, at.value);
        if (done) return {};
    }
    return {};
}

}  // namespace suffice
