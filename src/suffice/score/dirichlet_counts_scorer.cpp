// Scores, explains and draws rows of counts whose probabilities are not known but for a Dirichlet.
#include "suffice/score/dirichlet_counts_scorer.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "suffice/data/rows_of.hpp"
#include "suffice/math/special.hpp"
#include "suffice/score/counts_scorer.hpp"
#include "suffice/score/expression.hpp"
#include "suffice/score/refused_value.hpp"

namespace suffice {
namespace {

// log Gamma(a + x) / Gamma(a), x > 0, without the cancellation of the two for large a.
double log_rise(double a, double x) { return log_gamma(x) - log_beta(a, x); }

class DirichletCountsScorer final : public Scorer {
public:
    explicit DirichletCountsScorer(DirichletCounts posterior) : posterior_(std::move(posterior)) {}

    void add(const Block& tile, kernel::Tile joint, Exactness exactness, Workspace& workspace) const override {
        auto& present = workspace.of<Present>();
        for (std::size_t row = 0; row < joint.row_count; ++row) {
            present.read(tile, row, posterior_.columns);
            const double common = present.carrier(exactness) + present.undefined;
            for (std::size_t c = 0; c < joint.class_count; ++c)
                joint.of_class(c)[row] += common + intercept(c, present) + sum_of_terms(c, present);
        }
    }
    Result<void> add_row(const Block& block, std::size_t row, std::span<long double> joint) const override {
        Present present;
        present.read(block, row, posterior_.columns);
        for (std::size_t k = 0; k < present.count.size(); ++k)
            if (present.count[k] < 0 || std::isinf(present.count[k]))
                return unsupported_value(posterior_.columns[present.place[k]], "a count", "numbers from 0",
                                         present.count[k]);
        for (std::size_t c = 0; c < joint.size(); ++c)
            joint[c] += present.carrier(Exactness::density) + intercept(c, present) + sum_of_terms(c, present);
        return {};
    }
    void explain(const Block& block, std::size_t row, Explanation& into) const override {
        Present present;
        present.read(block, row, posterior_.columns);
        const std::size_t first = into.terms.size();
        for (const auto column : posterior_.columns)
            into.terms.emplace_back(column, Explanation::no_level, std::vector<double>(posterior_.class_count));
        for (std::size_t c = 0; c < posterior_.class_count; ++c) {
            into.intercept[c] += present.carrier(Exactness::density) + intercept(c, present);
            for (std::size_t k = 0; k < present.count.size(); ++k)
                into.terms[first + present.place[k]].by_class[c] =
                    log_rise(alpha(c, present.place[k]), present.count[k]);
        }
    }
    // Polya's urn: each draw puts one more of its kind back.
    void sample(std::size_t c, Rng& rng, SampledRow& into) const override {
        const std::size_t d = posterior_.columns.size();
        std::vector<double> weight(d);
        for (std::size_t j = 0; j < d; ++j) {
            weight[j] = alpha(c, j);
            into.values[posterior_.columns[j]] = 0;
        }
        double total = posterior_.total[c];
        for (double left = std::max(1.0, std::round(posterior_.mean_total[c])); left > 0; --left, ++total) {
            double place = rng.uniform() * total;
            std::size_t j = 0;
            while (j + 1 < d && place >= weight[j]) place -= weight[j++];
            ++weight[j];
            into.values[posterior_.columns[j]] += 1;
        }
    }

    Result<void> express(ScoreExpression& into) const override {
        const std::vector<double> up(posterior_.class_count, 1), down(posterior_.class_count, -1);
        into.rises.push_back({.columns = posterior_.columns, .base = posterior_.total, .weight = down});
        for (std::size_t j = 0; j < posterior_.columns.size(); ++j) {
            RiseTerm& term = into.rises.emplace_back();
            term.columns = {posterior_.columns[j]};
            for (std::size_t c = 0; c < posterior_.class_count; ++c) term.base.push_back(alpha(c, j));
            term.weight = up;
        }
        return {};
    }

private:
    // The counts of a row that are not zero, by place among the columns.
    struct Present {
        std::vector<std::size_t> place;
        std::vector<double> count;
        double sum = 0;
        double undefined = 0;  // NaN where a count is missing, infinite or below zero, which add_row takes

        void read(const Block& block, std::size_t row, std::span<const std::uint32_t> columns) {
            place.clear();
            count.clear();
            sum = undefined = 0;
            if (const auto* sparse = std::get_if<SparseBlock>(&block);
                sparse != nullptr && sparse->column_count == columns.size()) {
                for (auto at = sparse->row_start[row]; at < sparse->row_start[row + 1]; ++at)
                    put(sparse->column[static_cast<std::size_t>(at)], sparse->value_at(at));
                return;
            }
            for (std::size_t j = 0; j < columns.size(); ++j) put(j, value_at(block, row, columns[j]));
        }
        void put(std::size_t j, double x) {
            undefined += x < 0 ? std::numeric_limits<double>::quiet_NaN() : x - x;
            if (x == 0 || std::isnan(x)) return;
            place.push_back(j);
            count.push_back(x);
            sum += x;
        }
        double carrier(Exactness exactness) const {
            return exactness == Exactness::density ? log_arrangements(count.data(), count.size()) : 0;
        }
    };
    double alpha(std::size_t c, std::size_t j) const { return posterior_.alpha[c * posterior_.columns.size() + j]; }
    double intercept(std::size_t c, const Present& present) const {
        return present.sum > 0 ? -log_rise(posterior_.total[c], present.sum) : 0;
    }
    double sum_of_terms(std::size_t c, const Present& present) const {
        double sum = 0;
        for (std::size_t k = 0; k < present.count.size(); ++k)
            sum += log_rise(alpha(c, present.place[k]), present.count[k]);
        return sum;
    }

    DirichletCounts posterior_;
};

}  // namespace

std::unique_ptr<Scorer> dirichlet_counts_scorer(DirichletCounts posterior) {
    return std::make_unique<DirichletCountsScorer>(std::move(posterior));
}

}  // namespace suffice
