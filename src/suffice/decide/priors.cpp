// Shifting posteriors to other priors, and finding those priors from unlabelled rows.
#include "suffice/decide/priors.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

#include "suffice/evaluate/posterior_rows.hpp"
#include "suffice/math/log_sum_exp.hpp"

namespace suffice {

namespace {

Result<void> check_priors(std::span<const double> priors, std::size_t class_count, bool may_be_zero) {
    if (priors.size() != class_count) {
        return Error(ErrorKind::usage, "There are " + std::to_string(priors.size()) + " priors for " +
                                           std::to_string(class_count) + " classes.");
    }
    for (const double prior : priors) {
        if (!(prior >= 0 && prior <= 1) || (prior == 0 && !may_be_zero)) {
            return Error(ErrorKind::usage, "A prior is " + std::to_string(prior) + "; it must lie in " +
                                               (may_be_zero ? "[0, 1]." : "(0, 1]."));
        }
    }
    const double sum = std::accumulate(priors.begin(), priors.end(), 0.0);
    if (std::abs(sum - 1) > 1e-6) {
        return Error(ErrorKind::usage, "The priors add up to " + std::to_string(sum) + "; they must add up to one.");
    }
    return {};
}

}  // namespace

Result<void> shift_priors(std::span<double> posteriors, std::size_t class_count, std::span<const double> trained,
                          std::span<const double> wanted) {
    if (auto good = check_posteriors(posteriors, class_count); !good) return good;
    if (auto good = check_priors(trained, class_count, false); !good) return good;
    if (auto good = check_priors(wanted, class_count, true); !good) return good;
    constexpr double smallest = std::numeric_limits<double>::min();
    for (std::size_t first = 0; first < posteriors.size(); first += class_count) {
        const auto own = posteriors.subspan(first, class_count);
        for (std::size_t code = 0; code < class_count; ++code) {
            own[code] = std::log(std::max(own[code], smallest)) + std::log(wanted[code]) - std::log(trained[code]);
        }
        softmax(own);
    }
    return {};
}

Result<std::vector<double>> adapt_priors(std::span<const double> posteriors, std::size_t class_count,
                                         std::span<const double> trained) {
    if (auto good = check_posteriors(posteriors, class_count); !good) return good.error();
    if (auto good = check_priors(trained, class_count, false); !good) return good.error();
    if (posteriors.empty()) return Error("Priors cannot be adapted without rows.");
    constexpr int most_steps = 2000;
    const std::size_t row_count = posteriors.size() / class_count;
    const auto rows = static_cast<double>(row_count);
    std::vector<double> priors(trained.begin(), trained.end()), next(class_count), shifted(class_count);
    for (int step = 0; step < most_steps; ++step) {
        std::fill(next.begin(), next.end(), 0.0);
        for (std::size_t first = 0; first < posteriors.size(); first += class_count) {
            double sum = 0;
            for (std::size_t code = 0; code < class_count; ++code) {
                sum += shifted[code] = posteriors[first + code] * priors[code] / trained[code];
            }
            if (!(sum > 0)) continue;
            for (std::size_t code = 0; code < class_count; ++code) next[code] += shifted[code] / sum;
        }
        double change = 0;
        for (std::size_t code = 0; code < class_count; ++code) {
            next[code] /= rows;
            change = std::max(change, std::abs(next[code] - priors[code]));
        }
        priors.swap(next);
        if (change < 1e-12) break;
    }
    const double sum = std::accumulate(priors.begin(), priors.end(), 0.0);
    for (double& prior : priors) prior /= sum;
    return priors;
}

}  // namespace suffice
