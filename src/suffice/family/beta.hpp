// Beta: shares between 0 and 1. log p(x|a,b) = (a - 1) log x + (b - 1) log(1 - x) - log B(a, b).
// Maximum likelihood by Newton on E[T] = mean T, from the start of Johnson, Kotz, Balakrishnan (1995, sec. 25.4).
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include "suffice/family/concepts.hpp"
#include "suffice/family/feature.hpp"
#include "suffice/family/sums.hpp"
#include "suffice/math/sampling.hpp"
#include "suffice/math/special.hpp"

namespace suffice {

struct Beta {
    using Value = double;
    static constexpr std::string_view name = "beta";
    static constexpr std::string_view support = "numbers between 0 and 1, both excluded";
    static constexpr auto fields = FieldTuple{};

    struct Statistic {
        double total_weight = 0;
        double log_total = 0;             // sum of w log x
        double log_complement_total = 0;  // sum of w log(1 - x)
        static constexpr auto fields =
            FieldTuple{field("weight", &Statistic::total_weight), field("log_total", &Statistic::log_total),
                       field("log_complement_total", &Statistic::log_complement_total)};

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
        double alpha = 1;
        double beta = 1;
        static constexpr auto fields = FieldTuple{field("alpha", &Parameter::alpha), field("beta", &Parameter::beta)};
        bool operator==(const Parameter&) const = default;
    };

    bool operator==(const Beta&) const = default;
    static std::pair<Beta, Parameter> typical() { return {Beta{}, Parameter{2.5, 4.0}}; }

    bool supports(double x) const { return x > 0 && x < 1; }
    Statistic empty() const { return {}; }
    void observe(Statistic& into, double x, double weight) const {
        into.merge({weight, weight * std::log(x), weight * std::log1p(-x)});
    }
    // Of the sums that a column of many values keeps (accumulate/number_counts.hpp); its weight: rows in the support.
    static Statistic from_sums(const auto& sums) {
        return {sums.unit_weight, sums.logs.total_weight * sums.logs.mean, sums.log_complement};
    }
    bool valid(const Statistic& s) const {
        return s.total_weight >= 0 && s.log_total <= 0 && s.log_complement_total <= 0 &&
               std::isfinite(s.total_weight) && std::isfinite(s.log_total) && std::isfinite(s.log_complement_total);
    }
    bool valid(const Parameter& p) const {
        return p.alpha > 0 && p.beta > 0 && std::isfinite(p.alpha) && std::isfinite(p.beta);
    }

    Result<Parameter> most_likely(const Statistic& s) const;

    double log_density(const Parameter& p, double x) const {
        return log_likelihood(p, {1, std::log(x), std::log1p(-x)});
    }
    double log_likelihood(const Parameter& p, const Statistic& s) const {
        return (p.alpha - 1) * s.log_total + (p.beta - 1) * s.log_complement_total - s.total_weight * log_partition(p);
    }
    std::size_t parameter_count() const { return 2; }

    double mean(const Parameter& p) const { return p.alpha / (p.alpha + p.beta); }
    double variance(const Parameter& p) const {
        return mean(p) * (p.beta / (p.alpha + p.beta)) / (p.alpha + p.beta + 1);
    }
    double sample(const Parameter& p, Rng& rng) const {
        return std::clamp(sample_beta(p.alpha, p.beta, rng), std::numeric_limits<double>::min(),
                          1 - std::numeric_limits<double>::epsilon() / 2);
    }

    // T = (log x, log(1 - x)), eta = (a - 1, b - 1), A = log B(a, b), h = 1.
    static constexpr std::array features{Feature::logarithm, Feature::log_complement};
    std::size_t feature_count() const { return 2; }
    void write_features(double x, std::span<double> out) const {
        out[0] = std::log(x);
        out[1] = std::log1p(-x);
    }
    void write_natural(const Parameter& p, std::span<double> out) const {
        out[0] = p.alpha - 1;
        out[1] = p.beta - 1;
    }
    Result<Parameter> from_natural(std::span<const double> natural) const {
        if (!(natural[0] > -1 && natural[1] > -1)) return Error{"beta: the natural parameters must be above -1"};
        return Parameter{natural[0] + 1, natural[1] + 1};
    }
    double log_partition(const Parameter& p) const { return log_beta(p.alpha, p.beta); }
    void write_mean_features(const Parameter& p, std::span<double> out) const {
        const double both = digamma(p.alpha + p.beta);
        out[0] = digamma(p.alpha) - both;
        out[1] = digamma(p.beta) - both;
    }
    void write_feature_covariance(const Parameter& p, std::span<double> out) const {
        const double both = trigamma(p.alpha + p.beta);
        out[0] = trigamma(p.alpha) - both;
        out[1] = out[2] = -both;
        out[3] = trigamma(p.beta) - both;
    }
    double log_carrier(double) const { return 0; }
    double expected_log_carrier(const Parameter&) const { return 0; }
};

static_assert(ColumnFamily<Beta> && LinearFamily<Beta> && !ConjugateFamily<Beta>);

}  // namespace suffice
