// Columns of one exponential family, independent given the class: log p = <eta, T(x)> - A(eta) + log h(x), so the
// scores of a tile are one matrix product over the features T.
#pragma once
#include <cmath>
#include <limits>
#include <vector>

#include "suffice/data/rows_of.hpp"
#include "suffice/family/concepts.hpp"
#include "suffice/family/feature.hpp"
#include "suffice/kernel/scores.hpp"
#include "suffice/score/expression.hpp"
#include "suffice/score/refused_value.hpp"
#include "suffice/score/scorer.hpp"

namespace suffice {

template <LinearFamily F>
    requires ColumnFamily<F>
class LinearScorer final : public Scorer {
public:
    // parameters: by class, then by column.
    LinearScorer(std::vector<std::uint32_t> columns, std::vector<F> family,
                 std::vector<std::vector<typename F::Parameter>> parameters)
        : columns_(std::move(columns)), family_(std::move(family)), parameters_(std::move(parameters)) {
        for (const F& each : family_) feature_count_ += each.feature_count();
        for (const auto& row : parameters_) {
            double bias = 0;
            for (std::size_t k = 0; k < columns_.size(); ++k) {
                std::vector<double> natural(family_[k].feature_count());
                family_[k].write_natural(row[k], natural);
                natural_.insert(natural_.end(), natural.begin(), natural.end());
                bias -= family_[k].log_partition(row[k]);
            }
            bias_.push_back(bias);
        }
    }

    void add(const Block& tile, kernel::Tile joint, Exactness exactness, Workspace& workspace) const override {
        auto& scratch = workspace.of<Scratch>();
        const kernel::Rows rows = rows_of(tile, columns_, scratch.gathered);
        scratch.features.resize(rows.row_count * feature_count_);
        scratch.origin.assign(feature_count_, 0.0);
        double* out = scratch.features.data();
        for (std::size_t row = 0; row < rows.row_count; ++row) {
            const double* x = rows.row(row);
            double carrier = 0;
            for (std::size_t k = 0; k < columns_.size(); ++k) {
                const std::size_t count = family_[k].feature_count();
                if (family_[k].supports(x[k])) {
                    family_[k].write_features(x[k], {out, count});
                    if (exactness == Exactness::density) carrier += family_[k].log_carrier(x[k]);
                } else {
                    out[0] = std::numeric_limits<double>::quiet_NaN();  // add_row takes this row
                    for (std::size_t f = 1; f < count; ++f) out[f] = out[0];
                }
                out += count;
            }
            if (carrier != 0)
                for (std::size_t c = 0; c < joint.class_count; ++c) joint.of_class(c)[row] += carrier;
        }
        const kernel::Rows features{scratch.features.data(), rows.row_count, feature_count_,
                                    static_cast<std::ptrdiff_t>(feature_count_)};
        kernel::affine_scores(features, scratch.origin.data(), natural_.data(), bias_.data(), joint);
    }
    Result<void> add_row(const Block& block, std::size_t row, std::span<long double> joint) const override {
        for (std::size_t k = 0; k < columns_.size(); ++k) {
            const double x = value_at(block, row, columns_[k]);
            if (std::isnan(x)) continue;
            if (!family_[k].supports(x)) return unsupported_value(columns_[k], F::name, F::support, x);
            for (std::size_t c = 0; c < joint.size(); ++c) joint[c] += family_[k].log_density(parameters_[c][k], x);
        }
        return {};
    }
    void explain(const Block& block, std::size_t row, Explanation& into) const override {
        for (std::size_t k = 0; k < columns_.size(); ++k) {
            auto& term =
                into.terms.emplace_back(columns_[k], Explanation::no_level, std::vector<double>(parameters_.size()));
            const double x = value_at(block, row, columns_[k]);
            if (!family_[k].supports(x)) continue;
            for (std::size_t c = 0; c < parameters_.size(); ++c)
                term.by_class[c] = family_[k].log_density(parameters_[c][k], x);
        }
    }
    void sample(std::size_t c, Rng& rng, SampledRow& into) const override {
        for (std::size_t k = 0; k < columns_.size(); ++k)
            into.values[columns_[k]] = family_[k].sample(parameters_[c][k], rng);
    }
    // Linear in the columns themselves where T(x) = x; log h cancels between classes and is left out.
    bool write_form(ScoreForm& form) const override {
        if (feature_count_ != columns_.size()) return false;
        for (std::size_t k = 0; k < columns_.size(); ++k) {
            if (!family_[k].supports(1)) return false;
            for (const double probe : {0.5, 1.0, 2.0}) {
                double feature = probe;
                if (family_[k].supports(probe)) family_[k].write_features(probe, {&feature, 1});
                if (feature != probe) return false;
            }
        }
        for (std::size_t c = 0; c < parameters_.size(); ++c) {
            form.constant[c] += bias_[c];
            for (std::size_t k = 0; k < columns_.size(); ++k)
                form.linear[c][columns_[k]] += natural_[c * feature_count_ + k];
        }
        return true;
    }

    void describe(Description& into) const override {
        for (std::size_t k = 0; k < columns_.size(); ++k) {
            auto& column = into.columns.emplace_back(columns_[k], std::string(F::name));
            for (const auto& row : parameters_) column.by_class.push_back(to_record(row[k]));
        }
    }

    Result<void> express(ScoreExpression& into) const override {
        for (std::size_t k = 0; k < columns_.size(); ++k) {
            if constexpr (requires { bell_of(k); })
                into.bells.push_back(bell_of(k));
            else if constexpr (requires { curve_of(k); })
                into.curves.push_back(curve_of(k));
            else  // its features have no name
                return Scorer::express(into);
        }
        return {};
    }

private:
    BellTerm bell_of(std::size_t k) const
        requires requires(const F& family, const typename F::Parameter& p) { family.bell(p); }
    {
        BellTerm term{.column = columns_[k]};
        for (const auto& row : parameters_) {
            const auto [mean, variance, of_logarithm] = family_[k].bell(row[k]);
            term.of_logarithm = of_logarithm;
            term.mean.push_back(mean);
            term.scale.push_back(1 / std::sqrt(variance));
            term.peak.push_back(-0.5 * std::log(variance));
        }
        return term;
    }
    CurveTerm curve_of(std::size_t k) const
        requires requires { F::features; }
    {
        CurveTerm term{.column = columns_[k], .functions = {{.kind = ColumnFunction::Kind::one}}};
        auto& constant = term.weight.emplace_back();
        for (const auto& row : parameters_) constant.push_back(-family_[k].log_partition(row[k]));
        for (std::size_t f = 0; f < F::features.size(); ++f) {
            term.functions.push_back({.kind = kind_of(F::features[f])});
            auto& weight = term.weight.emplace_back();
            for (const auto& row : parameters_) {
                std::vector<double> natural(family_[k].feature_count());
                family_[k].write_natural(row[k], natural);
                weight.push_back(natural[f]);
            }
        }
        return term;
    }
    static ColumnFunction::Kind kind_of(Feature feature) {
        switch (feature) {
            case Feature::logarithm:
                return ColumnFunction::Kind::logarithm;
            case Feature::log_complement:
                return ColumnFunction::Kind::log_complement;
            default:
                return ColumnFunction::Kind::value;
        }
    }

    struct Scratch {
        std::vector<double> gathered, features, origin;
    };
    std::vector<std::uint32_t> columns_;
    std::vector<F> family_;
    std::vector<std::vector<typename F::Parameter>> parameters_;
    std::size_t feature_count_ = 0;
    std::vector<double> natural_;  // classes x features
    std::vector<double> bias_;
};

}  // namespace suffice
