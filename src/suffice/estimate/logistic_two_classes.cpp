// What only a regression of two classes has: the probit link and Firth's penalty.
#include <numbers>

#include "suffice/estimate/logistic_problem.hpp"
#include "suffice/math/cholesky.hpp"

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

Result<void> LogisticProblem::add_firth(LogisticPoint& at) {
    const std::size_t side = parameter_count();
    // Of phi, for which rows are sqrt(2) z: half of it is that of w. Undetermined directions are pinned by the same
    // amount at every point, so that the determinant changes with the determined ones alone.
    std::vector<double> information(side * side);
    space.pin(information.data(), side);
    const std::vector<double> gathered_curvature = contrasts.hessian(at.sums, feature_count);
    for (std::size_t i = 0; i < information.size(); ++i) information[i] += gathered_curvature[i] / 2;
    fixed.isolate(information, side);
    const CurvatureFactor factor = CurvatureFactor::of(std::move(information), side);
    auto [w, bias] = difference_of(at.phi);
    auto gathered = pass_over(LeveragePass{&rows, std::move(w), bias, fixed.fixed, factor.factor()});
    if (!gathered) return gathered.error();
    at.value -= log_determinant(factor.factor(), side) / 2;
    for (std::size_t i = 0; i < side; ++i) at.gradient[i] -= std::numbers::sqrt2 * gathered->gradient[i];
    return {};
}

}  // namespace suffice
