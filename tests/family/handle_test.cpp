// Families by name at run time: what they answer, and what they refuse with which sentence.
#include "suffice/family/handle.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace suffice {
namespace {

Record record(std::vector<std::pair<std::string, Record::Value>> entries) { return {std::move(entries)}; }

TEST(FamilyHandle, KnowsEveryFamilyByName) {
    const auto names = family_names();
    for (const auto name : {"bernoulli", "categorical", "multinomial", "poisson", "geometric", "negative_binomial",
                            "exponential", "gamma", "beta", "log_normal", "gaussian", "gaussian_vector"})
        EXPECT_NE(std::ranges::find(names, name), names.end()) << name;
    for (const auto name : names) EXPECT_EQ(make_family(name).value()->name(), name);
    const auto unknown = make_family("cauchy");
    ASSERT_FALSE(unknown);
    EXPECT_NE(unknown.error().message.find("poisson"), std::string::npos);
}

TEST(FamilyHandle, FitsAndScoresAPoisson) {
    const auto poisson = make_family("poisson").value();
    const double values[] = {2, 4, 6}, weights[] = {1, 1, 2};
    const Record parameter = poisson->fit(poisson->observe(values).value()).value();
    EXPECT_DOUBLE_EQ(parameter.number("rate"), 4);
    EXPECT_DOUBLE_EQ(poisson->fit(poisson->observe(values, weights).value()).value().number("rate"), 4.5);
    EXPECT_NEAR(poisson->log_density(parameter, values).value()[1], 4 * std::log(4.0) - 4 - std::log(24.0), 1e-14);
    EXPECT_DOUBLE_EQ(poisson->mean(parameter).value()[0], 4);
    EXPECT_DOUBLE_EQ(poisson->natural(parameter).value()[0], std::log(4.0));
    EXPECT_DOUBLE_EQ(poisson->log_partition(parameter).value(), 4);
    const Record prior = poisson->parse_prior("gamma(shape=2, rate=0.5)").value();
    const Record posterior = poisson->posterior(prior, poisson->observe(values).value()).value();
    EXPECT_DOUBLE_EQ(posterior.number("shape"), 14);
    EXPECT_DOUBLE_EQ(posterior.number("rate"), 3.5);
    EXPECT_DOUBLE_EQ(poisson->fit(poisson->observe(values).value(), FamilyEstimate::map, &prior).value().number("rate"),
                     13 / 3.5);
    EXPECT_DOUBLE_EQ(poisson->prior_mean(posterior).value().number("rate"), 4);
    Rng rng(1);
    EXPECT_EQ(poisson->sample(parameter, 10, rng).value().size(), 10u);
}

TEST(FamilyHandle, EvidenceIsTheChainOfPredictives) {
    const auto levels = make_family("categorical", record({{"level_count", 3.0}})).value();
    const double values[] = {0, 2, 2};
    Record prior = levels->default_prior().value();
    double chain = 0;
    for (const double& value : values) {
        chain += levels->log_predictive(prior, {&value, 1}).value()[0];
        prior = levels->posterior(prior, levels->observe({&value, 1}).value()).value();
    }
    EXPECT_NEAR(levels->log_evidence(levels->default_prior().value(), levels->observe(values).value()).value(), chain,
                1e-13);
    EXPECT_EQ(prior.numbers("concentration"), (std::vector<double>{2, 1, 3}));
}

TEST(FamilyHandle, CredibleIntervalOfAProbabilityIsThatOfScipy) {
    const auto coin = make_family("bernoulli").value();
    const auto intervals = coin->credible_intervals(coin->parse_prior("beta(5, 12)").value(), 0.9).value();
    ASSERT_EQ(intervals.size(), 1u);
    EXPECT_EQ(intervals[0].quantity, "probability");
    const Interval interval = intervals[0].interval;
    EXPECT_NEAR(interval.low, 0.13211096575490608, 1e-13);
    EXPECT_NEAR(interval.high, 0.4843964210936691, 1e-13);
}

// scipy.stats 1.16: beta(2, 3).ppf, t(6).ppf * sqrt(rate / (shape * mean_weight)), invgamma(3, scale=2).ppf,
// t(3).ppf * sqrt(scatter_jj / (3 * 2)), invgamma(1.5, scale=scatter_jj / 2).ppf.
TEST(FamilyHandle, CredibleIntervalsOfSeveralNumbersAreThoseOfScipy) {
    const auto levels = make_family("categorical", record({{"level_count", 3.0}})).value();
    const auto shares = levels->credible_intervals(levels->parse_prior("dirichlet(2, 1, 2)").value(), 0.9).value();
    ASSERT_EQ(shares.size(), 3u);
    EXPECT_NEAR(shares[0].interval.low, 0.09761146288641434, 1e-12);
    EXPECT_NEAR(shares[0].interval.high, 0.7513953742698181, 1e-12);
    const auto gaussian = make_family("gaussian").value();
    const auto line =
        gaussian->credible_intervals(gaussian->parse_prior("normal_gamma(1, 4, 3, 2)").value(), 0.9).value();
    ASSERT_EQ(line.size(), 2u);
    EXPECT_NEAR(line[0].interval.high, 1.7933000275834627, 1e-12);
    EXPECT_NEAR(line[1].interval.low, 0.31767242068607077, 1e-12);
    EXPECT_NEAR(line[1].interval.high, 2.445910382133402, 1e-12);
    const auto plane = make_family("gaussian_vector", record({{"dimension", 2.0}})).value();
    const auto both =
        plane->credible_intervals(plane->parse_prior("normal_wishart([1, -1], 2, 4, [2, 0.5, 0.5, 1])").value(), 0.9)
            .value();
    ASSERT_EQ(both.size(), 4u);
    EXPECT_EQ(both[1].place, 1u);
    EXPECT_NEAR(both[1].interval.high, -0.039243400901990855, 1e-12);
    EXPECT_NEAR(both[2].interval.low, 0.25592701687897995, 1e-12);
}

TEST(FamilyHandle, PriorsWithListsAreReadByNameAndInOrder) {
    const auto vectors = make_family("gaussian_vector", record({{"dimension", 2.0}})).value();
    const Record named =
        vectors->parse_prior("normal_wishart(scatter=[2, 0.5, 0.5, 1], mean=[1,-1], degrees=4, mean_weight=0.5)")
            .value();
    EXPECT_EQ(named.numbers("mean"), (std::vector<double>{1, -1}));
    EXPECT_EQ(named.numbers("scatter"), (std::vector<double>{2, 0.5, 0.5, 1}));
    EXPECT_DOUBLE_EQ(named.number("degrees"), 4);
    EXPECT_EQ(vectors->parse_prior("normal_wishart([1, -1], 0.5, 4, [2, 0.5, 0.5, 1])").value(), named);
    EXPECT_EQ(vectors->parse_prior("normal_wishart([1, -1], 0.5, 4, [[2, 0.5], [0.5, 1]])").value(), named);
    EXPECT_FALSE(vectors->parse_prior("normal_wishart([1, -1], 0.5, 4, [[2, 0.5], [0.5, 1])"));
    EXPECT_EQ(vectors->parse_prior("normal_wishart(mean=3)").value().numbers("mean"), (std::vector<double>{3, 3}));
    const auto levels = make_family("categorical", record({{"level_count", 3.0}})).value();
    const std::vector<double> weights{1, 2, 3};
    EXPECT_EQ(levels->parse_prior("dirichlet(1, 2, 3)").value().numbers("concentration"), weights);
    EXPECT_EQ(levels->parse_prior("dirichlet([1, 2, 3])").value().numbers("concentration"), weights);
    EXPECT_EQ(levels->parse_prior("dirichlet(concentration=[1, 2, 3])").value().numbers("concentration"), weights);
    EXPECT_EQ(levels->parse_prior("dirichlet(2)").value().numbers("concentration"), (std::vector<double>{2, 2, 2}));
    for (const char* bad : {"dirichlet(1, 2)", "dirichlet([1, 2])", "dirichlet([1, 2, 3], 4)", "dirichlet([1, 2, 3)",
                            "dirichlet([1, x, 3])", "dirichlet(weight=[1, 2, 3])", "dirichlet(1, 2, [3])"})
        EXPECT_FALSE(levels->parse_prior(bad)) << bad;
    for (const char* bad :
         {"normal_wishart([1], 1, 4, [1, 0, 0, 1])", "normal_wishart(mean_weight=[1])",
          "normal_wishart(scatter=[1, 2])", "normal_wishart(scatter=[1, 2, 2, 1])", "normal_wishart(degrees=0.5)"})
        EXPECT_FALSE(vectors->parse_prior(bad)) << bad;
}

TEST(FamilyHandle, RefusesWithTheFamilyTheValueAndWhatIsAllowed) {
    const auto poisson = make_family("poisson").value();
    const double values[] = {1, 2, -3};
    const auto refused = poisson->observe(values);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().sentence(), "row 3: poisson: the value -3 is not allowed; allowed: whole numbers from 0");
    EXPECT_FALSE(poisson->log_density(record({{"rate", -1.0}}), values));
    EXPECT_FALSE(poisson->log_density(record({}), values));
    EXPECT_FALSE(poisson->log_density(record({{"rate", 1.0}, {"speed", 1.0}}), values));
    EXPECT_FALSE(poisson->log_density(record({{"rate", 1.0}}), values));
    EXPECT_FALSE(poisson->parse_prior("beta(1, 1)"));
    EXPECT_FALSE(poisson->parse_prior("gamma(-1, 1)"));
    EXPECT_FALSE(poisson->fit(poisson->empty_statistic()));
    EXPECT_FALSE(make_family("negative_binomial", record({{"r", -1.0}})));
    EXPECT_FALSE(make_family("categorical", record({{"level_count", 2.5}})));
    EXPECT_FALSE(make_family("categorical", record({{"level_count", 0.0}})));
    EXPECT_FALSE(make_family("gaussian_vector", record({{"dimension", 0.0}})));
    EXPECT_FALSE(make_family("gaussian_known_variance", record({{"variance", 0.0}})));
    EXPECT_FALSE(make_family("gaussian_vector_known_covariance", record({{"factor", std::vector<double>{1, 2, 3}}})));
    EXPECT_FALSE(make_family("poisson", record({{"level_count", 2.0}})));
    EXPECT_FALSE(make_family("beta").value()->default_prior());
}

