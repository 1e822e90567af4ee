// Laplace's approximation of the evidence, and a search along the penalty for the most of it.
#include "suffice/regress/logistic_evidence.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "suffice/data/stream.hpp"
#include "suffice/math/cholesky.hpp"
#include "suffice/math/golden_section.hpp"

namespace suffice {
namespace {

constexpr double widest = 12, apart = 3;  // of log penalty: how far to look, and how far apart at first
constexpr double close_enough = 1e-3;

}  // namespace

Result<double> laplace_log_evidence(const LogisticSettings& settings, const LogisticParameter& parameter,
                                    std::span<const double> covariance, std::span<const OffsetFeature> offsets,
                                    std::span<const double> unit, double log_likelihood) {
    if (!(settings.penalty > 0) || settings.lasso > 0 || settings.link != Link::logit || settings.intercept_scale > 0)
        return Error(ErrorKind::usage,
                     "the evidence needs a prior: an l2 penalty above 0 and no other, and the logit link");
    if (settings.is_robust()) return Error(ErrorKind::usage, "the evidence needs the errors of the likelihood");
    if (covariance.empty())
        return Error(ErrorKind::usage, "the evidence needs the covariance of the coefficients, and it is not known");
    const std::size_t k = parameter.intercept.size(), d = parameter.coefficient.size() / k, all = (k - 1) * (d + 1);
    std::vector<bool> estimated(d + 1, true);  // the intercept first
    estimated[0] = settings.intercept;
    for (const OffsetFeature& each : offsets) estimated[each.feature + 1] = false;
    std::vector<double> factor;
    for (std::size_t i = 0; i < all; ++i)
        for (std::size_t j = 0; j < all; ++j)
            if (estimated[i % (d + 1)] && estimated[j % (d + 1)]) factor.push_back(covariance[i * all + j]);
    const auto width = static_cast<std::size_t>(std::ranges::count(estimated, true)), side = (k - 1) * width;
    if (!factorize(factor, side)) return Error("the covariance of the coefficients is singular");
    double log_volume = log_determinant(factor, side);
    double squares = 0;  // with two classes of w = w_1 - w_0, with more of all classes together
    for (std::size_t i = 0; i < parameter.coefficient.size(); ++i) {
        if ((k == 2 && i < d) || !estimated[i % d + 1]) continue;
        const double w = k == 2 ? parameter.coefficient[i] - parameter.coefficient[i - d] : parameter.coefficient[i];
        squares += std::pow(w * (unit.empty() ? 1 : unit[i % d]), 2);
    }
    double log_units = 0;  // by which the prior is narrower
    for (std::size_t j = 0; j < unit.size(); ++j)
        if (estimated[j + 1]) log_units += std::log(unit[j]);
    // From differences with the first class to contrasts of unit length, in which the prior is a sphere.
    if (k > 2) log_volume -= static_cast<double>(width) * std::log(static_cast<double>(k));
    const double free = static_cast<double>(k - 1);
    const double flat = settings.intercept ? free * std::log(2 * std::numbers::pi) / 2 : 0;
    return log_likelihood - settings.penalty / 2 * squares +
           free * static_cast<double>(d - offsets.size()) / 2 * std::log(settings.penalty) + log_volume / 2 + flat +
           free * log_units;
}

Result<double> penalty_of_greatest_evidence(const Schema& schema, const Features& features, Stream& stream,
                                            const LogisticSettings& settings, const Context& context) {
    LogisticSettings own = settings;
    own.inference = Inference::always;
    own.gradient_tolerance = 0;  // evidences that are compared need fits that are finished
    own.tolerance = std::min(settings.tolerance, 1e-10);
    const std::vector<OffsetFeature> offsets = settings.offsets(schema, features);
    std::optional<LogisticParameter> start;
    const auto evidence = [&](double log_penalty) -> Result<double> {
        own.penalty = std::exp(log_penalty);
        if (auto again = stream.rewind(); !again) return again.error();
        auto fit = fit_logistic(schema, features, stream, own, context, start);
        if (!fit) return fit.error();
        start = std::move(fit->parameter);
        return laplace_log_evidence(own, *start, fit->covariance, offsets, fit->unit, fit->log_likelihood);
    };
    double best = 0, most = -std::numeric_limits<double>::infinity();
    for (double at = widest; at >= -widest; at -= apart) {  // strong ones first: their fits are near the start
        const auto found = evidence(at);
        if (!found) return found;
        if (*found > most) most = *found, best = at;
    }
    const auto peak = golden_section(evidence, best - apart, best + apart, close_enough);
    if (!peak) return peak;
    return std::exp(*peak);
}

}  // namespace suffice
