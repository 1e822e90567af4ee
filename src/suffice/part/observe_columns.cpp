// Kernels for the families whose units are counted or summed at the speed of memory.
#include "suffice/part/observe_columns.hpp"

#include <algorithm>
#include <numeric>
#include <span>

#include "suffice/kernel/count.hpp"
#include "suffice/kernel/count_rows.hpp"
#include "suffice/kernel/moments.hpp"
#include "suffice/part/family_part.hpp"

namespace suffice {
namespace {

// Around a centre this many times farther from a class than the class is wide, sums of squares lose half their digits.
constexpr double far_from_centre = 1e6;

struct ColumnScratch {
    std::vector<double> centre, class_weight, weight, sum, square, counts;
    std::vector<std::int32_t> levels;
    std::vector<double> spread;  // shares as one weight per row
    std::vector<std::int32_t> codes;
    std::vector<std::size_t> far;  // classes
};

const double* weights_of(const Membership& m) { return m.weight.empty() ? nullptr : m.weight.data(); }

bool sums_are_finite(const ColumnScratch& scratch) {
    return std::isfinite(std::accumulate(scratch.sum.begin(), scratch.sum.end(), 0.0)) &&
           std::isfinite(std::accumulate(scratch.square.begin(), scratch.square.end(), 0.0));
}

// Holes in the rows: sums of what is there, each column with a weight of its own.
void observe_with_holes(FamilyPart<Gaussian>& part, kernel::Rows rows, const Membership& m, ColumnScratch& s) {
    const std::size_t d = rows.column_count;
    for (std::size_t i = 0; i < d; ++i) {
        s.centre[i] = 0;
        for (std::size_t row = 0; row < rows.row_count; ++row)
            if (std::isfinite(rows.row(row)[i])) {
                s.centre[i] = rows.row(row)[i];
                break;
            }
    }
    s.weight.assign(m.class_count * d, 0.0);
    s.sum.assign(m.class_count * d, 0.0);
    s.square.assign(m.class_count * d, 0.0);
    for (std::size_t row = 0; row < rows.row_count; ++row)
        m.for_each_class(row, [&](std::size_t c, double w) {
            const double* x = rows.row(row);
            for (std::size_t i = 0; i < d; ++i) {
                if (std::isnan(x[i])) continue;
                if (std::isinf(x[i])) {
                    part.refused[i] += w;
                    continue;
                }
                const double z = x[i] - s.centre[i];
                s.weight[c * d + i] += w;
                s.sum[c * d + i] += w * z;
                s.square[c * d + i] += w * z * z;
            }
        });
}

// Classes around their own means, in one reading of a unit whose first row lay far away from them: where there are very
// many classes, most have one row in it.
void observe_far(FamilyPart<Gaussian>& part, kernel::Rows rows, const Membership& m, std::span<const std::size_t> far) {
    if (far.empty()) return;
    constexpr std::size_t near = static_cast<std::size_t>(-1);
    const std::size_t d = rows.column_count;
    std::vector<std::size_t> place(m.class_count, near);
    for (std::size_t at = 0; at < far.size(); ++at) place[far[at]] = at * d;
    std::vector<Gaussian::Statistic> unit(far.size() * d);
    for (std::size_t row = 0; row < rows.row_count; ++row)
        m.for_each_class(row, [&](std::size_t c, double w) {
            for (std::size_t i = 0; place[c] != near && i < d; ++i)
                if (std::isfinite(rows.row(row)[i])) Gaussian{}.observe(unit[place[c] + i], rows.row(row)[i], w);
        });
    for (std::size_t at = 0; at < unit.size(); ++at) part.by_class[far[at / d]][at % d].merge(unit[at]);
}

void start_sums(ColumnScratch& s, std::size_t k, std::size_t d) {
    s.class_weight.assign(k, 0.0);
    s.sum.assign(k * d, 0.0);
    s.square.assign(k * d, 0.0);
}

void spread_class_weight(ColumnScratch& s, std::size_t k, std::size_t d) {
    s.weight.resize(k * d);
    for (std::size_t at = 0; at < k * d; ++at) s.weight[at] = s.class_weight[at / d];
}

bool is_far(const ColumnScratch& s, std::size_t c, std::size_t d) {
    for (std::size_t at = c * d; at < (c + 1) * d; ++at) {
        if (!(s.weight[at] > 0) || s.sum[at] == 0) continue;
        const double pulled = s.sum[at] * s.sum[at] / s.weight[at];
        if (pulled > far_from_centre * std::max(s.square[at] - pulled, 0.0)) return true;
    }
    return false;
}

void merge_class(FamilyPart<Gaussian>& part, const ColumnScratch& s, std::size_t c, std::size_t d) {
    for (std::size_t i = 0; i < d; ++i) {
        const std::size_t at = c * d + i;
        if (s.weight[at] == 0) continue;
        const double pull = s.sum[at] / s.weight[at];
        part.by_class[c][i].merge({s.weight[at], s.centre[i] + pull, std::max(s.square[at] - pull * s.sum[at], 0.0)});
    }
}

}  // namespace

void observe_columns(FamilyPart<Gaussian>& part, kernel::Rows rows, const Membership& m, Workspace& workspace) {
    if (rows.row_count == 0) return;
    auto& s = workspace.of<ColumnScratch>();
    const std::size_t d = rows.column_count, k = m.class_count;
    s.centre.assign(rows.row(0), rows.row(0) + d);
    start_sums(s, k, d);
    if (m.share != nullptr) {
        kernel::shared_moments(rows, m.share, m.share_stride, k, s.centre.data(), s.class_weight.data(), s.sum.data(),
                               s.square.data());
    } else {
        kernel::class_moments(rows, m.code.data(), weights_of(m), k, s.centre.data(), s.class_weight.data(),
                              s.sum.data(), s.square.data());
    }
    if (sums_are_finite(s)) {
        spread_class_weight(s, k, d);
    } else {
        observe_with_holes(part, rows, m, s);
    }
    s.far.clear();
    for (std::size_t c = 0; c < k; ++c) {
        if (is_far(s, c, d)) {
            s.far.push_back(c);
        } else {
            merge_class(part, s, c, d);
        }
    }
    observe_far(part, rows, m, s.far);
}

bool observe_floats(FamilyPart<Gaussian>& part, const Block& block, const Membership& m, Workspace& workspace) {
    const auto rows = rows_in_place<float>(block, part.columns);
    if (!rows || rows->row_count == 0 || m.share != nullptr) return false;
    auto& s = workspace.of<ColumnScratch>();
    const std::size_t d = part.columns.size(), k = m.class_count;
    s.centre.assign(rows->row(0), rows->row(0) + d);
    start_sums(s, k, d);
    kernel::class_moments(*rows, m.code.data(), weights_of(m), k, s.centre.data(), s.class_weight.data(), s.sum.data(),
                          s.square.data());
    if (!sums_are_finite(s)) return false;
    spread_class_weight(s, k, d);
    for (std::size_t c = 0; c < k; ++c)
        if (is_far(s, c, d)) return false;
    for (std::size_t c = 0; c < k; ++c) merge_class(part, s, c, d);
    return true;
}

namespace {

// counts[(first level of the column + level) * classes + class]; a unit with a refused value is told by the result.
template <class F>
bool count_levels(const FamilyPart<F>& part, kernel::Rows rows, const Membership& m, ColumnScratch& s,
                  auto level_count) {
    s.levels.clear();
    std::size_t lines = 0;
    for (const F& family : part.family) {
        s.levels.push_back(static_cast<std::int32_t>(level_count(family)));
        lines += static_cast<std::size_t>(s.levels.back());
    }
    s.counts.assign(lines * m.class_count, 0.0);
    return kernel::class_level_counts(rows, s.levels.data(), m.code.data(), weights_of(m), m.class_count,
                                      s.counts.data()) == 0;
}

// Rows of weight one without holes: sums of flags are exact, and so are the zeros that they leave.
void add_flags(FamilyPart<Bernoulli>& part, const ColumnScratch& s) {
    const std::size_t d = part.columns.size();
    for (std::size_t c = 0; c < s.class_weight.size(); ++c)
        for (std::size_t k = 0; k < d; ++k)
            part.by_class[c][k].merge({s.class_weight[c] - s.sum[c * d + k], s.sum[c * d + k]});
}

void add_flags(FamilyPart<Bernoulli>& part, kernel::Rows rows, const Membership& m, ColumnScratch& s) {
    s.centre.assign(rows.column_count, 0.0);
    start_sums(s, m.class_count, rows.column_count);
    kernel::class_moments(rows, m.code.data(), nullptr, m.class_count, s.centre.data(), s.class_weight.data(),
                          s.sum.data(), nullptr);
    add_flags(part, s);
}

template <class F>
void observe_one_by_one(FamilyPart<F>& part, kernel::Rows rows, const Membership& m, Workspace& workspace) {
    observe_columns<F>(part, rows, m, workspace);
}

}  // namespace

bool observe_bytes(FamilyPart<Bernoulli>& part, const Block& block, const Membership& m, Workspace& workspace) {
    const auto rows = rows_in_place<std::uint8_t>(block, part.columns);
    if (!rows || m.share != nullptr || !m.weight.empty()) return false;
    auto& s = workspace.of<ColumnScratch>();
    start_sums(s, m.class_count, rows->column_count);
    if (!kernel::class_flag_counts(*rows, m.code.data(), m.class_count, s.class_weight.data(), s.sum.data()))
        return false;
    add_flags(part, s);
    return true;
}

void observe_columns(FamilyPart<Bernoulli>& part, kernel::Rows rows, const Membership& m, Workspace& workspace) {
    auto& s = workspace.of<ColumnScratch>();
    if (m.share == nullptr && m.weight.empty() && kernel::are_flags(rows)) return add_flags(part, rows, m, s);
    if (m.share != nullptr || !count_levels(part, rows, m, s, [](const Bernoulli&) { return 2; }))
        return observe_one_by_one(part, rows, m, workspace);
    for (std::size_t k = 0; k < part.columns.size(); ++k)
        for (std::size_t c = 0; c < m.class_count; ++c)
            part.by_class[c][k].merge({s.counts[2 * k * m.class_count + c], s.counts[(2 * k + 1) * m.class_count + c]});
}

void observe_entries(FamilyPart<Bernoulli>& part, const SparseBlock& rows, const Membership& m) {
    std::vector<double> class_weight(m.class_count);
    std::vector<Bernoulli::Statistic> seen(m.class_count * part.columns.size());
    for (std::size_t row = 0; row + 1 < rows.row_start.size(); ++row)
        m.for_each_class(row, [&](std::size_t c, double w) {
            class_weight[c] += w;
            for (auto at = rows.row_start[row]; at < rows.row_start[row + 1]; ++at) {
                const std::size_t column = rows.column[static_cast<std::size_t>(at)];
                const double value = rows.value_at(at);
                auto& unit = seen[c * part.columns.size() + column];
                if (value == 1) {
                    unit.one_weight += w;
                } else if (value != 0) {
                    part.refused[column] += w;
                    unit.zero_weight -= w;  // it is none of the zeros that the row's weight will stand for
                }
            }
        });
    for (std::size_t c = 0; c < m.class_count; ++c)
        for (std::size_t k = 0; class_weight[c] > 0 && k < part.columns.size(); ++k) {
            auto& unit = seen[c * part.columns.size() + k];
            unit.zero_weight += class_weight[c] - unit.one_weight;
            part.by_class[c][k].merge(unit);
        }
}

void observe_columns(FamilyPart<Categorical>& part, kernel::Rows rows, const Membership& m, Workspace& workspace) {
    auto& s = workspace.of<ColumnScratch>();
    if (m.share != nullptr ||
        !count_levels(part, rows, m, s, [](const Categorical& family) { return family.level_count; }))
        return observe_one_by_one(part, rows, m, workspace);
    const double* line = s.counts.data();
    for (std::size_t k = 0; k < part.columns.size(); ++k)
        for (std::size_t level = 0; level < part.family[k].level_count; ++level, line += m.class_count)
            for (std::size_t c = 0; c < m.class_count; ++c) part.by_class[c][k].level_weight[level] += line[c];
}

}  // namespace suffice
