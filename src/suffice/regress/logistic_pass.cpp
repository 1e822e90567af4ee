// Gathers loss, gradient and curvature of softmax regression, tile by tile.
#include "suffice/regress/logistic_pass.hpp"

#include <algorithm>
#include <cmath>

#include "suffice/encode/names.hpp"
#include "suffice/kernel/gradient.hpp"
#include "suffice/kernel/moments.hpp"
#include "suffice/kernel/scatter.hpp"
#include "suffice/kernel/scores.hpp"
#include "suffice/regress/logistic.hpp"

namespace suffice {
namespace {

constexpr std::size_t tile_rows = 512;

struct LogisticScratch {
    std::vector<double> features, weight, posterior, share, sampled, tile, counted;
    std::vector<std::int32_t> code;
    kernel::ClassScatter scatter;
};

const double* weights_of(const LogisticScratch& scratch, std::size_t first = 0) {
    return scratch.weight.empty() ? nullptr : scratch.weight.data() + first;
}

double labelled_weight(const LogisticScratch& scratch) {
    if (scratch.weight.empty())
        return static_cast<double>(std::ranges::count_if(scratch.code, [](std::int32_t code) { return code >= 0; }));
    double total = 0;
    for (std::size_t row = 0; row < scratch.code.size(); ++row)
        if (scratch.code[row] >= 0) total += scratch.weight[row];
    return total;
}

template <class Visit>
void for_each_entry(const Block& block, std::size_t row, std::size_t width, Visit&& visit) {
    if (const auto* sparse = std::get_if<SparseBlock>(&block)) {
        for (auto at = sparse->row_start[row]; at < sparse->row_start[row + 1]; ++at)
            visit(sparse->column[static_cast<std::size_t>(at)], sparse->value_at(at));
        return;
    }
    for (std::uint32_t j = 0; j < width; ++j) visit(j, value_at(block, row, j));
}

void add(std::vector<double>& to, const std::vector<double>& from) {
    if (to.empty()) to.resize(from.size());
    for (std::size_t i = 0; i < from.size(); ++i) to[i] += from[i];
}

// Rows that count for nothing may lack values, and nothing times a missing value is not nothing: they are put at the
// centre.
kernel::Rows without_uncounted(kernel::Rows x, const std::int32_t* code, const double* weight,
                               const std::vector<double>& centre, std::vector<double>& memory) {
    const std::size_t d = x.column_count;
    const auto counts = [&](std::size_t row) { return code[row] >= 0 && (weight == nullptr || weight[row] != 0); };
    std::size_t first = 0;
    while (first < x.row_count && counts(first)) ++first;
    if (first == x.row_count) return x;
    memory.resize(x.row_count * d);
    for (std::size_t row = 0; row < x.row_count; ++row)
        std::copy_n(counts(row) ? x.row(row) : centre.data(), d, memory.data() + row * d);
    return {memory.data(), x.row_count, d, static_cast<std::ptrdiff_t>(d)};
}

// Finds the value that made sums infinite or NaN, among rows that count.
Error unusable_value(const LogisticRows& rows, const LabeledBlock& unit) {
    for (std::size_t row = 0; row < unit.size(); ++row)
        for (std::size_t j = 0; j < rows.features.columns.size(); ++j) {
            const std::uint32_t column = rows.features.columns[j].column;
            const double x = value_at(unit.rows, row, column);
            if (unit.label_of(row) < 0) continue;
            const ColumnBasis& basis = rows.features.columns[j];
            if (std::isfinite(x) || (std::isnan(x) && (basis.fills || basis.basis == Basis::missing))) continue;
            return Error(std::isnan(x) ? std::string(value_is_missing) : "infinity is not a value")
                .at_row(unit.first_row + row + 1)
                .in_column(column < rows.columns.size() ? rows.columns[column] : std::to_string(column));
        }
    return Error("the values are too large to be squared").at_row(unit.first_row + 1);
}

}  // namespace

bool LogisticRows::label(const LabeledBlock& unit, const Schema& names, std::vector<std::int32_t>& code,
                         std::vector<double>& weight) const {
    if (unit.label.empty()) return false;
    code.assign(unit.label.begin(), unit.label.end());
    if (names.classes != classes) {
        const CodeMap map = map_codes(names.classes, classes);
        for (std::int32_t& each : code)
            if (each >= 0) each = static_cast<std::int32_t>(map.to[static_cast<std::size_t>(each)]);  // dropped: -1
    }
    weight.clear();
    if (unit.weight.empty() && class_weight.empty()) return true;
    for (std::size_t row = 0; row < unit.size(); ++row) {
        const double factor =
            class_weight.empty() || code[row] < 0 ? 1.0 : class_weight[static_cast<std::size_t>(code[row])];
        weight.push_back(factor * unit.weight_of(row));
    }
    return true;
}

void LogisticSums::merge(const LogisticSums& from) {
    total += from.total;
    loss += from.loss;
    add(gradient, from.gradient);
    add(bias_gradient, from.bias_gradient);
    add(pair_weight, from.pair_weight);
    add(pair_sum, from.pair_sum);
    add(pair_scatter, from.pair_scatter);
}

LogisticSums LogisticPass::empty() const {
    const std::size_t k = rows->class_count(), d = rows->centre.size();
    LogisticSums sums;
    sums.gradient.resize(k * d);
    sums.bias_gradient.resize(k);
    if (with_curvature) {
        const std::size_t pairs = k * (k - 1) / 2;
        sums.pair_weight.resize(pairs);
        sums.pair_sum.resize(pairs * d);
        sums.pair_scatter.resize(pairs * d * d);
    }
    return sums;
}

std::size_t LogisticPass::footprint() const {
    const std::size_t k = rows->class_count(), d = rows->centre.size();
    return sizeof(double) * (k * (d + 1) + (with_curvature ? k * (k - 1) / 2 * (d + 1) * (d + 1) : 0));
}

Result<void> LogisticPass::observe(LogisticSums& into, const LabeledBlock& unit, const Schema& names,
                                   Workspace& workspace) const {
    auto& scratch = workspace.of<LogisticScratch>();
    if (!rows->label(unit, names, scratch.code, scratch.weight)) return {};
    into.total += labelled_weight(scratch);
    if (is_thin(*rows, unit.rows)) {
        observe_sparse(into, std::get<SparseBlock>(unit.rows), weights_of(scratch), scratch.code.data());
        return {};
    }
    const std::size_t k = rows->class_count();
    for (std::size_t first = 0; first < unit.size(); first += tile_rows) {
        const std::size_t count = std::min(tile_rows, unit.size() - first);
        const kernel::Rows x =
            without_uncounted(rows->features.rows_of(slice(unit.rows, first, count), scratch.features),
                              scratch.code.data() + first, weights_of(scratch, first), rows->centre, scratch.counted);
        if (with_curvature) scratch.posterior.resize(k * count);
        into.loss +=
            kernel::softmax_gradient(x, scratch.code.data() + first, weights_of(scratch, first), rows->centre.data(),
                                     coefficient.data(), bias.data(), k, into.gradient.data(),
                                     into.bias_gradient.data(), with_curvature ? scratch.posterior.data() : nullptr);
        if (with_curvature) add_curvature(into, x, weights_of(scratch, first), scratch.code.data() + first, workspace);
    }
    return {};
}

void LogisticPass::add_curvature(LogisticSums& into, kernel::Rows x, const double* weight, const std::int32_t* code,
                                 Workspace& workspace) const {
    auto& scratch = workspace.of<LogisticScratch>();
    const std::size_t k = rows->class_count(), d = x.column_count, pairs = k * (k - 1) / 2;
    std::vector<std::uint32_t> taken;
    for (std::uint32_t row = 0; row < x.row_count; ++row)
        if (code[row] >= 0) taken.push_back(row);
    if (taken.empty()) return;
    kernel::Rows chosen = x;
    if (taken.size() < x.row_count) {
        scratch.sampled.resize(taken.size() * d);
        for (std::size_t t = 0; t < taken.size(); ++t) std::copy_n(x.row(taken[t]), d, scratch.sampled.data() + t * d);
        chosen = {scratch.sampled.data(), taken.size(), d, static_cast<std::ptrdiff_t>(d)};
    }
    scratch.share.resize(pairs * taken.size());
    double* share = scratch.share.data();
    for (std::size_t c = 1; c < k; ++c)
        for (std::size_t e = 0; e < c; ++e) {
            const double* p = scratch.posterior.data() + c * x.row_count;
            const double* q = scratch.posterior.data() + e * x.row_count;
            for (std::uint32_t row : taken) *share++ = p[row] * q[row] * (weight == nullptr ? 1.0 : weight[row]);
        }
    scratch.scatter.add_shared(chosen, scratch.share.data(), taken.size(), pairs, rows->centre.data(),
                               into.pair_weight.data(), into.pair_sum.data(), into.pair_scatter.data());
}

void FeatureMoments::merge(const FeatureMoments& from) {
    scatter.merge(from.scatter);
    add(square, from.square);
}

FeatureMoments MomentPass::empty() const {
    const std::size_t d = rows->features.count();
    return {ClassScatterStatistic(rows->class_count(), rows->wide ? 0 : d, true),
            std::vector<double>(rows->wide ? d : 0)};
}

std::size_t MomentPass::footprint() const {
    const std::size_t d = rows->features.count();
    return sizeof(double) * (rows->wide ? d : d * (d + rows->class_count()));
}

Result<void> MomentPass::observe(FeatureMoments& into, const LabeledBlock& unit, const Schema& names,
                                 Workspace& workspace) const {
    auto& scratch = workspace.of<LogisticScratch>();
    if (!rows->label(unit, names, scratch.code, scratch.weight)) return {};
    if (rows->wide) {
        double sum = 0;
        for (std::size_t row = 0; row < unit.size(); ++row) {
            if (scratch.code[row] < 0) continue;
            const double w = scratch.weight.empty() ? 1.0 : scratch.weight[row];
            into.scatter.class_weight[static_cast<std::size_t>(scratch.code[row])] += w;
            for_each_entry(unit.rows, row, rows->centre.size(), [&](std::uint32_t column, double x) {
                into.square[column] += w * x * x;
                sum += x * x;
            });
        }
        return std::isfinite(sum) ? Result<void>{} : unusable_value(*rows, unit);
    }
    if (is_thin(*rows, unit.rows)) {
        const auto found = sparse_moments(std::get<SparseBlock>(unit.rows), rows->class_count(), scratch.code.data(),
                                          weights_of(scratch));
        if (found.class_count() > 0) {
            if (!found.finite()) return unusable_value(*rows, unit);
            into.scatter.merge(found);
            return {};
        }
    }
    const kernel::Rows x = rows->features.rows_of(unit.rows, scratch.features);
    const auto& found = ClassScatterStatistic::of_rows(
        x, {rows->class_count(), scratch.code, scratch.weight, nullptr, 0}, true, workspace);
    if (!found.finite()) return unusable_value(*rows, unit);
    into.scatter.merge(found);
    return {};
}

void Margins::merge(const Margins& from) {
    total += from.total;
    least = std::min(least, from.least);
    most = std::max(most, from.most);
}

Result<void> MarginPass::observe(Margins& into, const LabeledBlock& unit, const Schema& names,
                                 Workspace& workspace) const {
    auto& scratch = workspace.of<LogisticScratch>();
    if (!rows->label(unit, names, scratch.code, scratch.weight)) return {};
    const std::size_t k = rows->class_count();
    scratch.tile.resize(k * tile_rows);
    for (std::size_t first = 0; first < unit.size(); first += tile_rows) {
        const std::size_t count = std::min(tile_rows, unit.size() - first);
        const kernel::Tile tile{scratch.tile.data(), count, k, tile_rows};
        std::ranges::fill(scratch.tile, 0.0);
        kernel::affine_scores(rows->features.rows_of(slice(unit.rows, first, count), scratch.features),
                              rows->centre.data(), coefficient.data(), bias.data(), tile);
        for (std::size_t row = 0; row < count; ++row) {
            const std::int32_t own = scratch.code[first + row];
            if (own < 0 || (!scratch.weight.empty() && scratch.weight[first + row] == 0)) continue;
            into.total += 1;
            for (std::size_t c = 0; c < k; ++c) {
                if (static_cast<std::int32_t>(c) == own) continue;
                const double margin = tile.of_class(static_cast<std::size_t>(own))[row] - tile.of_class(c)[row];
                into.least = std::min(into.least, margin);
                into.most = std::max(into.most, margin);
            }
        }
    }
    return {};
}

}  // namespace suffice
