// Steps against the gradient, as they are taught before Newton's.
#include <algorithm>
#include <cmath>

#include "suffice/math/eigen.hpp"
#include "suffice/regress/logistic_search.hpp"

namespace suffice {
namespace {

constexpr double settled_gradient = 1e-8;  // of the first one's length

// The largest eigenvalue of Phi' Phi, with the intercept and about zero.
double largest_square(const LogisticProblem& problem) {
    const std::size_t d = problem.feature_count, side = d + 1;
    std::vector<double> square(side * side), values(side);
    square[0] = problem.total();
    for (std::size_t i = 0; i < d; ++i) {
        square[(i + 1) * side] = problem.total() * problem.rows.centre[i];
        for (std::size_t j = 0; j <= i; ++j)
            square[(i + 1) * side + j + 1] =
                problem.scatter()[i * d + j] + problem.total() * problem.rows.centre[i] * problem.rows.centre[j];
    }
    return symmetric_eigen(square, side, values) ? values.back() : INFINITY;
}

// No second derivative is larger anywhere: of a sigmoid it is at most 1/4, of a softmax (Boehning, 1992) 1/2, of a
// probit 1.
double largest_curvature(const LogisticProblem& problem) {
    const double share = problem.settings.link == Link::probit ? 1 : problem.class_count() == 2 ? 0.25 : 0.5;
    double penalty = 0;
    for (std::size_t j = 0; j < problem.width; ++j) penalty = std::max(penalty, problem.ridge_of(j));
    return share * largest_square(problem) + penalty;
}

// What the trace tells as coefficients, as a parameter whose first class has none.
LogisticParameter parameter_of(const std::vector<double>& coefficient, std::size_t class_count, std::size_t d) {
    LogisticParameter made;
    made.coefficient.assign(d, 0);
    made.intercept.assign(1, 0);
    for (std::size_t c = 1; c < class_count; ++c) {
        const auto own = coefficient.begin() + static_cast<std::ptrdiff_t>((c - 1) * (d + 1));
        made.intercept.push_back(*own);
        made.coefficient.insert(made.coefficient.end(), own + 1, own + 1 + static_cast<std::ptrdiff_t>(d));
    }
    return made;
}

double length_of(const std::vector<double>& gradient) {
    double squares = 0;
    for (const double each : gradient) squares += each * each;
    return std::sqrt(squares);
}

}  // namespace

Result<void> descend(LogisticProblem& problem, const CurvaturePlan& plan, double rate, LogisticSearch& search) {
    const std::size_t k = problem.class_count(), d = problem.feature_count;
    const double length = rate > 0 ? rate : 1 / largest_curvature(problem);
    std::vector<double> w = textbook_coefficients(problem, search.at), gradient = textbook_gradient(problem, search.at);
    const double enough = settled_gradient * length_of(gradient);
    while (search.iterations < problem.settings.step_limit) {
        search.converged = length_of(gradient) <= enough;
        if (search.converged) return {};
        for (std::size_t i = 0; i < w.size(); ++i) w[i] -= length * gradient[i];
        auto next = problem.evaluate(problem.given_start(parameter_of(w, k, d)), plan.exact);
        if (!next) return next.error();
        if (!std::isfinite(next->value))
            return Error("the steps went astray after " + std::to_string(search.iterations) +
                         " of them: the rate is too large");
        search.at = std::move(*next);
        search.last_length = length;
        ++search.iterations;
        note_step(problem, search, search.at.value);
        gradient = textbook_gradient(problem, search.at);
    }
    return {};
}

}  // namespace suffice