TEST(FamilyHandle, EveryFamilyAnswersForItsOwnDraws) {
    for (const auto name : family_names()) {
        const auto family = make_family(name).value();
        EXPECT_EQ(make_family(name, family->shape()).value()->shape(), family->shape()) << name;
        const double nan = std::nan("");
        const std::vector<double> bad(family->value_size(), nan);
        EXPECT_FALSE(family->observe(bad)) << name;
        const double infinity = std::numeric_limits<double>::infinity();
        EXPECT_FALSE(family->observe(std::vector<double>(family->value_size(), infinity))) << name;
        if (family->prior_name().empty()) continue;
        Rng rng(3);
        const Record prior = family->default_prior().value(), parameter = family->draw(prior, rng).value();
        const auto rows = family->sample(parameter, 20, rng).value();
        EXPECT_EQ(rows.size(), 20 * family->value_size()) << name;
        EXPECT_EQ(family->log_density(parameter, rows).value().size(), 20u) << name;
        const auto seen = family->observe(rows).value();
        EXPECT_TRUE(family->log_evidence(prior, seen)) << name;
        EXPECT_TRUE(family->posterior(prior, seen)) << name;
        EXPECT_FALSE(family->credible_intervals(prior, 0.9).value().empty()) << name;
        const std::vector<double> negative(20, -1.0), few(3, 1.0);
        EXPECT_FALSE(family->observe(rows, negative)) << name;
        EXPECT_FALSE(family->observe(rows, few)) << name;
    }
}

}  // namespace
}  // namespace suffice
