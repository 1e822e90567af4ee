// Softmax regression's sums along the entries of thin sparse rows, such as categories written as indicators: per row
// the square of its entries is touched, not that of the columns.
#include <algorithm>
#include <cmath>

#include "suffice/estimate/logistic_pass.hpp"
#include "suffice/kernel/softmax.hpp"
#include "suffice/score/sparse_affine.hpp"

namespace suffice {
namespace {

constexpr std::size_t tile_rows = 256;
constexpr double thin_share = 0.25;  // of entries that are there

struct Entries {
    std::span<const std::uint32_t> column;
    std::span<const double> value;

    Entries(const SparseBlock& block, std::size_t row) {
        const auto first = static_cast<std::size_t>(block.row_start[row]);
        const std::size_t count = static_cast<std::size_t>(block.row_start[row + 1]) - first;
        column = block.column.subspan(first, count);
        if (!block.value.empty()) value = block.value.subspan(first, count);
    }
    std::size_t size() const { return column.size(); }
    double at(std::size_t e) const { return value.empty() ? 1.0 : value[e]; }
};

// Lower triangle of square += w x x', sum += w x; entries in any order, no column twice.
void add_outer(const Entries& x, double w, std::size_t d, double* sum, double* square) {
    if (!x.value.empty() && std::ranges::is_sorted(x.column)) {  // as nearly always: no index is to be compared
        const std::uint32_t* column = x.column.data();
        const double* value = x.value.data();
        for (std::size_t a = 0; a < x.size(); ++a) {
            const double wx = w * value[a];
            sum[column[a]] += wx;
            double* line = square + column[a] * d;
            for (std::size_t b = 0; b <= a; ++b) line[column[b]] += wx * value[b];
        }
        return;
    }
    for (std::size_t a = 0; a < x.size(); ++a) {
        const double wx = w * x.at(a);
        const std::size_t i = x.column[a];
        sum[i] += wx;
        for (std::size_t b = 0; b <= a; ++b) {
            const std::size_t j = x.column[b];
            square[std::max(i, j) * d + std::min(i, j)] += wx * x.at(b);
        }
    }
}

}  // namespace

bool is_thin(const LogisticRows& rows, const Block& block) {
    const auto* sparse = std::get_if<SparseBlock>(&block);
    if (sparse == nullptr || rows.wide || !rows.features.plain() || sparse->row_start.size() < 2) return false;
    const auto entries = static_cast<double>(sparse->row_start.back() - sparse->row_start.front());
    return entries < thin_share * static_cast<double>((sparse->row_start.size() - 1) * sparse->column_count);
}

ClassScatterStatistic sparse_moments(const SparseBlock& block, std::size_t class_count, const std::int32_t* code,
                                     const double* weight) {
    const std::size_t d = block.column_count;
    ClassScatterStatistic all(class_count, d, true);
    for (std::size_t row = 0; row + 1 < block.row_start.size(); ++row) {
        if (code[row] < 0) continue;
        const auto c = static_cast<std::size_t>(code[row]);
        const double w = weight == nullptr ? 1.0 : weight[row];
        all.class_weight[c] += w;
        add_outer(Entries(block, row), w, d, all.mean.data() + c * d, all.scatter.data());
    }
    std::vector<double> square(d);
    for (std::size_t j = 0; j < d; ++j) square[j] = all.scatter[j * (d + 1)];
    for (std::size_t c = 0; c < class_count; ++c) {
        if (!(all.class_weight[c] > 0)) continue;
        double* mean = all.mean.data() + c * d;
        for (std::size_t i = 0; i < d; ++i) {
            const double sum = mean[i];
            if (sum == 0) continue;
            for (std::size_t j = 0; j <= i; ++j)
                all.scatter[i * d + j] -= sum * (j == i ? sum : mean[j]) / all.class_weight[c];
        }
        for (std::size_t j = 0; j < d; ++j) mean[j] /= all.class_weight[c];
    }
    for (std::size_t i = 0; i < d; ++i) {
        double& own = all.scatter[i * (d + 1)];
        if (own < 1e-6 * square[i] && square[i] > 0) return {};
        for (std::size_t j = 0; j < i; ++j) all.scatter[j * d + i] = all.scatter[i * d + j];
    }
    return all;
}

void LogisticPass::observe_sparse(LogisticSums& into, const SparseBlock& block, const double* weight,
                                  const std::int32_t* code) const {
    const std::size_t k = rows->class_count(), d = block.column_count, total = block.row_start.size() - 1;
    const std::size_t pairs = with_curvature ? k * (k - 1) / 2 : 0;
    const double* centre = rows->centre.data();
    std::vector<double> offset(bias);
    for (std::size_t c = 0; c < k; ++c)
        for (std::size_t j = 0; j < d; ++j) offset[c] -= coefficient[c * d + j] * centre[j];
    const SparseAffine affine(coefficient, offset);
    // Sums about zero; moved to the centre at the end of the unit.
    std::vector<double> gradient(d * k), residual_sum(k), joint(k * tile_rows), evidence(tile_rows), own(tile_rows);
    std::vector<double> pair_weight(pairs), pair_sum(pairs * d), pair_square(pairs * d * d), residual(k);
    for (std::size_t first = 0; first < total; first += tile_rows) {
        const std::size_t count = std::min(tile_rows, total - first);
        const kernel::Tile tile{joint.data(), count, k, tile_rows};
        std::ranges::fill(joint, 0.0);
        affine.add(std::get<SparseBlock>(slice(block, first, count)), tile);
        for (std::size_t row = 0; row < count; ++row)
            own[row] = code[first + row] < 0 ? 0 : tile.of_class(static_cast<std::size_t>(code[first + row]))[row];
        kernel::softmax(tile, evidence.data());
        for (std::size_t row = 0; row < count; ++row) {
            const double w = weight == nullptr ? 1.0 : weight[first + row];
            if (code[first + row] < 0 || w == 0) continue;
            into.loss += w * (evidence[row] - own[row]);
            const Entries x(block, first + row);
            for (std::size_t c = 0; c < k; ++c) {
                residual[c] = w * (tile.of_class(c)[row] - (static_cast<std::int32_t>(c) == code[first + row] ? 1 : 0));
                residual_sum[c] += residual[c];
            }
            for (std::size_t e = 0; e < x.size(); ++e)
                for (std::size_t c = 0; c < k; ++c) gradient[x.column[e] * k + c] += x.at(e) * residual[c];
            if (pairs == 0) continue;
            std::size_t pair = 0;
            for (std::size_t c = 1; c < k; ++c)
                for (std::size_t e = 0; e < c; ++e, ++pair) {
                    const double doubt = w * tile.of_class(c)[row] * tile.of_class(e)[row];
                    pair_weight[pair] += doubt;
                    add_outer(x, doubt, d, pair_sum.data() + pair * d, pair_square.data() + pair * d * d);
                }
        }
    }
    for (std::size_t c = 0; c < k; ++c) {
        into.bias_gradient[c] += residual_sum[c];
        for (std::size_t j = 0; j < d; ++j)
            into.gradient[c * d + j] += gradient[j * k + c] - centre[j] * residual_sum[c];
    }
    for (std::size_t pair = 0; pair < pairs; ++pair) {
        const double* sum = pair_sum.data() + pair * d;
        const double* square = pair_square.data() + pair * d * d;
        const double all = pair_weight[pair];
        into.pair_weight[pair] += all;
        for (std::size_t i = 0; i < d; ++i) {
            into.pair_sum[pair * d + i] += sum[i] - all * centre[i];
            double* to = into.pair_scatter.data() + (pair * d + i) * d;
            for (std::size_t j = 0; j <= i; ++j)
                to[j] += square[i * d + j] - centre[i] * sum[j] - sum[i] * centre[j] + all * centre[i] * centre[j];
        }
    }
}

}  // namespace suffice
