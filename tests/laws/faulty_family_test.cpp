// The laws catch families with a fault; each fault here has been seen in published code or is one letter from it.
#include "laws/exponential_laws.hpp"
#include "laws/prior_laws.hpp"
#include "laws/statistic_laws.hpp"

namespace suffice::laws {
namespace {

// Keeps an estimate as its state: averages the means of two pieces whatever their weights.
struct Averaging : Poisson {
    static constexpr std::string_view name = "averaging";
    struct Statistic : Poisson::Statistic {
        void merge(const Statistic& from) {
            const double mean = (total / total_weight + from.total / from.total_weight) / 2;
            total_weight += from.total_weight;
            total = mean * total_weight;
            log_carrier += from.log_carrier;
        }
        bool operator==(const Statistic&) const = default;
    };
    bool operator==(const Averaging&) const = default;
    static std::pair<Averaging, Parameter> typical() { return {{}, {3.5}}; }
    Statistic empty() const { return {}; }
};

// Updates a running mean with the weighted value, which is right for weight one only.
struct Misweighing : Gaussian {
    static constexpr std::string_view name = "misweighing";
    bool operator==(const Misweighing&) const = default;
    static std::pair<Misweighing, Parameter> typical() { return {{}, {100, 4}}; }
    void observe(Statistic& into, double x, double weight) const {
        into.total_weight += weight;
        const double shift = weight * x - into.mean;
        if (into.total_weight > 0) into.mean += shift / into.total_weight;
        into.scatter += shift * (x - into.mean);
    }
};

// Forgets that x! belongs to the density.
struct Carrierless : Poisson {
    static constexpr std::string_view name = "carrierless";
    bool operator==(const Carrierless&) const = default;
    static std::pair<Carrierless, Parameter> typical() { return {{}, {3.5}}; }
    double log_density(const Parameter& p, double x) const { return x * std::log(p.rate) - p.rate; }
};

// Gives the standard deviation where the variance is asked for.
struct Rooted : Poisson {
    static constexpr std::string_view name = "rooted";
    bool operator==(const Rooted&) const = default;
    static std::pair<Rooted, Parameter> typical() { return {{}, {3.5}}; }
    void write_feature_covariance(const Parameter& p, std::span<double> out) const { out[0] = std::sqrt(p.rate); }
};

// Counts every row twice in the posterior.
struct Overconfident : Poisson {
    static constexpr std::string_view name = "overconfident";
    bool operator==(const Overconfident&) const = default;
    static std::pair<Overconfident, Parameter> typical() { return {{}, {3.5}}; }
    Prior posterior(const Prior& prior, const Statistic& s) const {
        return {prior.shape + 2 * s.total, prior.rate + 2 * s.total_weight};
    }
};

template <class F>
Findings found(void (*check)(Findings&)) {
    Findings findings(F::name);
    check(findings);
    return findings;
}

TEST(FaultyFamily, ThatKeepsAnEstimateAsStateIsCaught) {
    const Findings findings = found<Averaging>(check_statistic<Averaging>);
    EXPECT_TRUE(findings.mentions("the cut does not matter")) << findings.text();
    EXPECT_TRUE(findings.mentions("empty merged with empty")) << findings.text();
}

TEST(FaultyFamily, ThatMisusesWeightsIsCaught) {
    const Findings findings = found<Misweighing>(check_statistic<Misweighing>);
    EXPECT_TRUE(findings.mentions("weight two is two rows")) << findings.text();
}

TEST(FaultyFamily, ThatForgetsItsCarrierIsCaught) {
    EXPECT_TRUE(found<Carrierless>(check_density<Carrierless>).mentions("adds up to one"));
    EXPECT_TRUE(found<Carrierless>(check_statistic<Carrierless>).mentions("likelihood of its rows"));
    EXPECT_TRUE(found<Carrierless>(check_exponential_form<Carrierless>).mentions("exponential form is the density"));
}

TEST(FaultyFamily, WithAWrongHessianIsCaught) {
    EXPECT_TRUE(found<Rooted>(check_exponential_form<Rooted>).mentions("the Hessian of A"));
}

TEST(FaultyFamily, WithAWrongPosteriorIsCaught) {
    const Findings findings = found<Overconfident>(check_prior<Overconfident>);
    EXPECT_TRUE(findings.mentions("product of predictives")) << findings.text();
    EXPECT_TRUE(findings.mentions("prior times likelihood")) << findings.text();
}

}  // namespace
}  // namespace suffice::laws
