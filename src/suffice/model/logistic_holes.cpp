// Rows with holes: p(c | what is there) = sum over ways to fill them, each so likely, of p(c | the row filled so).
#include <algorithm>
#include <cmath>

#include "suffice/data/rows_of.hpp"
#include "suffice/math/log_sum_exp.hpp"
#include "suffice/model/logistic_regression.hpp"

namespace suffice {
namespace {

struct IntegrationScratch {
    CompletedRow ways;
    std::vector<double> joint, one_way, sum;
};

DenseBlock block_of(const CompletedRow& ways) {
    const std::size_t width = ways.values.size() / ways.size();
    return {ways.values.data(), Element::f64, ways.size(), width, static_cast<std::ptrdiff_t>(width), 1};
}

// A row that has a hole and is good otherwise.
bool is_to_fill(std::span<const double> row) {
    const auto missing = [](double value) { return std::isnan(value); };
    const auto infinite = [](double value) { return std::isinf(value); };
    return std::ranges::any_of(row, missing) && std::ranges::none_of(row, infinite);
}

}  // namespace

void LogisticRegression::integrate(const Block& rows, kernel::Tile joint, Workspace& workspace) const {
    if (std::holds_alternative<SparseBlock>(rows)) return;
    const std::vector<std::uint32_t> columns = schema().all_columns();
    std::vector<double> gathered;
    const kernel::Rows all = rows_of(rows, columns, gathered);
    auto& scratch = workspace.of<IntegrationScratch>();
    const std::size_t k = joint.class_count;
    std::optional<RowCompletion> completion;
    for (std::size_t row = 0; row < joint.row_count; ++row) {
        const std::span<const double> values(all.row(row), columns.size());
        if (!is_to_fill(values)) continue;
        if (!completion) completion.emplace(state_.columns);
        completion->complete(values, scratch.ways);
        log_softmax(scratch.ways.log_weight);
        const std::size_t n = scratch.ways.size();
        scratch.joint.resize(k * n);
        const kernel::Tile tile{scratch.joint.data(), n, k, n};
        score_complete(block_of(scratch.ways), tile, workspace);
        scratch.one_way.resize(k);
        for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t c = 0; c < k; ++c) scratch.one_way[c] = tile.of_class(c)[i];
            log_softmax(scratch.one_way);
            for (std::size_t c = 0; c < k; ++c) tile.of_class(c)[i] = scratch.one_way[c] + scratch.ways.log_weight[i];
        }
        for (std::size_t c = 0; c < k; ++c) joint.of_class(c)[row] = log_sum_exp(std::span(tile.of_class(c), n));
    }
}

// Each column by what it is expected to add; what the expectation of the logarithm leaves goes to the intercepts, so
// that all together is the log posterior.
Explanation LogisticRegression::integrated_contributions(const Block& row) const {
    std::vector<double> gathered, scratch, expected(feature_count_);
    const kernel::Rows values = rows_of(row, schema().all_columns(), gathered);
    CompletedRow ways;
    RowCompletion(state_.columns).complete({values.row(0), schema().columns.size()}, ways);
    normalize_exp(ways.log_weight);
    const kernel::Rows x = state_.features.rows_of(block_of(ways), scratch);
    for (std::size_t i = 0; i < ways.size(); ++i)
        for (std::size_t j = 0; j < feature_count_; ++j) expected[j] += ways.log_weight[i] * x.row(i)[j];
    Explanation all = contributions_of(expected.data());
    std::vector<double> joint(class_count());
    Workspace workspace;
    integrate(row, {joint.data(), 1, class_count(), 1}, workspace);
    for (std::size_t c = 0; c < class_count(); ++c) {
        double sum = 0;
        for (const Explanation::Term& term : all.terms) sum += term.by_class[c];
        all.intercept[c] = joint[c] - sum + (prior_change_.empty() ? 0 : prior_change_[c]);
    }
    return all;
}

}  // namespace suffice
