// Gathers along the entries of sparse rows.
#include "suffice/regress/logistic_wide_pass.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "suffice/kernel/softmax.hpp"

namespace suffice {
namespace {

constexpr std::size_t wide_tile_rows = 256;

struct WideScratch {
    std::vector<std::int32_t> code;
    std::vector<double> weight, features, tile, evidence, along, own;
    std::vector<std::uint32_t> all_columns;
};

// A row as columns and values; no values: ones.
struct Entries {
    std::span<const std::uint32_t> column;
    std::span<const double> value;
};

class TileRows {
public:
    TileRows(const LogisticRows& rows, const Block& block, WideScratch& scratch)
        : sparse_(std::get_if<SparseBlock>(&block)) {
        if (sparse_ != nullptr) return;
        dense_ = rows.features.rows_of(block, scratch.features);
        if (scratch.all_columns.size() != dense_.column_count) {
            scratch.all_columns.resize(dense_.column_count);
            std::iota(scratch.all_columns.begin(), scratch.all_columns.end(), 0u);
        }
        all_ = scratch.all_columns;
    }
    Entries row(std::size_t index) const {
        if (sparse_ == nullptr) return {all_, {dense_.row(index), dense_.column_count}};
        const auto first = static_cast<std::size_t>(sparse_->row_start[index]);
        const std::size_t count = static_cast<std::size_t>(sparse_->row_start[index + 1]) - first;
        return {sparse_->column.subspan(first, count),
                sparse_->value.empty() ? sparse_->value : sparse_->value.subspan(first, count)};
    }

private:
    const SparseBlock* sparse_;
    kernel::Rows dense_{};
    std::span<const std::uint32_t> all_;
};

// out := bias + x . theta
void scores_of(const Entries& x, const double* theta, const WideShape& shape, double* out) {
    std::copy_n(theta + shape.bias(), shape.width(), out);
    if (shape.width() > 1) return kernel::add_rows(theta, shape.width(), x.column, x.value, out);
    double sum = 0;
    for (std::size_t e = 0; e < x.column.size(); ++e) sum += (x.value.empty() ? 1.0 : x.value[e]) * theta[x.column[e]];
    *out += sum;
}

void add_outer(const Entries& x, const double* residual, const WideShape& shape, double* gradient) {
    for (std::size_t c = 0; c < shape.width(); ++c) gradient[shape.bias() + c] += residual[c];
    if (shape.width() > 1) return kernel::add_to_rows(gradient, shape.width(), x.column, x.value, residual);
    for (std::size_t e = 0; e < x.column.size(); ++e)
        gradient[x.column[e]] += (x.value.empty() ? 1.0 : x.value[e]) * *residual;
}

}  // namespace

void WideSums::merge(const WideSums& from) {
    total += from.total;
    loss += from.loss;
    least_margin = std::min(least_margin, from.least_margin);
    for (std::size_t c = 0; c < doubt.size(); ++c) doubt[c] += from.doubt[c];
    for (std::size_t i = 0; i < gradient.size(); ++i) gradient[i] += from.gradient[i];
}

WideSums WidePass::empty() const {
    WideSums sums;
    sums.doubt.resize(shape.score_count());
    sums.gradient.resize(shape.size());
    return sums;
}

Result<void> WidePass::observe(WideSums& into, const LabeledBlock& unit, const Schema& names,
                               Workspace& workspace) const {
    auto& scratch = workspace.of<WideScratch>();
    if (!rows->label(unit, names, scratch.code, scratch.weight)) return {};
    const std::size_t k = shape.class_count, m = shape.score_count(), width = shape.width(), skipped = k - m;
    scratch.tile.assign(k * wide_tile_rows, 0.0);
    scratch.evidence.resize(wide_tile_rows);
    scratch.own.resize(wide_tile_rows);
    scratch.along.resize(wide_tile_rows * width);
    std::vector<double> score(width), residual(width);
    for (std::size_t first = 0; first < unit.size(); first += wide_tile_rows) {
        const std::size_t count = std::min(wide_tile_rows, unit.size() - first);
        const Block part = slice(unit.rows, first, count);
        const TileRows x(*rows, part, scratch);
        const kernel::Tile tile{scratch.tile.data(), count, k, wide_tile_rows};
        if (skipped == 1) std::fill_n(tile.of_class(0), count, 0.0);
        for (std::size_t row = 0; row < count; ++row) {
            scores_of(x.row(row), theta, shape, score.data());
            for (std::size_t c = 0; c < m; ++c) tile.of_class(c + skipped)[row] = score[c];
            if (direction != nullptr) scores_of(x.row(row), direction, shape, scratch.along.data() + row * width);
        }
        for (std::size_t row = 0; direction == nullptr && row < count; ++row) {
            const std::int32_t code = scratch.code[first + row];
            if (code < 0) continue;
            scratch.own[row] = tile.of_class(static_cast<std::size_t>(code))[row];
            double other = -std::numeric_limits<double>::infinity();
            for (std::size_t c = 0; c < k; ++c)
                if (static_cast<std::int32_t>(c) != code) other = std::max(other, tile.of_class(c)[row]);
            into.least_margin = std::min(into.least_margin, scratch.own[row] - other);
        }
        kernel::softmax(tile, scratch.evidence.data());
        for (std::size_t row = 0; row < count; ++row) {
            const std::int32_t code = scratch.code[first + row];
            const double w = scratch.weight.empty() ? 1.0 : scratch.weight[first + row];
            if (code < 0 || w == 0) continue;
            into.total += w;
            if (direction == nullptr) {
                into.loss += w * (scratch.evidence[row] - scratch.own[row]);
                for (std::size_t c = 0; c < m; ++c) {
                    const double p = tile.of_class(c + skipped)[row];
                    residual[c] = w * (p - (static_cast<std::int32_t>(c + skipped) == code ? 1 : 0));
                    into.doubt[c] += w * p * (1 - p);
                }
            } else {
                const double* along = scratch.along.data() + row * width;
                double mean = 0;
                for (std::size_t c = 0; c < m; ++c) mean += tile.of_class(c + skipped)[row] * along[c];
                for (std::size_t c = 0; c < m; ++c)
                    residual[c] = w * tile.of_class(c + skipped)[row] * (along[c] - mean);
            }
            add_outer(x.row(row), residual.data(), shape, into.gradient.data());
        }
    }
    return {};
}

}  // namespace suffice
