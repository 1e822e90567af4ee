// What likelihood ratios say of a regression: intervals in which twice the fall of the profile likelihood stays below a
// quantile of chi-square, and a test of each term. They do not lean on a parabola as standard errors do, so that they
// hold for few rows, and where classes separate one end is infinite. Venzon, Moolgavkar, "A method for computing
// profile-likelihood-based confidence intervals" (1988); with Firth's penalty the likelihood is the penalised one
// (Heinze, Schemper, 2002).
#pragma once
#include "suffice/regress/logistic.hpp"

namespace suffice {

struct ProfileInterval {
    double low = 0, high = 0;  // NaN: cannot be estimated, or is given
};

// All coefficients of one column, or of one product of columns, against none of them.
struct TermTest {
    std::string term;
    double statistic = 0;  // twice the fall of the log likelihood
    std::uint64_t degrees = 0;
    double p_value = 1;  // NaN: the term follows from others
};

struct LikelihoodRatios {
    double coverage = 0.95;
    std::vector<ProfileInterval> intervals;  // in the order of LogisticFit::covariance; empty: not asked for
    std::vector<TermTest> tests;             // empty: not asked for
};

struct AskedRatios {
    bool profile = false, tests = false;
    double coverage = 0.95;
};

// Of a fit under these settings, whose rows those of the stream must be: log_likelihood is what the fit had on them.
Result<LikelihoodRatios> likelihood_ratios(const Schema& schema, const Features& features, Stream& stream,
                                           const LogisticSettings& settings, const LogisticParameter& parameter,
                                           double log_likelihood, const AskedRatios& asked, const Context& context);

}  // namespace suffice
