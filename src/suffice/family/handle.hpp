// Any family by its name, at run time: values are rows of doubles, parameters and priors are records of named numbers.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "suffice/base/random.hpp"
#include "suffice/base/record.hpp"
#include "suffice/base/result.hpp"
#include "suffice/family/credible_interval.hpp"
#include "suffice/family/statistic.hpp"

namespace suffice {

// How rows become a parameter; map and mean are the mode and the mean of the posterior.
enum class FamilyEstimate : std::uint8_t { likelihood, unbiased, map, mean };

// What the dispersion form (dispersion.hpp) with this scale has.
struct DispersedFamily {
    std::vector<double> mean, variance, weights;  // weights: of the linear score
    double offset = 0;
    std::vector<double> log_density;  // of the values that were asked about
};

// The one run-time interface of a family. Rows are observed once, into a statistic, which answers every question about
// them; values are given row by row, and empty weights are one each. What a family does not have (a conjugate prior, a
// linear form) is an Error that says so.
class AnyFamily {
public:
    virtual ~AnyFamily() = default;
    virtual std::string_view name() const = 0;
    virtual std::string_view support() const = 0;
    virtual std::string_view prior_name() const = 0;  // empty: no conjugate prior
    virtual Record shape() const = 0;
    virtual std::size_t value_size() const = 0;
    virtual bool is_joint() const = 0;  // a value is a vector: several columns together
    virtual std::size_t parameter_count() const = 0;
    virtual std::vector<std::string> parameter_names() const = 0;  // of the record of a parameter, in its order

    virtual FamilyStatistic empty_statistic() const = 0;
    Result<FamilyStatistic> observe(Numbers values, Numbers weights = {}) const;
    // Under map and mean a null prior is the default one.
    virtual Result<Record> fit(const FamilyStatistic& rows, FamilyEstimate estimate = FamilyEstimate::likelihood,
                               const Record* prior = nullptr) const = 0;
    virtual Result<std::vector<double>> log_density(const Record& parameter, Numbers values) const = 0;
    virtual Result<double> log_likelihood(const Record& parameter, const FamilyStatistic& rows) const = 0;
    virtual Result<std::vector<double>> mean(const Record& parameter) const = 0;
    virtual Result<std::vector<double>> variance(const Record& parameter) const = 0;
    virtual Result<std::vector<double>> sample(const Record& parameter, std::size_t count, Rng& rng) const = 0;

    virtual Result<std::vector<double>> natural(const Record& parameter) const = 0;
    virtual Result<Record> from_natural(Numbers natural) const = 0;
    virtual Result<double> log_partition(const Record& parameter) const = 0;
    virtual Result<std::vector<double>> mean_features(const Record& parameter) const = 0;
    virtual Result<std::vector<double>> feature_covariance(const Record& parameter) const = 0;
    virtual Result<double> entropy(const Record& parameter) const = 0;
    virtual Result<double> cross_entropy(const Record& truth, const Record& other) const = 0;
    virtual Result<double> kl_divergence(const Record& truth, const Record& other) const = 0;
    virtual Result<DispersedFamily> dispersed(const Record& parameter, double scale, Numbers values = {}) const = 0;

    virtual Result<Record> default_prior() const = 0;
    virtual Result<Record> parse_prior(std::string_view text) const = 0;  // "beta(2, 5)", "gamma(shape=2, rate=1)"
    virtual Result<Record> posterior(const Record& prior, const FamilyStatistic& rows) const = 0;
    virtual Result<Record> prior_mode(const Record& prior) const = 0;
    virtual Result<Record> prior_mean(const Record& prior) const = 0;
    virtual Result<double> log_prior_density(const Record& prior, const Record& parameter) const = 0;
    virtual Result<Record> draw(const Record& prior, Rng& rng) const = 0;
    virtual Result<std::vector<double>> log_predictive(const Record& prior, Numbers values) const = 0;
    virtual Result<double> log_evidence(const Record& prior, const FamilyStatistic& rows) const = 0;
    // Of each number of the parameter whose marginal has quantiles: a rate, each level's probability, a mean, a
    // variance.
    virtual Result<std::vector<NamedInterval>> credible_intervals(const Record& prior, double mass) const = 0;
};

using FamilyHandle = std::shared_ptr<const AnyFamily>;  // never null, never changes

// A family with its shape, such as make_family("categorical", {{{"level_count", 3.0}}}); what the shape does not name
// has its default.
Result<FamilyHandle> make_family(std::string_view name, const Record& shape = {});

// The family of vectors of so many columns, or of so many levels; a family that has neither is as it is.
Result<FamilyHandle> make_sized_family(std::string_view name, std::size_t size);

std::vector<std::string_view> family_names();  // in the order of family/all.hpp

}  // namespace suffice
