// The steps of the search for coefficients, one by one, for those who want to watch it.
//
// Everything is told in the coordinates of the textbook: the coefficients of each class against the first, the
// intercept first, of the columns as they are. Of two classes that is w in p = sigmoid(phi' w), the gradient is
// Phi' (y - t) and the Hessian Phi' R Phi, both with the penalty's part.
#pragma once
#include <optional>
#include <vector>

namespace suffice {

struct LogisticStep {
    std::vector<double> coefficient;  // classes - 1 x features + 1, the intercept first
    double log_likelihood = 0;
    double objective = 0;  // minus the log-likelihood, with the penalties
    double gradient = 0;   // its length
    double length = 0;     // of the step that led here: 1 is a whole one; 0 is the start
    double condition = 0;  // of the Hessian here: largest by smallest eigenvalue; NaN: not formed
};

struct LogisticTrace {
    std::vector<LogisticStep> steps = {};
    // Who watches may ask for the slower way: steps against the gradient, w - rate * gradient, of this rate; 0: the
    // inverse of the largest curvature that there can be, by which no step goes too far.
    std::optional<double> descent = {};
};

}  // namespace suffice
