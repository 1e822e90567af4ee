// Inverts curvatures, and puts the scores of rows between two of them.
#include "suffice/regress/logistic_covariance.hpp"

#include <algorithm>

#include "suffice/kernel/linear_algebra.hpp"
#include "suffice/regress/score_pass.hpp"

namespace suffice {
namespace {

// H^-1, with zeros for what is given.
std::vector<double> inverse_of(const LogisticProblem& problem, const CurvatureFactor& hessian) {
    const std::size_t side = problem.parameter_count();
    std::vector<double> inverse = hessian.factor();
    if (!kernel::invert_cholesky(inverse, side)) return {};
    for (std::size_t i = 0; i < side; ++i)
        if (problem.fixed.fixed[i % problem.width]) inverse[i * (side + 1)] = 0;
    return inverse;
}

// a b a' of square matrices.
std::vector<double> between(const std::vector<double>& a, const std::vector<double>& b, std::size_t side) {
    using kernel::Form;
    std::vector<double> half(side * side), all(side * side);
    kernel::multiply(Form::plain, Form::plain, side, side, side, 1, a, b, 0, half);
    kernel::multiply(Form::plain, Form::transposed, side, side, side, 1, half, a, 0, all);
    return all;
}

}  // namespace

std::vector<double> told_by_contrasts(const LogisticProblem& problem) {
    const std::size_t side = problem.parameter_count(), width = problem.width, d = problem.feature_count;
    const ClassContrasts& contrasts = problem.contrasts;
    std::vector<double> map(side * side);
    for (std::size_t c = 1; c < problem.class_count(); ++c)
        for (std::size_t f = 0; f < contrasts.count(); ++f) {
            const double q = contrasts(c, f) - contrasts(0, f);
            for (std::size_t j = 0; j <= d; ++j) {
                const std::size_t from = f * width + j;
                map[(c - 1) * width * side + from] = j == d ? q : -q * problem.rows.centre[j];
                if (j < d) map[((c - 1) * width + j + 1) * side + from] = q;
            }
        }
    if (problem.space.null_count() == 0) return map;
    for (std::size_t row = 0; row < side; ++row)
        for (std::size_t f = 0; f < contrasts.count(); ++f)
            problem.determine_function(std::span(map).subspan(row * side + f * width, d));
    return map;
}

Result<std::vector<double>> covariance_of_estimates(LogisticProblem& problem, const CurvaturePlan& plan,
                                                    LogisticPoint& at) {
    const Inference wanted = problem.settings.inference;
    if (!plan.squared || problem.lasso > 0 || wanted == Inference::none) return std::vector<double>{};
    if (!plan.exact) {
        if (wanted == Inference::where_cheap) return std::vector<double>{};
        auto whole = problem.evaluate(at.phi, true);
        if (!whole) return whole.error();
        at = std::move(*whole);
    }
    const bool robust = problem.settings.is_robust();
    if (problem.settings.link == Link::probit && !robust) {
        auto expected = problem.gather_probit(at.phi, Information::expected);
        if (!expected) return expected.error();
        at.sums = std::move(*expected);
    }
    const std::size_t side = problem.parameter_count();
    std::vector<double> inverse = inverse_of(problem, CurvatureFactor::of(problem.hessian(at), side));
    if (inverse.empty()) return inverse;
    if (robust) {
        auto scores = problem.gather_scores(at.phi);
        if (!scores) return scores.error();
        inverse = between(inverse, *scores, side);
    }
    return between(told_by_contrasts(problem), inverse, side);
}

}  // namespace suffice
