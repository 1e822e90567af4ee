// Scores, explains and draws rows of counts.
#include "suffice/score/counts_scorer.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "suffice/data/rows_of.hpp"
#include "suffice/kernel/count_rows.hpp"
#include "suffice/kernel/scores.hpp"
#include "suffice/score/expression.hpp"
#include "suffice/score/refused_value.hpp"

namespace suffice {
namespace {

class CountsScorer final : public Scorer {
public:
    explicit CountsScorer(CountWeights weights)
        : weights_(std::move(weights)), zeros_(std::max(weights_.columns.size(), weights_.class_count)) {}

    void add(const Block& tile, kernel::Tile joint, Exactness exactness, Workspace& workspace) const override {
        if (const auto* sparse = std::get_if<SparseBlock>(&tile);
            sparse != nullptr && sparse->column_count == weights_.columns.size())
            return add_sparse(*sparse, joint, exactness);
        const kernel::Rows rows = rows_of(tile, weights_.columns, workspace.of<Scratch>().gathered);
        if (exactness == Exactness::density && weights_.density)
            add_carrier(rows, joint, workspace.of<Scratch>().carrier);
        kernel::affine_scores(rows, zeros_.data(), weights_.weight.data(), zeros_.data(), joint);
        for (std::size_t row = 0; row < rows.row_count; ++row)
            if (any_negative(rows.row(row), rows.column_count)) mark(joint, row);
    }
    Result<void> add_row(const Block& block, std::size_t row, std::span<long double> joint) const override {
        std::vector<double> present;
        for (std::size_t j = 0; j < weights_.columns.size(); ++j) {
            const double x = value_at(block, row, weights_.columns[j]);
            if (std::isinf(x) || x < 0) return unsupported_value(weights_.columns[j], "a count", "numbers from 0", x);
            if (!(x > 0)) continue;
            present.push_back(x);
            for (std::size_t c = 0; c < joint.size(); ++c) joint[c] += static_cast<long double>(x) * weight_of(c, j);
        }
        if (weights_.density)
            for (auto& each : joint) each += log_arrangements(present.data(), present.size());
        return {};
    }
    void explain(const Block& block, std::size_t row, Explanation& into) const override {
        std::vector<double> present;
        for (std::size_t j = 0; j < weights_.columns.size(); ++j) {
            const double x = value_at(block, row, weights_.columns[j]);
            auto& term = into.terms.emplace_back(weights_.columns[j], Explanation::no_level,
                                                 std::vector<double>(weights_.class_count));
            if (!(x > 0)) continue;
            present.push_back(x);
            for (std::size_t c = 0; c < weights_.class_count; ++c) term.by_class[c] = x * weight_of(c, j);
        }
        if (weights_.density)
            for (double& each : into.intercept) each += log_arrangements(present.data(), present.size());
    }
    void sample(std::size_t c, Rng& rng, SampledRow& into) const override {
        if (!weights_.density) return;
        const std::size_t d = weights_.columns.size();
        std::vector<double> up_to(d);
        double total = 0;
        for (std::size_t j = 0; j < d; ++j) {
            up_to[j] = total += std::exp(weight_of(c, j));
            into.values[weights_.columns[j]] = 0;
        }
        const double drawn = std::max(1.0, std::round(weights_.mean_total[c]));
        for (double n = 0; n < drawn; ++n) {
            const auto found = std::upper_bound(up_to.begin(), up_to.end(), rng.uniform() * total);
            const auto j = std::min<std::size_t>(static_cast<std::size_t>(found - up_to.begin()), d - 1);
            into.values[weights_.columns[j]] += 1;
        }
    }
    bool write_form(ScoreForm& form) const override {
        for (std::size_t c = 0; c < weights_.class_count; ++c)
            for (std::size_t j = 0; j < weights_.columns.size(); ++j)
                form.linear[c][weights_.columns[j]] += weight_of(c, j);
        return true;
    }
    Result<void> express(ScoreExpression& into) const override {
        for (std::size_t j = 0; j < weights_.columns.size(); ++j) {
            CurveTerm term{.column = weights_.columns[j], .functions = {{}}};
            auto& weight = term.weight.emplace_back();
            for (std::size_t c = 0; c < weights_.class_count; ++c) weight.push_back(weight_of(c, j));
            into.curves.push_back(std::move(term));
        }
        return {};
    }

private:
    struct Scratch {
        std::vector<double> gathered, carrier;
    };
    static bool any_negative(const double* counts, std::size_t count) {
        int found = 0;  // without a branch, by vectors
        for (std::size_t j = 0; j < count; ++j) found |= counts[j] < 0;
        return found != 0;
    }
    // add_row says why
    static void mark(kernel::Tile joint, std::size_t row) {
        joint.of_class(0)[row] = std::numeric_limits<double>::quiet_NaN();
    }
    static void add_carrier(kernel::Rows rows, kernel::Tile joint, std::vector<double>& carrier) {
        carrier.resize(rows.row_count);
        if (!kernel::log_arrangements(rows, carrier.data()))
            for (std::size_t row = 0; row < rows.row_count; ++row)
                carrier[row] = log_arrangements(rows.row(row), rows.column_count);
        for (std::size_t c = 0; c < joint.class_count; ++c)
            for (std::size_t row = 0; row < rows.row_count; ++row) joint.of_class(c)[row] += carrier[row];
    }
    double weight_of(std::size_t c, std::size_t j) const { return weights_.weight[c * weights_.columns.size() + j]; }

    // All columns, in order: entries are read where they lie.
    void add_sparse(const SparseBlock& rows, kernel::Tile joint, Exactness exactness) const {
        for (std::size_t row = 0; row < joint.row_count; ++row) {
            const auto first = static_cast<std::size_t>(rows.row_start[row]);
            const auto count = static_cast<std::size_t>(rows.row_start[row + 1]) - first;
            if (exactness == Exactness::density && weights_.density) {
                std::vector<double> counts(count);
                for (std::size_t at = 0; at < count; ++at)
                    counts[at] = rows.value_at(static_cast<std::int64_t>(first + at));
                const double carrier = log_arrangements(counts.data(), count);
                for (std::size_t c = 0; c < joint.class_count; ++c) joint.of_class(c)[row] += carrier;
            }
            if (!rows.value.empty() && any_negative(rows.value.data() + first, count)) mark(joint, row);
            for (std::size_t at = first; at < first + count; ++at) {
                const double x = rows.value_at(static_cast<std::int64_t>(at));
                for (std::size_t c = 0; c < joint.class_count; ++c)
                    joint.of_class(c)[row] += x * weight_of(c, rows.column[at]);
            }
        }
    }

    CountWeights weights_;
    std::vector<double> zeros_;
};

}  // namespace

double log_arrangements(const double* counts, std::size_t count) {
    double found = 0;
    const bool good = kernel::log_arrangements({counts, 1, count, static_cast<std::ptrdiff_t>(count)}, &found);
    return good ? found : std::numeric_limits<double>::quiet_NaN();
}

std::unique_ptr<Scorer> counts_scorer(CountWeights weights) {
    return std::make_unique<CountsScorer>(std::move(weights));
}

}  // namespace suffice
