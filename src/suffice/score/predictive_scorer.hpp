// Columns of one conjugate family, scored by the posterior predictive: parameters integrated out.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "suffice/family/concepts.hpp"
#include "suffice/family/feature.hpp"
#include "suffice/score/expression.hpp"
#include "suffice/score/refused_value.hpp"
#include "suffice/score/scorer.hpp"

namespace suffice {

template <ConjugateFamily F>
    requires ColumnFamily<F>
class PredictiveScorer final : public Scorer {
public:
    // posteriors: by class, then by column.
    PredictiveScorer(std::vector<std::uint32_t> columns, std::vector<F> family,
                     std::vector<std::vector<typename F::Prior>> posteriors)
        : columns_(std::move(columns)), family_(std::move(family)), posteriors_(std::move(posteriors)) {}

    void add(const Block& tile, kernel::Tile joint, Exactness, Workspace&) const override {
        for (std::size_t row = 0; row < joint.row_count; ++row)
            for (std::size_t k = 0; k < columns_.size(); ++k) {
                const double x = value_at(tile, row, columns_[k]);
                if (std::isnan(x)) continue;
                if (!family_[k].supports(x)) {
                    joint.of_class(0)[row] = std::numeric_limits<double>::quiet_NaN();  // add_row says why
                    continue;
                }
                for (std::size_t c = 0; c < posteriors_.size(); ++c)
                    joint.of_class(c)[row] += family_[k].log_predictive(posteriors_[c][k], x);
            }
    }
    Result<void> add_row(const Block& block, std::size_t row, std::span<long double> joint) const override {
        for (std::size_t k = 0; k < columns_.size(); ++k) {
            const double x = value_at(block, row, columns_[k]);
            if (std::isnan(x)) continue;
            if (!family_[k].supports(x)) return unsupported_value(columns_[k], F::name, F::support, x);
            for (std::size_t c = 0; c < joint.size(); ++c) joint[c] += family_[k].log_predictive(posteriors_[c][k], x);
        }
        return {};
    }
    void explain(const Block& block, std::size_t row, Explanation& into) const override {
        for (std::size_t k = 0; k < columns_.size(); ++k) {
            auto& term =
                into.terms.emplace_back(columns_[k], Explanation::no_level, std::vector<double>(posteriors_.size()));
            const double x = value_at(block, row, columns_[k]);
            if (!family_[k].supports(x)) continue;
            for (std::size_t c = 0; c < posteriors_.size(); ++c)
                term.by_class[c] = family_[k].log_predictive(posteriors_[c][k], x);
        }
    }
    void sample(std::size_t c, Rng& rng, SampledRow& into) const override {
        for (std::size_t k = 0; k < columns_.size(); ++k)
            into.values[columns_[k]] = family_[k].sample(family_[k].draw(posteriors_[c][k], rng), rng);
    }

    void describe(Description& into) const override {
        for (std::size_t k = 0; k < columns_.size(); ++k) {
            auto& column = into.columns.emplace_back(columns_[k], std::string(F::name));
            for (const auto& row : posteriors_) column.by_class.push_back(to_record(row[k]));
        }
    }
    Result<void> express(ScoreExpression& into) const override {
        if constexpr (requires { family_[0].predictive_bell(posteriors_[0][0]); }) {
            for (std::size_t k = 0; k < columns_.size(); ++k) express_bell(k, into);
            return {};
        } else if constexpr (requires { family_[0].predictive_rise(posteriors_[0][0]); }) {
            for (std::size_t k = 0; k < columns_.size(); ++k) express_rise(k, into);
            return {};
        } else {
            return Scorer::express(into);
        }
    }

private:
    void express_bell(std::size_t k, ScoreExpression& into) const {
        BellTerm term{.column = columns_[k]};
        for (const auto& row : posteriors_) {
            const auto bell = family_[k].predictive_bell(row[k]);
            term.of_logarithm = bell.of_logarithm;
            term.mean.push_back(bell.mean);
            term.scale.push_back(1 / std::sqrt(bell.variance));
            term.peak.push_back(bell.peak);
            if (bell.power != 0) term.power.push_back(bell.power);
        }
        into.bells.push_back(std::move(term));
    }
    void express_rise(std::size_t k, ScoreExpression& into) const {
        using Kind = ColumnFunction::Kind;
        CurveTerm line{.column = columns_[k],
                       .functions = {{.kind = Kind::one}, {.kind = Kind::value}},
                       .weight = std::vector(2, std::vector<double>(posteriors_.size()))};
        std::vector<RiseTerm> terms(PredictiveRise{}.terms.size());
        for (std::size_t c = 0; c < posteriors_.size(); ++c) {
            const PredictiveRise rise = family_[k].predictive_rise(posteriors_[c][k]);
            line.weight[0][c] = rise.constant;
            line.weight[1][c] = rise.slope;
            for (std::size_t t = 0; t < terms.size(); ++t) {
                terms[t].of_logarithm = rise.of_logarithm;
                terms[t].base.push_back(rise.terms[t].base);
                terms[t].weight.push_back(rise.terms[t].weight);
            }
        }
        into.curves.push_back(std::move(line));
        for (RiseTerm& term : terms) {
            if (std::ranges::all_of(term.weight, [](double weight) { return weight == 0; })) continue;
            term.columns = {columns_[k]};
            into.rises.push_back(std::move(term));
        }
    }

    std::vector<std::uint32_t> columns_;
    std::vector<F> family_;
    std::vector<std::vector<typename F::Prior>> posteriors_;
};

}  // namespace suffice
