// Posteriors of a regression whose coefficients are not certain, and those of a probit.
//
// The score a of a row is normal with mean a and variance s^2 = z' S z, where S is the covariance of the coefficients.
// Of two classes E[sigma(a)] is nearly sigma(kappa a), kappa = 1 / sqrt(1 + pi s^2 / 8) (MacKay 1992; Bishop, Pattern
// Recognition and Machine Learning, 4.5.2), and E[Phi(a)] = Phi(a / sqrt(1 + s^2)). Of more classes each pair is
// shrunk so, p_c = 1 / sum_e exp(-kappa_ce (a_c - a_e)), and the p are made to sum to one (Lu, Ie, Sha, "Mean-field
// approximation to Gaussian-softmax integral", 2020): whichever class comes first, the answer is the same.
#include <cmath>
#include <numbers>

#include "suffice/math/log_probit.hpp"
#include "suffice/model/logistic_regression.hpp"

namespace suffice {
namespace {

struct ModerationScratch {
    std::vector<double> z, variance, log_p;
};

// z' S z for each pair of contrasts c >= e with the first class.
void score_variances(const std::vector<double>& covariance, std::size_t free, const std::vector<double>& z,
                     std::vector<double>& variance) {
    const std::size_t width = z.size(), side = free * width;
    for (std::size_t c = 0; c < free; ++c)
        for (std::size_t e = 0; e <= c; ++e) {
            double sum = 0;
            for (std::size_t i = 0; i < width; ++i) {
                const double* line = covariance.data() + (c * width + i) * side + e * width;
                double along = 0;
                for (std::size_t j = 0; j < width; ++j) along += line[j] * z[j];
                sum += z[i] * along;
            }
            variance[c * free + e] = variance[e * free + c] = sum;
        }
}

double shrunk(double difference, double variance, Link link) {
    const double scale = link == Link::probit ? 1 : std::numbers::pi / 8;
    return difference / std::sqrt(1 + scale * std::max(variance, 0.0));
}

}  // namespace

Result<LogisticRegression> LogisticRegression::moderated() const {
    if (state_.covariance.empty())
        return Error(ErrorKind::usage,
                     "moderated posteriors need the covariance of the coefficients, and it is not known: the model "
                     "was fitted without inference or with a lasso, or has too many coefficients");
    LogisticRegression other = *this;
    other.moderated_ = true;
    return other;
}

void LogisticRegression::moderate(kernel::Rows x, kernel::Tile joint, Workspace& workspace) const {
    auto& scratch = workspace.of<ModerationScratch>();
    const std::size_t k = joint.class_count, free = k - 1;
    const Link link = state_.settings.link;
    scratch.z.assign(feature_count_ + 1, 1.0);
    scratch.variance.resize(free * free);
    scratch.log_p.resize(k);
    const auto variance = [&](std::size_t c, std::size_t e) {
        const auto of = [&](std::size_t a, std::size_t b) {
            return a == 0 || b == 0 ? 0.0 : scratch.variance[(a - 1) * free + b - 1];
        };
        return of(c, c) + of(e, e) - 2 * of(c, e);
    };
    for (std::size_t row = 0; row < joint.row_count; ++row) {
        std::copy_n(x.row(row), feature_count_, scratch.z.begin() + 1);
        score_variances(state_.covariance, free, scratch.z, scratch.variance);
        const auto pair = [&](std::size_t c, std::size_t e) {
            return shrunk(joint.of_class(c)[row] - joint.of_class(e)[row], variance(c, e), link);
        };
        if (link == Link::probit) {
            const double score = pair(1, 0);
            joint.of_class(0)[row] = log_probit(-score);
            joint.of_class(1)[row] = log_probit(score);
            continue;
        }
        for (std::size_t c = 0; c < k; ++c) {
            double most = 0, sum = 0;  // the pair c, c is 0
            for (std::size_t e = 0; e < k; ++e) most = std::max(most, -pair(c, e));
            for (std::size_t e = 0; e < k; ++e) sum += std::exp(-pair(c, e) - most);
            scratch.log_p[c] = -most - std::log(sum);
        }
        for (std::size_t c = 0; c < k; ++c) joint.of_class(c)[row] = scratch.log_p[c];
    }
}

void LogisticRegression::by_probit(kernel::Tile joint) const {
    for (std::size_t row = 0; row < joint.row_count; ++row) {
        const double score = joint.of_class(1)[row] - joint.of_class(0)[row];
        joint.of_class(0)[row] = log_probit(-score);
        joint.of_class(1)[row] = log_probit(score);
    }
}

}  // namespace suffice
