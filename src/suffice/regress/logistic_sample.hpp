// Some of the rows, kept in memory: Newton's steps on them cost less than one pass over all rows, end near the minimum
// over all rows, and leave there a Hessian that is close to that of all rows (Byrd, Chin, Neveitt, Nocedal, "On the use
// of stochastic Hessian information in optimization methods for machine learning", 2011).
#pragma once
#include <memory>

#include "suffice/data/stream.hpp"
#include "suffice/regress/logistic_problem.hpp"

namespace suffice {

class LogisticSample {
public:
    // share: of the rows; of rare classes more rows are taken, each with less weight. To be made after the first look.
    static Result<std::unique_ptr<LogisticSample>> of(LogisticProblem& whole, double share);
    LogisticSample(const LogisticSample&) = delete;
    LogisticSample& operator=(const LogisticSample&) = delete;

    // From phi to the minimum over these rows, roughly: it is off by more than that from the minimum over all rows.
    Result<std::vector<double>> minimize(std::vector<double> phi);
    // Of all rows together, as these rows tell it; the penalty is in it.
    Result<std::vector<double>> hessian(std::span<const double> phi);

private:
    LogisticSample(const LogisticProblem& whole, double share) : share_(share), settings_(whole.settings) {}

    double share_;
    LogisticSettings settings_;  // the penalty grows with the number of rows
    std::vector<double> values_, weights_;
    std::vector<std::int32_t> codes_;
    std::unique_ptr<MemoryStream> stream_;
    std::unique_ptr<LogisticProblem> problem_;
};

}  // namespace suffice
