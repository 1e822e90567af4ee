// Rayleigh: lengths of two-dimensional errors. log p(x|v) = log x - log v - x^2 / (2 v). A family that the library does
// not have: tests/extend adds it as HACKING.md says, by this file and one line.
#pragma once
#include <cmath>
#include <numbers>
#include <span>
#include <utility>

#include "suffice/family/concepts.hpp"
#include "suffice/family/sums.hpp"
#include "suffice/math/sampling.hpp"

namespace suffice {

struct Rayleigh {
    using Value = double;
    static constexpr std::string_view name = "rayleigh";
    static constexpr std::string_view support = "numbers above 0";
    static constexpr auto fields = FieldTuple{};

    struct Statistic {
        double total_weight = 0;
        double square_total = 0;
        double log_total = 0;  // sum of w log x, which is log h
        static constexpr auto fields =
            FieldTuple{field("weight", &Statistic::total_weight), field("square_total", &Statistic::square_total),
                       field("log_total", &Statistic::log_total)};

        double weight() const { return total_weight; }
        void merge(const Statistic& from) { add_sums(*this, from); }
        void remove(const Statistic& rows) { remove_sums(*this, rows); }
        void scale(double factor) { scale_sums(*this, factor); }
        bool operator==(const Statistic&) const = default;
    };
    struct Parameter {
        double variance = 1;
        static constexpr auto fields = FieldTuple{field("variance", &Parameter::variance)};
        bool operator==(const Parameter&) const = default;
    };

    bool operator==(const Rayleigh&) const = default;
    static std::pair<Rayleigh, Parameter> typical() { return {Rayleigh{}, Parameter{2.5}}; }

    bool supports(double x) const { return x > 0 && std::isfinite(x); }
    Statistic empty() const { return {}; }
    void observe(Statistic& into, double x, double weight) const {
        into.merge({weight, weight * x * x, weight * std::log(x)});
    }
    static Statistic from_sums(const auto& sums) {
        return {sums.logs.total_weight,
                sums.plain.scatter + sums.plain.total_weight * sums.plain.mean * sums.plain.mean,
                sums.logs.total_weight * sums.logs.mean};
    }
    bool valid(const Statistic& s) const {
        return s.total_weight >= 0 && s.square_total >= 0 && std::isfinite(s.square_total) &&
               std::isfinite(s.log_total);
    }
    bool valid(const Parameter& p) const { return p.variance > 0 && std::isfinite(p.variance); }

    Result<Parameter> most_likely(const Statistic& s) const {
        if (!(s.total_weight > 0)) return Error{"rayleigh: no rows to estimate from"};
        return Parameter{s.square_total / (2 * s.total_weight)};
    }
    double log_density(const Parameter& p, double x) const {
        return std::log(x) - std::log(p.variance) - x * x / (2 * p.variance);
    }
    double log_likelihood(const Parameter& p, const Statistic& s) const {
        return s.log_total - s.total_weight * std::log(p.variance) - s.square_total / (2 * p.variance);
    }
    std::size_t parameter_count() const { return 1; }
    double mean(const Parameter& p) const { return std::sqrt(p.variance * std::numbers::pi / 2); }
    double variance(const Parameter& p) const { return (2 - std::numbers::pi / 2) * p.variance; }
    double sample(const Parameter& p, Rng& rng) const { return std::sqrt(2 * p.variance * sample_exponential(rng)); }

    // T = x^2, eta = -1/(2 v), A = log v, h = x.
    std::size_t feature_count() const { return 1; }
    void write_features(double x, std::span<double> out) const { out[0] = x * x; }
    void write_natural(const Parameter& p, std::span<double> out) const { out[0] = -1 / (2 * p.variance); }
    Result<Parameter> from_natural(std::span<const double> natural) const {
        if (!(natural[0] < 0)) return Error{"rayleigh: the natural parameter must be negative"};
        return Parameter{-1 / (2 * natural[0])};
    }
    double log_partition(const Parameter& p) const { return std::log(p.variance); }
    void write_mean_features(const Parameter& p, std::span<double> out) const { out[0] = 2 * p.variance; }
    void write_feature_covariance(const Parameter& p, std::span<double> out) const {
        out[0] = 4 * p.variance * p.variance;
    }
    double log_carrier(double x) const { return std::log(x); }
    double expected_log_carrier(const Parameter& p) const {
        return (std::log(2 * p.variance) - std::numbers::egamma) / 2;
    }
};

static_assert(ColumnFamily<Rayleigh> && LinearFamily<Rayleigh>);

}  // namespace suffice
