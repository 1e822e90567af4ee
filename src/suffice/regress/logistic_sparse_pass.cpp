// Softmax regression's sums along the entries of thin sparse rows.
#include <algorithm>
#include <cmath>

#include "suffice/kernel/softmax.hpp"
#include "suffice/regress/logistic_pass.hpp"
#include "suffice/regress/thin_outer.hpp"
#include "suffice/score/sparse_affine.hpp"

namespace suffice {
namespace {

constexpr std::size_t sparse_tile_rows = 256;
constexpr double thin_share = 0.25;  // of entries that are there

}  // namespace

bool is_thin(const LogisticRows& rows, const Block& block) {
    const auto* sparse = std::get_if<SparseBlock>(&block);
    if (sparse == nullptr || rows.wide || !rows.features.plain() || sparse->row_start.size() < 2 ||
        rows.features.columns.size() != sparse->column_count)
        return false;
    const auto entries = static_cast<double>(sparse->row_start.back() - sparse->row_start.front());
    return entries < thin_share * static_cast<double>((sparse->row_start.size() - 1) * sparse->column_count);
}

ClassScatterStatistic sparse_moments(const SparseBlock& block, std::size_t class_count, const std::int32_t* code,
                                     const double* weight) {
    const std::size_t d = block.column_count;
    ClassScatterStatistic all(class_count, d, true);
    ThinSplit split(block);
    ThinSquares pooled(split, d);
    std::vector<ThinSums> sums(class_count, ThinSums(split, d));
    const std::size_t total = block.row_start.size() - 1;
    std::vector<double> kept(sparse_tile_rows), of_class(sparse_tile_rows);
    for (std::size_t first = 0; first < total; first += sparse_tile_rows) {
        const std::size_t count = std::min(sparse_tile_rows, total - first);
        for (std::size_t row = 0; row < count; ++row)
            kept[row] = code[first + row] < 0 ? 0 : weight == nullptr ? 1 : weight[first + row];
        const kernel::ThinRows x = split.rows(first, count);
        pooled.add(x, kept.data());
        for (std::size_t c = 0; c < class_count; ++c) {
            for (std::size_t row = 0; row < count; ++row)
                of_class[row] = code[first + row] == static_cast<std::int32_t>(c) ? kept[row] : 0;
            sums[c].add(x, of_class.data());
        }
    }
    for (std::size_t c = 0; c < class_count; ++c) all.class_weight[c] = sums[c].add_to(all.mean.data() + c * d);
    std::vector<double> square(d);
    pooled.add_to(square.data(), all.scatter.data());
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

namespace {

// Sums about zero, of the gradient and of the squares of pairs of classes, moved to the centre.
void add_gradient(LogisticSums& into, const std::vector<ThinSums>& gradients, std::size_t d, const double* centre) {
    const std::size_t k = gradients.size();
    std::vector<double> gradient(k * d), residual(k);
    for (std::size_t c = 0; c < k; ++c) residual[c] = gradients[c].add_to(gradient.data() + c * d);
    if (k == 2) {  // of two classes the first has minus the second's
        for (std::size_t j = 0; j < d; ++j) gradient[j] = -gradient[d + j];
        residual[0] = -residual[1];
    }
    for (std::size_t c = 0; c < k; ++c) {
        into.bias_gradient[c] += residual[c];
        for (std::size_t j = 0; j < d; ++j) into.gradient[c * d + j] += gradient[c * d + j] - centre[j] * residual[c];
    }
}

void add_squares(LogisticSums& into, const std::vector<ThinSquares>& squares, std::size_t d, const double* centre) {
    std::vector<double> sum(d), square(d * d);
    for (std::size_t pair = 0; pair < squares.size(); ++pair) {
        std::ranges::fill(sum, 0.0);
        std::ranges::fill(square, 0.0);
        const double all = squares[pair].add_to(sum.data(), square.data());
        into.pair_weight[pair] += all;
        for (std::size_t i = 0; i < d; ++i) {
            into.pair_sum[pair * d + i] += sum[i] - all * centre[i];
            double* to = into.pair_scatter.data() + (pair * d + i) * d;
            for (std::size_t j = 0; j <= i; ++j)
                to[j] += square[i * d + j] - centre[i] * sum[j] - sum[i] * centre[j] + all * centre[i] * centre[j];
        }
    }
}

}  // namespace

void LogisticPass::observe_sparse(LogisticSums& into, const SparseBlock& block, const double* weight,
                                  const std::int32_t* code) const {
    const std::size_t k = rows->class_count(), d = block.column_count, total = block.row_start.size() - 1;
    const std::size_t pairs = with_curvature ? k * (k - 1) / 2 : 0;
    const double* centre = rows->centre.data();
    std::vector<double> offset(bias);
    for (std::size_t c = 0; c < k; ++c)
        for (std::size_t j = 0; j < d; ++j) offset[c] -= coefficient[c * d + j] * centre[j];
    std::vector<double> weights(coefficient);
    if (k == 2) {  // posteriors know differences alone, and zeros are not multiplied
        for (std::size_t j = 0; j < d; ++j) weights[d + j] -= weights[j], weights[j] = 0;
        offset[1] -= offset[0], offset[0] = 0;
    }
    const SparseAffine affine(weights, offset);
    ThinSplit split(block);
    // Sums about zero; moved to the centre at the end of the unit.
    std::vector<ThinSums> gradients(k, ThinSums(split, d));
    std::vector<ThinSquares> squares(pairs, ThinSquares(split, d));
    std::vector<double> joint(k * sparse_tile_rows), evidence(sparse_tile_rows), own(sparse_tile_rows),
        factor(sparse_tile_rows);
    for (std::size_t first = 0; first < total; first += sparse_tile_rows) {
        const std::size_t count = std::min(sparse_tile_rows, total - first);
        const std::int32_t* codes = code + first;
        const auto weight_of = [&](std::size_t row) {
            return codes[row] < 0 ? 0 : weight == nullptr ? 1 : weight[first + row];
        };
        const kernel::Tile tile{joint.data(), count, k, sparse_tile_rows};
        std::ranges::fill(joint, 0.0);
        affine.add(std::get<SparseBlock>(slice(block, first, count)), tile);
        for (std::size_t row = 0; row < count; ++row)
            own[row] = codes[row] < 0 ? 0 : tile.of_class(static_cast<std::size_t>(codes[row]))[row];
        kernel::softmax(tile, evidence.data());
        for (std::size_t row = 0; row < count; ++row)
            if (const double w = weight_of(row); w != 0) into.loss += w * (evidence[row] - own[row]);
        const kernel::ThinRows x = split.rows(first, count);
        for (std::size_t c = k == 2 ? 1 : 0; c < k; ++c) {  // of two classes the first has minus the second's
            for (std::size_t row = 0; row < count; ++row)
                factor[row] =
                    weight_of(row) * (tile.of_class(c)[row] - (codes[row] == static_cast<std::int32_t>(c) ? 1 : 0));
            gradients[c].add(x, factor.data());
        }
        for (std::size_t c = 1, pair = 0; c < k && pairs > 0; ++c)
            for (std::size_t e = 0; e < c; ++e, ++pair) {
                for (std::size_t row = 0; row < count; ++row)
                    factor[row] = weight_of(row) * tile.of_class(c)[row] * tile.of_class(e)[row];
                squares[pair].add(x, factor.data());
            }
    }
    add_gradient(into, gradients, d, centre);
    add_squares(into, squares, d, centre);
}

}  // namespace suffice
