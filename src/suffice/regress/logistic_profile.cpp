// Minimises under linear constraints, and looks for where the minimum has risen enough.
#include "suffice/regress/logistic_profile.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "suffice/data/stream.hpp"
#include "suffice/math/cholesky.hpp"
#include "suffice/math/line_search.hpp"
#include "suffice/math/special.hpp"
#include "suffice/regress/logistic_covariance.hpp"

namespace suffice {
namespace {

constexpr int most_newton_steps = 200, most_doublings = 40, most_trials = 200;
constexpr double enough = 1e-13;  // what a step must still promise, of the objective
constexpr double close_to_quantile = 1e-8;

double product(std::span<const double> a, std::span<const double> b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

// Rows of A and what A phi shall be.
struct Constraints {
    std::vector<double> rows, values;
    std::size_t count() const { return values.size(); }
    std::span<const double> row(std::size_t m, std::size_t side) const {
        return std::span(rows).subspan(m * side, side);
    }
};

class Profile {
public:
    explicit Profile(LogisticProblem& problem) : problem_(problem), side_(problem.parameter_count()) {}

    // The least objective under the constraints, from this point on.
    Result<LogisticPoint> minimum(LogisticPoint at, const Constraints& constraints) {
        double damping = 0;
        bool feasible = constraints.count() == 0;
        for (int turn = 0; turn < most_newton_steps; ++turn) {
            auto hessian = problem_.hessian(at);
            if (damping > 0) add_bound(problem_, hessian, side_, damping);
            const std::vector<double> step = step_of(at, constraints, CurvatureFactor::of(std::move(hessian), side_));
            const double promised = product(at.gradient, step);
            if (feasible && promised / 2 <= enough * std::max(1.0, std::abs(at.value))) return at;
            auto moved = feasible ? lower(at, step, promised) : move(at, step, 1);
            if (!moved) return moved.error();
            if (!moved->has_value()) {
                if (damping >= 1 || promised / 2 <= 1e-9 * std::max(1.0, std::abs(at.value))) return at;
                damping = std::max(100 * damping, 1e-6);
                continue;
            }
            damping = damping > 1e-8 ? damping / 10 : 0;
            feasible = true;
            at = std::move(**moved);
        }
        return at;
    }

private:
    // From phi to the minimum of the quadratic model on the plane of the constraints: phi less this.
    std::vector<double> step_of(const LogisticPoint& at, const Constraints& constraints,
                                const CurvatureFactor& factor) const {
        const std::size_t m = constraints.count();
        std::vector<double> step = at.gradient, solved(m * side_), small(m * m), pull(m);
        problem_.fixed.clear(step);
        factor.solve(step);
        for (std::size_t i = 0; i < m; ++i) {
            const std::span<double> own = std::span(solved).subspan(i * side_, side_);
            std::ranges::copy(constraints.row(i, side_), own.begin());
            problem_.fixed.clear(own);
            factor.solve(own);
            for (std::size_t j = 0; j <= i; ++j)
                small[i * m + j] = small[j * m + i] = product(constraints.row(j, side_), own);
            pull[i] = product(constraints.row(i, side_), step) - product(constraints.row(i, side_), at.phi) +
                      constraints.values[i];
        }
        if (m > 0) solve_symmetric(small, pull);
        for (std::size_t i = 0; i < m; ++i)
            for (std::size_t j = 0; j < side_; ++j) step[j] -= pull[i] * solved[i * side_ + j];
        problem_.fixed.clear(step);
        return step;
    }

    Result<std::optional<LogisticPoint>> move(const LogisticPoint& at, const std::vector<double>& step, double length) {
        std::vector<double> phi = at.phi;
        for (std::size_t i = 0; i < side_; ++i) phi[i] -= length * step[i];
        auto reached = problem_.evaluate(std::move(phi), true);
        if (!reached) return reached.error();
        return std::optional(std::move(*reached));
    }

    Result<std::optional<LogisticPoint>> lower(const LogisticPoint& at, const std::vector<double>& step,
                                               double promised) {
        std::optional<LogisticPoint> reached;
        const double noise = 1e-14 * std::max(1.0, std::abs(at.value));
        const auto attempt = [&](double length) -> Result<double> {
            auto moved = move(at, step, length);
            if (!moved) return moved.error();
            reached = std::move(*moved);
            return reached->value;
        };
        const auto fell = halve_until_it_falls({at.value, promised, noise}, attempt);
        if (!fell) return fell.error();
        if (!*fell) reached.reset();
        return reached;
    }

    LogisticProblem& problem_;
    std::size_t side_;
};

// How far the minimum has risen where a'phi = value, as the root of the likelihood ratio; keeps the point for the next.
struct Ratio {
    Profile& profile;
    std::vector<double> row;
    double least, wanted;
    LogisticPoint near;

    Result<double> at(double value) {
        auto found = profile.minimum(near, {row, {value}});
        if (!found) return found.error();
        const double root = std::sqrt(2 * std::max(found->value - least, 0.0));
        if (root < wanted) near = std::move(*found);  // beyond it the curvature may vanish
        return root;
    }
};

// The value beyond `from` in the direction of `stride` at which the root of the ratio is `wanted`.
Result<double> end_of_interval(Ratio& ratio, double from, double stride, double wanted) {
    double inside = from, root_inside = 0, outside = from + stride, root = 0;
    for (int turn = 0;; ++turn) {
        const auto found = ratio.at(outside);
        if (!found) return found;
        root = *found;
        if (root >= wanted) break;
        if (turn == most_doublings) return std::copysign(std::numeric_limits<double>::infinity(), stride);
        inside = outside;
        root_inside = root;
        outside += (stride *= 2);
    }
    // Roots are nearly a line: false position, and halves where one end stays too long.
    double low = root_inside - wanted, high = root - wanted;
    int stayed = 0;
    for (int turn = 0; turn < most_trials; ++turn) {
        double at = inside + (outside - inside) * (-low) / (high - low);
        if (std::abs(stayed) > 2 || !std::isfinite(at)) at = (inside + outside) / 2, stayed = 0;
        const auto found = ratio.at(at);
        if (!found) return found;
        const double miss = *found - wanted;
        if (std::abs(miss) <= close_to_quantile || std::abs(outside - inside) <= 1e-12 * std::abs(at)) return at;
        if (miss < 0) {
            inside = at, low = miss;
            stayed = stayed < 0 ? stayed - 1 : -1;
        } else {
            outside = at, high = miss;
            stayed = stayed > 0 ? stayed + 1 : 1;
        }
    }
    return (inside + outside) / 2;
}

Result<std::vector<ProfileInterval>> intervals(LogisticProblem& problem, Profile& profile, const LogisticPoint& best,
                                               double coverage) {
    const std::size_t side = problem.parameter_count();
    const double wanted = normal_quantile(0.5 + coverage / 2), unknown = std::numeric_limits<double>::quiet_NaN();
    const std::vector<double> told = told_by_contrasts(problem);
    const CurvatureFactor factor = CurvatureFactor::of(problem.hessian(best), side);
    std::vector<ProfileInterval> all;
    for (std::size_t i = 0; i < side; ++i) {
        std::vector<double> row(told.begin() + static_cast<std::ptrdiff_t>(i * side),
                                told.begin() + static_cast<std::ptrdiff_t>((i + 1) * side));
        std::vector<double> solved = row;
        problem.fixed.clear(solved);
        const bool none = std::ranges::all_of(solved, [](double each) { return each == 0; });
        factor.solve(solved);
        problem.fixed.clear(solved);
        const double error = std::sqrt(std::max(product(row, solved), 0.0)), estimate = product(row, best.phi);
        const bool intercept_given = i % problem.width == 0 && !problem.settings.intercept;
        all.push_back({unknown, unknown});
        if (none || intercept_given || !(error > 0)) continue;
        for (const double side_of : {-1.0, 1.0}) {
            Ratio ratio{profile, row, best.value, wanted, best};
            // Where classes separate the error is far too large, and steps must be small to stay where rows are in
            // doubt.
            const double stride =
                side_of * std::min(wanted * error, (std::abs(estimate) + error / 1e3) / 8 + wanted * error / 1e3);
            const auto end = end_of_interval(ratio, estimate, stride, wanted);
            if (!end) return end.error();
            (side_of < 0 ? all.back().low : all.back().high) = *end;
        }
    }
    return all;
}

// By how much the features lose rank without those from `first` on.
std::size_t rank_lost(const LogisticProblem& problem, std::size_t first, std::size_t count) {
    const std::size_t d = problem.feature_count;
    std::vector<double> rest = problem.scatter();
    for (std::size_t i = 0; i < d; ++i)
        for (std::size_t j = 0; j < d; ++j)
            if ((i >= first && i < first + count) || (j >= first && j < first + count)) rest[i * d + j] = 0;
    for (const OffsetFeature& each : problem.offsets)
        for (std::size_t j = 0; j < d; ++j) {
            rest[each.feature * d + j] = rest[j * d + each.feature] = 0;
            if (j == each.feature) rest[j * (d + 1)] = 1;
        }
    return problem.space.rank - FeatureSpace::of(rest, d).rank;
}

Result<std::vector<TermTest>> term_tests(LogisticProblem& problem, Profile& profile, const LogisticPoint& best,
                                         const Schema& schema) {
    const std::size_t side = problem.parameter_count();
    std::vector<TermTest> all;
    std::size_t first = 0;
    for (const ColumnBasis& each : problem.rows.features.columns) {
        const std::size_t from = first;
        first += each.count;
        if (each.count == 0 || problem.fixed.fixed[from]) continue;
        TermTest test;
        test.term = schema.columns[each.column].name;
        if (each.basis == Basis::missing) test.term = "missing(" + test.term + ")";
        if (each.basis == Basis::product) test.term += "*" + schema.columns[each.other].name;
        test.degrees = problem.contrasts.count() * rank_lost(problem, from, each.count);
        Constraints none;
        for (std::size_t f = 0; f < problem.contrasts.count(); ++f)
            for (std::size_t j = from; j < first; ++j) {
                none.rows.resize(none.rows.size() + side);
                none.rows[none.rows.size() - side + f * problem.width + j] = 1;
                none.values.push_back(0);
            }
        auto without = profile.minimum(best, none);
        if (!without) return without.error();
        test.statistic = 2 * std::max(without->value - best.value, 0.0);
        test.p_value = test.degrees == 0
                           ? std::numeric_limits<double>::quiet_NaN()
                           : incomplete_gamma_complement(static_cast<double>(test.degrees) / 2, test.statistic / 2);
        all.push_back(std::move(test));
    }
    return all;
}

Result<void> check_ratios(const LogisticSettings& settings, const AskedRatios& asked) {
    if (!settings.free())
        return Error(
            ErrorKind::usage,
            "likelihood ratios are no tests where a penalty moves the estimates; fit without one, or with Firth's");
    if (settings.importance)
        return Error(ErrorKind::usage,
                     "weights of importance give no likelihood, so there are no ratios of it; robust errors hold");
    if (!(asked.coverage > 0 && asked.coverage < 1)) return Error(ErrorKind::usage, "a coverage lies between 0 and 1");
    return {};
}

}  // namespace

Result<LikelihoodRatios> likelihood_ratios(const Schema& schema, const Features& features, Stream& stream,
                                           const LogisticSettings& settings, const LogisticParameter& parameter,
                                           double log_likelihood, const AskedRatios& asked, const Context& context) {
    if (auto checked = check_ratios(settings, asked); !checked) return checked.error();
    LogisticProblem problem(schema, features, stream, settings, context);
    if (auto looked = problem.look_at_rows(); !looked) return looked.error();
    if (problem.rows.wide || !CurvaturePlan::of(problem).squared)
        return Error(ErrorKind::usage, "likelihood ratios take at most " +
                                           std::to_string(LogisticSettings::most_exact) +
                                           " coefficients, and there are " + std::to_string(problem.parameter_count()));
    auto at = problem.evaluate(problem.given_start(parameter), true);
    if (!at) return at.error();
    if (!(std::abs(at->loss + log_likelihood) <= 1e-6 * (1 + std::abs(log_likelihood))))
        return Error("these are not the rows that the regression was fitted to: their log likelihood is " +
                     std::to_string(-at->loss) + ", and it was " + std::to_string(log_likelihood));
    Profile profile(problem);
    auto best = profile.minimum(std::move(*at), {});
    if (!best) return best.error();
    LikelihoodRatios told;
    told.coverage = asked.coverage;
    if (asked.profile) {
        auto found = intervals(problem, profile, *best, asked.coverage);
        if (!found) return found.error();
        told.intervals = std::move(*found);
    }
    if (asked.tests) {
        auto found = term_tests(problem, profile, *best, schema);
        if (!found) return found.error();
        told.tests = std::move(*found);
    }
    return told;
}

}  // namespace suffice
