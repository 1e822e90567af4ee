// What only a regression of two classes has: the probit link.
#include <numbers>

#include "suffice/regress/logistic_problem.hpp"

namespace suffice {
namespace {

// w = w_1 - w_0 about the centre, and its bias, of a contrast of unit length.
std::pair<std::vector<double>, double> difference_of(std::span<const double> phi) {
    std::vector<double> w(phi.begin(), phi.end());
    for (double& value : w) value *= std::numbers::sqrt2;
    const double bias = w.back();
    w.pop_back();
    return {std::move(w), bias};
}

}  // namespace

Result<LogisticSums> LogisticProblem::gather_probit(std::span<const double> phi, Information information) {
    auto [w, bias] = difference_of(phi);
    return pass_over(ProbitPass{&rows, std::move(w), bias, information});
}

}  // namespace suffice
