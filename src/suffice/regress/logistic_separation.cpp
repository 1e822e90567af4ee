// Looks along directions in which the likelihood may rise for ever.
#include "suffice/regress/logistic_separation.hpp"

#include <algorithm>
#include <cmath>

namespace suffice {
namespace {

// A class that hardly a row is in doubt about may be apart from all others: the direction that says so.
std::vector<std::vector<double>> certain_classes(const LogisticProblem& problem, const LogisticPoint& at) {
    std::vector<std::vector<double>> directions;
    const std::size_t k = problem.class_count(), width = problem.width;
    if (at.sums.pair_weight.empty()) return directions;
    const std::vector<double> theta = problem.contrasts.to_classes(at.phi, width);
    for (std::size_t c = 0; c < k; ++c) {
        double doubt = 0;
        for (std::size_t e = 0; e < k; ++e)
            if (e != c) doubt += at.sums.pair_weight[std::max(c, e) * (std::max(c, e) - 1) / 2 + std::min(c, e)];
        if (doubt > 1e-8 * problem.class_weight()[c]) continue;
        std::vector<double> alone(k * width);
        std::copy_n(theta.begin() + static_cast<std::ptrdiff_t>(c * width), width,
                    alone.begin() + static_cast<std::ptrdiff_t>(c * width));
        directions.push_back(problem.contrasts.to_contrasts(alone, width));
    }
    return directions;
}

// The features that weigh most in a direction.
std::string largest_in(const LogisticProblem& problem, const std::vector<double>& direction) {
    const std::size_t d = problem.feature_count, width = problem.width;
    std::vector<double> share(d);
    for (std::size_t i = 0; i < direction.size(); ++i)
        if (i % width != d) share[i % width] += std::pow(direction[i] * problem.space.scale[i % width], 2);
    const auto sources = problem.rows.features.sources();
    std::string names;
    for (int turn = 0; turn < 3; ++turn) {
        const auto most = std::ranges::max_element(share);
        if (most == share.end() || !(*most > 0)) break;
        const auto j = static_cast<std::size_t>(most - share.begin());
        if (turn > 0) names += ", ";
        names += problem.rows.columns[sources[j]];
        *most = 0;
    }
    return names.empty() ? "none" : names;
}

}  // namespace

Result<std::optional<std::string>> find_separation(LogisticProblem& problem, const LogisticSearch& search) {
    if (!problem.settings.free() || problem.settings.firth) return std::optional<std::string>{};
    const std::size_t d = problem.feature_count, width = problem.width;
    double step = 0, size = 0;
    for (std::size_t i = 0; i < search.last_step.size(); ++i) {
        const double unit = i % width == d ? std::sqrt(problem.total()) : problem.space.scale[i % width];
        step += unit * unit * search.last_step[i] * search.last_step[i];
        size += unit * unit * search.at.phi[i] * search.at.phi[i];
    }
    std::vector<std::vector<double>> directions = certain_classes(problem, search.at);
    if (step > 1e-6 * size) {
        directions.push_back(search.last_step);
        for (double& value : directions.back()) value = -value;
    }
    if (!directions.empty()) directions.push_back(search.at.phi);
    for (std::vector<double>& direction : directions) {
        problem.fixed.clear(direction);  // what is given goes nowhere
        MarginPass pass;
        pass.rows = &problem.rows;
        problem.spread(direction, pass.coefficient, pass.bias);
        auto margins = problem.pass_over(pass);
        if (!margins) return margins.error();
        if (!margins->separate()) continue;
        return std::optional("the classes are " + std::string(margins->least > 0 ? "" : "partly ") +
                             "separated by a combination of the columns (" + largest_in(problem, direction) +
                             "), so the likelihood has no maximum and the coefficients are only as large as the "
                             "search went; a penalty gives finite ones");
    }
    return std::optional<std::string>{};
}

}  // namespace suffice
