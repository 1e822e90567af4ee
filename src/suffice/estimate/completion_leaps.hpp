// Leaps between the steps of EM for missing values, which alone come nearer by a small share of the way where much is
// missing: two steps tell how the next ones would go on (Varadhan & Roland 2008, SQUAREM, the scheme S3).
//
// What leaps is the factor of each covariance, so that what comes of it is positive definite again.
#pragma once
#include <optional>

#include "suffice/score/gaussian_classes.hpp"

namespace suffice {

class CompletionLeaps {
public:
    // Without leaps every step is plain: where the likelihood is flat along some way, a leap would end elsewhere by
    // rounding alone.
    explicit CompletionLeaps(bool leaps) : leaps_(leaps) {}
    // A step of EM went `from` here `to` there; where the next one starts.
    GaussianClasses on_from(GaussianClasses from, GaussianClasses to);
    // Whether what is left of the way, by the slowest steps seen since a leap may hide them, does not matter. Only
    // behind two plain steps.
    bool near_limit() const { return near_; }

private:
    GaussianClasses leap(const GaussianClasses& first, const GaussianClasses& second, const GaussianClasses& third);

    std::optional<GaussianClasses> first_, safe_;  // before the step before; where the last leap started
    double change_before_ = 0, change_leapt_ = 0, slowest_ = 0, longest_ = 4;
    bool leaps_, near_ = false;
};

}  // namespace suffice
