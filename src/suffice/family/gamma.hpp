// Gamma: positive amounts. log p(x|a,b) = a log b - log Gamma(a) + (a - 1) log x - b x.
// Maximum likelihood: b = a / mean, and log a - digamma(a) = log mean - mean log by Newton (Minka 2002).
#pragma once
#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "suffice/family/concepts.hpp"
#include "suffice/family/feature.hpp"
#include "suffice/family/sums.hpp"
#include "suffice/math/newton.hpp"
#include "suffice/math/sampling.hpp"
#include "suffice/math/special.hpp"

namespace suffice {

struct Gamma {
    using Value = double;
    static constexpr std::string_view name = "gamma";
    static constexpr std::string_view support = "finite numbers above 0";
    static constexpr auto fields = FieldTuple{};

    struct Statistic {
        double total_weight = 0;
        double log_total = 0;  // sum of w log x
        double total = 0;
        static constexpr auto fields =
            FieldTuple{field("weight", &Statistic::total_weight), field("log_total", &Statistic::log_total),
                       field("total", &Statistic::total)};

        double weight() const { return total_weight; }
        void merge(const Statistic& from) { add_sums(*this, from); }
        void remove(const Statistic& rows) {
            remove_sums(*this, rows);
            if (total_weight == 0) *this = {};
        }
        void scale(double factor) { scale_sums(*this, factor); }
        bool operator==(const Statistic&) const = default;
    };
    struct Parameter {
        double shape = 1;
        double rate = 1;
        static constexpr auto fields = FieldTuple{field("shape", &Parameter::shape), field("rate", &Parameter::rate)};
        bool operator==(const Parameter&) const = default;
    };

    bool operator==(const Gamma&) const = default;
    static std::pair<Gamma, Parameter> typical() { return {Gamma{}, Parameter{2.5, 0.5}}; }

    bool supports(double x) const { return x > 0 && std::isfinite(x); }
    Statistic empty() const { return {}; }
    void observe(Statistic& into, double x, double weight) const {
        into.merge({weight, weight * std::log(x), weight * x});
    }
    // Of the sums that a column of many values keeps (accumulate/number_counts.hpp); its weight: rows in the support.
    static Statistic from_sums(const auto& sums) {
        return {sums.logs.total_weight, sums.logs.total_weight * sums.logs.mean,
                sums.plain.total_weight * sums.plain.mean};
    }
    bool valid(const Statistic& s) const {
        return s.total_weight >= 0 && s.total >= 0 && std::isfinite(s.total_weight) && std::isfinite(s.total) &&
               std::isfinite(s.log_total);
    }
    bool valid(const Parameter& p) const {
        return p.shape > 0 && p.rate > 0 && std::isfinite(p.shape) && std::isfinite(p.rate);
    }

    Result<Parameter> most_likely(const Statistic& s) const {
        if (!(s.total_weight > 0)) return Error{"gamma: no rows to estimate from"};
        const double average = s.total / s.total_weight;
        const double gap = std::log(average) - s.log_total / s.total_weight;  // 0 where all values are equal
        if (!(gap > 1e-15 * (1 + std::abs(std::log(average)))))
            return Error{ErrorKind::singular, "gamma: all values are equal, so no shape is finite"};
        const double start = (3 - gap + std::sqrt((gap - 3) * (gap - 3) + 24 * gap)) / (12 * gap);
        const Root shape =
            find_root([&](double a) { return ValueAndSlope{std::log(a) - digamma(a) - gap, 1 / a - trigamma(a)}; }, 0,
                      std::numeric_limits<double>::infinity(), start, {.tolerance = 1e-14, .max_iterations = 60});
        return Parameter{shape.x, shape.x / average};
    }

    double log_density(const Parameter& p, double x) const { return log_likelihood(p, {1, std::log(x), x}); }
    double log_likelihood(const Parameter& p, const Statistic& s) const {
        return (p.shape - 1) * s.log_total - p.rate * s.total - s.total_weight * log_partition(p);
    }
    std::size_t parameter_count() const { return 2; }

    double mean(const Parameter& p) const { return p.shape / p.rate; }
    double variance(const Parameter& p) const { return p.shape / (p.rate * p.rate); }
    double sample(const Parameter& p, Rng& rng) const {
        return std::max(sample_gamma(p.shape, rng) / p.rate, std::numeric_limits<double>::min());
    }

    // T = (log x, x), eta = (a - 1, -b), A = log Gamma(a) - a log b, h = 1.
    static constexpr std::array features{Feature::logarithm, Feature::value};
    std::size_t feature_count() const { return 2; }
    void write_features(double x, std::span<double> out) const {
        out[0] = std::log(x);
        out[1] = x;
    }
    void write_natural(const Parameter& p, std::span<double> out) const {
        out[0] = p.shape - 1;
        out[1] = -p.rate;
    }
    Result<Parameter> from_natural(std::span<const double> natural) const {
        if (!(natural[0] > -1 && natural[1] < 0))
            return Error{"gamma: the natural parameters must be above -1 and below 0"};
        return Parameter{natural[0] + 1, -natural[1]};
    }
    double log_partition(const Parameter& p) const { return log_gamma(p.shape) - p.shape * std::log(p.rate); }
    void write_mean_features(const Parameter& p, std::span<double> out) const {
        out[0] = digamma(p.shape) - std::log(p.rate);
        out[1] = mean(p);
    }
    void write_feature_covariance(const Parameter& p, std::span<double> out) const {
        out[0] = trigamma(p.shape);
        out[1] = out[2] = 1 / p.rate;
        out[3] = variance(p);
    }
    double log_carrier(double) const { return 0; }
    double expected_log_carrier(const Parameter&) const { return 0; }
};

static_assert(ColumnFamily<Gamma> && LinearFamily<Gamma> && !ConjugateFamily<Gamma>);

}  // namespace suffice
