// What a problem asks of the scores of its rows: Firth's penalty, and their squares.
#include <cmath>

#include "suffice/math/cholesky.hpp"
#include "suffice/regress/logistic_problem.hpp"
#include "suffice/regress/score_pass.hpp"

namespace suffice {

Result<std::vector<double>> LogisticProblem::gather_scores(std::span<const double> phi) {
    ScoreSquarePass pass{&rows, &contrasts, {}, {}, fixed.fixed, settings.link, settings.importance};
    spread(phi, pass.coefficient, pass.bias);
    auto gathered = pass_over(pass);
    if (!gathered) return gathered.error();
    return std::move(gathered->values);
}

Result<void> LogisticProblem::add_firth(LogisticPoint& at) {
    const std::size_t side = parameter_count();
    // Of the differences with the first class, whose determinant is that of contrasts of unit length over a power of
    // the number of classes. Undetermined directions are pinned by the same amount at every point, so that the
    // determinant changes with the determined ones alone.
    const double share = std::pow(static_cast<double>(class_count()), -1 / static_cast<double>(contrasts.count()));
    std::vector<double> information(side * side);
    for (std::size_t f = 0; f < contrasts.count(); ++f) space.pin(information.data() + f * width * (side + 1), side);
    const std::vector<double> gathered_curvature = contrasts.hessian(at.sums, feature_count);
    for (std::size_t i = 0; i < information.size(); ++i) information[i] += share * gathered_curvature[i];
    fixed.isolate(information, side);
    const CurvatureFactor factor = CurvatureFactor::of(std::move(information), side);
    FirthPass pass{&rows, &contrasts, {}, {}, fixed.fixed, std::vector<double>(side * side)};
    inverse(factor.factor(), side, pass.inverse);
    for (double& cell : pass.inverse) cell *= share;
    spread(at.phi, pass.coefficient, pass.bias);
    auto gathered = pass_over(pass);
    if (!gathered) return gathered.error();
    at.value -= log_determinant(factor.factor(), side) / 2;
    const std::vector<double> pull = contrasts.to_contrasts(gathered->values, width);
    for (std::size_t i = 0; i < side; ++i) at.gradient[i] -= pull[i];
    return {};
}

}  // namespace suffice
