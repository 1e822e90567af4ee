// Searches for the minimum of a LogisticProblem: Newton and limited-memory BFGS where the penalty is smooth, proximal
// Newton where it has corners.
#pragma once
#include "suffice/regress/logistic_problem.hpp"
#include "suffice/regress/logistic_sample.hpp"

namespace suffice {

// How the curvature is had: of all parameters together at every step, from some of the rows, or by a bound.
struct CurvaturePlan {
    bool squared = false;  // Hessians of all parameters are formed
    bool exact = false;    // at every step, from all rows
    double share = 0;      // of the rows, whose Hessians stand for those of all rows

    static CurvaturePlan of(const LogisticProblem& problem);
};

struct LogisticSearch {
    LogisticPoint at;
    std::vector<double> last_step;  // went from the point before by minus this
    std::size_t iterations = 0;
    bool converged = false;
    double last_length = 0;          // share of the last step that was taken
    LogisticTrace* trace = nullptr;  // who wants to know
};

// In the coordinates of the textbook: of the classes but the first against it, the intercept first. What is not
// searched for has no gradient.
std::vector<double> textbook_coefficients(const LogisticProblem& problem, const LogisticPoint& at);
std::vector<double> textbook_gradient(const LogisticProblem& problem, const LogisticPoint& at);
// Tells the trace, if there is one, where the search stands. `value`: of the whole objective.
void note_step(const LogisticProblem& problem, const LogisticSearch& search, double value);
// H^-1 in contrasts of phi about the centre -> contrasts with the first class about zero; empty: no inverse.
std::vector<double> textbook_covariance(const LogisticProblem& problem, const CurvatureFactor& hessian);

// sample: where the plan has a share of the rows below one; may be null elsewhere.
Result<void> minimize_smooth(LogisticProblem& problem, const CurvaturePlan& plan, LogisticSample* sample,
                             LogisticSearch& search);

// Steps against the gradient in the coordinates of the textbook, for those who want to see how slow they are: nothing
// is looked for along a step, so a rate that is too large goes astray and is told.
Result<void> descend(LogisticProblem& problem, const CurvaturePlan& plan, double rate, LogisticSearch& search);

// Adds this share of Boehning's bound to every block on the diagonal of a Hessian, or to the one block that `matrix`
// is. The whole of it lets no step go too far.
void add_bound(const LogisticProblem& problem, std::vector<double>& matrix, std::size_t side, double share);

// What a step of Newton's leaves to gain, by what it promises and what the one before promised. Near a minimum each
// leaves the square of what the one before did, relatively; where rows become certain (classes separate, or nearly) a
// factor of e only, for which the bound is on the safe side.
double left_after_newton(double promised, double before);
constexpr double share_left_by_newton = 1e-9;  // of the objective, behind the last step

// Proximal Newton: the second-order model plus lasso * |phi| is minimised coordinate by coordinate, and the step there
// is halved until the objective falls (Lee, Sun, Saunders, "Proximal Newton-type methods for minimizing composite
// functions", 2014). Friedman, Hastie, Tibshirani's glmnet does the same with one class at a time.
Result<void> minimize_lasso(LogisticProblem& problem, const CurvaturePlan& plan, LogisticSearch& search);
// The part of the penalty that has corners.
double corner_penalty(const LogisticProblem& problem, std::span<const double> phi);

}  // namespace suffice
