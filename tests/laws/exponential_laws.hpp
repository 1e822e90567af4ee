// The laws of the exponential form: grad A = E[T], Hess A = Cov[T], and what entropy, risk and likelihood follow from
// it.
#pragma once
#include "laws/findings.hpp"

#include "suffice/family/divergence.hpp"

namespace suffice::laws {

// Five-point difference of f in coordinate k.
template <class Function>
auto slope(const std::vector<double>& at, std::size_t k, Function f) {
    const double step = 1e-3 * (at[k] == 0 ? 1 : std::abs(at[k]));
    const auto moved = [&](double by) {
        auto place = at;
        place[k] += by * step;
        return f(place);
    };
    auto result = moved(1);
    const auto back = moved(-1), far = moved(2), far_back = moved(-2);
    for (std::size_t i = 0; i < result.size(); ++i)
        result[i] = (8 * (result[i] - back[i]) - (far[i] - far_back[i])) / (12 * step);
    return result;
}

template <LinearFamily F>
void check_derivatives(const F& family, const typename F::Parameter& parameter, Findings& findings) {
    const std::size_t n = family.feature_count();
    const auto natural = natural_of(family, parameter), mean = mean_features(family, parameter);
    std::vector<double> covariance(n * n);
    family.write_feature_covariance(parameter, covariance);
    for (std::size_t k = 0; k < n; ++k) {
        const double spread = std::sqrt(covariance[k * n + k]);
        const auto gradient = slope(natural, k, [&](const std::vector<double>& eta) {
            return std::vector<double>{family.log_partition(family.from_natural(eta).value())};
        });
        findings.require_near(gradient[0], mean[k], 1e-6 * (spread + std::abs(mean[k])),
                              "the gradient of A is the mean of T");
        const auto column = slope(natural, k, [&](const std::vector<double>& eta) {
            return mean_features(family, family.from_natural(eta).value());
        });
        for (std::size_t i = 0; i < n; ++i)
            findings.require_near(column[i], covariance[i * n + k], 1e-5 * spread * std::sqrt(covariance[i * n + i]),
                                  "the Hessian of A is the covariance of T");
    }
}

template <LinearFamily F>
void check_draws(const F& family, const typename F::Parameter& parameter, const typename F::Parameter& other,
                 Findings& findings) {
    constexpr int count = 20000;
    const std::size_t n = family.feature_count();
    std::vector<double> covariance(n * n), mean_score(n), product(n * n), square(n * n);
    family.write_feature_covariance(parameter, covariance);
    double loss = 0, loss_square = 0, ratio = 0, ratio_square = 0;
    for (const auto& row : draw_rows(family, parameter, count, 23)) {
        const auto gradient = score(family, parameter, row);
        for (std::size_t i = 0; i < n; ++i) {
            mean_score[i] += gradient[i] / count;
            for (std::size_t j = 0; j < n; ++j) {
                const double term = gradient[i] * gradient[j];
                product[i * n + j] += term / count;
                square[i * n + j] += term * term / count;
            }
        }
        const double log_density = family.log_density(parameter, row);
        const double log_ratio = log_density - family.log_density(other, row);
        loss -= log_density / count;
        loss_square += log_density * log_density / count;
        ratio += log_ratio / count;
        ratio_square += log_ratio * log_ratio / count;
    }
    for (std::size_t i = 0; i < n; ++i) {
        findings.require_near(mean_score[i], 0, 6 * std::sqrt(covariance[i * n + i] / count),
                              "the score of draws averages to zero");
        for (std::size_t j = 0; j < n; ++j)
            findings.require_near(product[i * n + j], covariance[i * n + j], 6 * std::sqrt(square[i * n + j] / count),
                                  "the covariance of T over draws is the Hessian of A");
    }
    findings.require_near(loss, entropy(family, parameter),
                          6 * std::sqrt(std::max(0.0, loss_square - loss * loss) / count) + 1e-9,
                          "the mean loss of draws is the entropy");
    findings.require_near(ratio, kl_divergence(family, parameter, other),
                          6 * std::sqrt(std::max(0.0, ratio_square - ratio * ratio) / count) + 1e-9,
                          "the mean log ratio of draws is the divergence");
}

template <LinearFamily F>
void check_exponential_form(Findings& findings) {
    const auto typical = F::typical();
    const F& family = typical.first;
    const auto& parameter = typical.second;
    const std::size_t n = family.feature_count();
    const auto rows = draw_rows(family, parameter, 200, 5);
    const auto natural = natural_of(family, parameter);

    std::vector<double> features(n), mean(n);
    for (const auto& row : rows) {
        family.write_features(row, features);
        for (std::size_t k = 0; k < n; ++k) mean[k] += features[k] / static_cast<double>(rows.size());
        findings.require_near(dot(natural, features) - family.log_partition(parameter) + family.log_carrier(row),
                              family.log_density(parameter, row), 1e-8, "the exponential form is the density");
    }
    const auto back = family.from_natural(natural);
    findings.require(back && near_equal(*back, parameter), "natural and usual parameters agree both ways");
    const std::vector<double> nonsense(n, std::nan(""));
    findings.require(!family.from_natural(nonsense), "natural parameters that are not numbers are refused");

    const auto best = family.most_likely(gather(family, rows)).value();
    const auto reached = mean_features(family, best);
    std::vector<double> covariance(n * n);
    family.write_feature_covariance(best, covariance);
    for (std::size_t k = 0; k < n; ++k)
        findings.require_near(reached[k], mean[k], 1e-9 * (std::sqrt(covariance[k * n + k]) + std::abs(mean[k])),
                              "at the most likely parameter E[T] is the mean of T over the rows");

    check_derivatives(family, parameter, findings);
    check_draws(family, parameter, best, findings);

    const double scale = 1 + std::abs(entropy(family, parameter)) + std::abs(family.log_partition(parameter));
    findings.require(cross_entropy(family, parameter, best) >= entropy(family, parameter) - 1e-12 * scale,
                     "the risk is at least the entropy");
    findings.require_near(cross_entropy(family, parameter, best) - entropy(family, parameter),
                          kl_divergence(family, parameter, best), 1e-10 * scale,
                          "the divergence is the risk beyond the entropy");
    findings.require_near(kl_divergence(family, parameter, parameter), 0, 1e-12 * scale,
                          "nothing diverges from itself");
    const auto stepped = robbins_monro_step(family, parameter, rows[0], 1e-6);
    findings.require(stepped && family.log_density(*stepped, rows[0]) >= family.log_density(parameter, rows[0]),
                     "a small step along the score raises the likelihood");
}

}  // namespace suffice::laws
