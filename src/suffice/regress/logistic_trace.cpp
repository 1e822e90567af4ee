// Where a search stands, in the coordinates of the textbook.
#include "suffice/regress/logistic_trace.hpp"

#include <cmath>
#include <limits>
#include <numeric>

#include "suffice/kernel/linear_algebra.hpp"
#include "suffice/math/eigen.hpp"
#include "suffice/regress/logistic_search.hpp"

namespace suffice {
namespace {

constexpr std::size_t most_told = 300;  // parameters whose Hessian's eigenvalues are found at every step

double condition_of(const LogisticProblem& problem, const LogisticPoint& at) {
    const std::size_t side = problem.parameter_count();
    if (at.sums.pair_scatter.empty() || side > most_told) return std::numeric_limits<double>::quiet_NaN();
    auto inverse = textbook_covariance(problem, CurvatureFactor::of(problem.hessian(at), side));
    std::vector<double> values(side);
    if (inverse.empty() || !symmetric_eigen(inverse, side, values) || !(values.front() > 0))
        return std::numeric_limits<double>::quiet_NaN();
    return values.back() / values.front();
}

}  // namespace

std::vector<double> textbook_coefficients(const LogisticProblem& problem, const LogisticPoint& at) {
    const LogisticParameter parameter = problem.parameter(at.phi);
    const std::size_t d = problem.feature_count;
    std::vector<double> told;
    for (std::size_t c = 1; c < problem.class_count(); ++c) {
        told.push_back(parameter.intercept[c] - parameter.intercept[0]);
        for (std::size_t j = 0; j < d; ++j) told.push_back(parameter.coefficient[c * d + j] - parameter.coefficient[j]);
    }
    return told;
}

// phi's, spread over the classes and about zero.
std::vector<double> textbook_gradient(const LogisticProblem& problem, const LogisticPoint& at) {
    const std::size_t d = problem.feature_count;
    std::vector<double> searched = at.gradient;
    problem.fixed.clear(searched);
    const std::vector<double> by_class = problem.contrasts.to_classes(searched, problem.width);
    std::vector<double> gradient;
    for (std::size_t c = 1; c < problem.class_count(); ++c) {
        const double* const own = by_class.data() + c * problem.width;
        gradient.push_back(own[d]);
        for (std::size_t j = 0; j < d; ++j) gradient.push_back(own[j] + problem.rows.centre[j] * own[d]);
    }
    return gradient;
}

std::vector<double> textbook_covariance(const LogisticProblem& problem, const CurvatureFactor& hessian) {
    const std::size_t side = problem.parameter_count(), width = problem.width, d = problem.feature_count;
    const ClassContrasts& contrasts = problem.contrasts;
    std::vector<double> inverse = hessian.factor();
    if (!kernel::invert_cholesky(inverse, side)) return {};
    for (std::size_t i = 0; i < side; ++i)
        if (problem.fixed.fixed[i % width]) inverse[i * (side + 1)] = 0;
    std::vector<double> map(side * side), half(side * side), all(side * side);
    for (std::size_t c = 1; c < problem.class_count(); ++c)
        for (std::size_t f = 0; f < contrasts.count(); ++f) {
            const double q = contrasts(c, f) - contrasts(0, f);
            for (std::size_t j = 0; j <= d; ++j) {
                const std::size_t from = f * width + j;
                map[(c - 1) * width * side + from] = j == d ? q : -q * problem.rows.centre[j];
                if (j < d) map[((c - 1) * width + j + 1) * side + from] = q;
            }
        }
    if (problem.space.null_count() > 0)
        for (std::size_t row = 0; row < side; ++row)
            for (std::size_t f = 0; f < contrasts.count(); ++f)
                problem.space.shorten(std::span(map).subspan(row * side + f * width, d));
    using kernel::Form;
    kernel::multiply(Form::plain, Form::plain, side, side, side, 1, map, inverse, 0, half);
    kernel::multiply(Form::plain, Form::transposed, side, side, side, 1, half, map, 0, all);
    return all;
}

void note_step(const LogisticProblem& problem, const LogisticSearch& search, double value) {
    if (search.trace == nullptr) return;
    LogisticStep& step = search.trace->steps.emplace_back();
    step.coefficient = textbook_coefficients(problem, search.at);
    step.log_likelihood = -search.at.loss;
    step.objective = value;
    const std::vector<double> gradient = textbook_gradient(problem, search.at);
    step.gradient = std::sqrt(std::inner_product(gradient.begin(), gradient.end(), gradient.begin(), 0.0));
    step.length = search.last_length;
    step.condition = condition_of(problem, search.at);
}

}  // namespace suffice
