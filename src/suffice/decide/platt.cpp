// A logistic fit of two numbers per class.
#include "suffice/decide/platt.hpp"

#include <algorithm>
#include <cmath>

#include "suffice/math/log_sum_exp.hpp"
#include "suffice/math/sigmoid.hpp"

namespace suffice {

PlattScaling PlattScaling::fit(const CalibrationRows& rows) {
    PlattScaling result{std::vector<double>(rows.class_count, 1.0), std::vector<double>(rows.class_count, 0.0)};
    std::vector<double> features(2 * rows.row_count());
    for (std::size_t code = 0; code < rows.class_count; ++code) {
        if (!(rows.weight_of(code) > 0)) continue;
        for (std::size_t row = 0; row < rows.row_count(); ++row) {
            const LogPair pair = log_pair(rows.row(row), code);
            features[2 * row] = pair.log_own - pair.log_rest;
            features[2 * row + 1] = 1;
        }
        const SigmoidFit found = fit_logistic(features, 2, smoothed_targets(rows, code), rows.weights);
        result.slope[code] = found.coefficients[0];
        result.intercept[code] = found.coefficients[1];
    }
    return result;
}

void PlattScaling::apply(std::span<double> posteriors) const {
    std::vector<double> logs(posteriors.size());
    for (std::size_t code = 0; code < logs.size(); ++code) {
        const LogPair pair = log_pair(posteriors, code);
        logs[code] = log_sigmoid(slope[code] * (pair.log_own - pair.log_rest) + intercept[code]);
    }
    softmax(logs);
    std::copy(logs.begin(), logs.end(), posteriors.begin());
}

bool PlattScaling::valid(std::size_t class_count) const {
    const auto finite = [](double value) { return std::isfinite(value); };
    return slope.size() == class_count && intercept.size() == class_count &&
           std::all_of(slope.begin(), slope.end(), finite) && std::all_of(intercept.begin(), intercept.end(), finite);
}

}  // namespace suffice
