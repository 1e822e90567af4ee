// Looks at the rows once or twice: at their squares, and at the gradient where all coefficients are zero.
#include "suffice/regress/logistic_strengths.hpp"

#include <algorithm>
#include <cmath>

#include "suffice/regress/logistic_problem.hpp"
#include "suffice/regress/logistic_wide.hpp"

namespace suffice {
namespace {

constexpr double lasso_reach = 1e-4, square_reach = 1e-8;  // weakest over strongest

}  // namespace

Result<std::vector<double>> penalty_strengths(const Schema& schema, const Features& features, Stream& stream,
                                              const LogisticSettings& settings, bool lasso, std::size_t count,
                                              const Context& context) {
    if (auto checked = settings.check(schema); !checked) return checked.error();
    LogisticProblem problem(schema, features, stream, settings, context);
    if (auto looked = problem.look_at_rows(); !looked) return looked.error();
    double most = 0;
    if (!lasso) {
        for (std::size_t j = 0; j < problem.feature_count; ++j)
            if (!problem.fixed.fixed[j]) most = std::max(most, std::pow(problem.space.scale[j] / problem.unit[j], 2));
    } else if (problem.rows.wide) {
        const auto found = largest_wide_gradient(problem);
        if (!found) return found.error();
        most = *found;
    } else {
        const auto at = problem.evaluate(problem.null_start(), false);
        if (!at) return at.error();
        const std::vector<double> gradient = problem.contrasts.to_classes(at->gradient, problem.width);
        for (std::size_t i = 0; i < gradient.size(); ++i)
            if (i % problem.width != problem.feature_count)
                most = std::max(most, std::abs(gradient[i]) / problem.unit[i % problem.width]);
    }
    if (!(most > 0)) return Error("no column differs between the rows, so no penalty can be chosen");
    std::vector<double> strengths;
    const double step = count < 2 ? 0 : std::log(lasso ? lasso_reach : square_reach) / static_cast<double>(count - 1);
    for (std::size_t at = 0; at < count; ++at) strengths.push_back(most * std::exp(step * static_cast<double>(at)));
    return strengths;
}

}  // namespace suffice
