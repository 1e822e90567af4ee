// Observes, combines and estimates columns with a covariance.
#include "suffice/part/covariance_part.hpp"

#include <algorithm>
#include <cmath>

#include "suffice/data/rows_of.hpp"
#include "suffice/estimate/completion.hpp"
#include "suffice/estimate/ledoit_wolf.hpp"
#include "suffice/family/sums.hpp"

namespace suffice {
namespace {

struct HoleScratch {
    std::vector<double> gathered;
    std::vector<double> values, weight, share, present;
    std::vector<std::int32_t> code;
};

// Rows without holes, copied together with what they count for.
struct Kept {
    kernel::Rows rows;
    Membership membership;
};

Kept compact(kernel::Rows rows, const Membership& m, const std::vector<std::size_t>& which, HoleScratch& scratch) {
    const std::size_t d = rows.column_count, n = which.size();
    scratch.values.clear();
    scratch.code.clear();
    scratch.weight.clear();
    scratch.share.assign(m.share != nullptr ? m.class_count * n : 0, 0.0);
    for (std::size_t at = 0; at < n; ++at) {
        const std::size_t row = which[at];
        scratch.values.insert(scratch.values.end(), rows.row(row), rows.row(row) + d);
        if (m.share != nullptr) {
            for (std::size_t c = 0; c < m.class_count; ++c)
                scratch.share[c * n + at] = m.share[c * m.share_stride + row];
        } else {
            scratch.code.push_back(m.code[row]);
            if (!m.weight.empty()) scratch.weight.push_back(m.weight[row]);
        }
    }
    Membership kept{m.class_count, scratch.code, scratch.weight, nullptr, 0};
    if (m.share != nullptr) {
        kept.share = scratch.share.data();
        kept.share_stride = n;
    }
    return {{scratch.values.data(), n, d, static_cast<std::ptrdiff_t>(d)}, kept};
}

std::size_t fourth_features(const Shrinkage& shrinkage, std::size_t columns) {
    if (shrinkage.rule == ShrinkageRule::automatic) return columns;
    return shrinkage.rule == ShrinkageRule::ledoit_wolf ? 1 : 0;
}

}  // namespace

CovariancePart::CovariancePart(const Schema& schema, std::vector<std::uint32_t> which, bool pooled, Shrinkage shrinkage)
    : columns(std::move(which)),
      complete(schema.classes.size(), columns.size(), pooled),
      fourth(schema.classes.size(), columns.size(), fourth_features(pooled ? Shrinkage() : shrinkage, columns.size())),
      incomplete(schema.classes.size()),
      refused(columns.size()) {}

CovariancePart CovariancePart::blank() const {
    CovariancePart fresh;
    fresh.columns = columns;
    fresh.complete = ClassScatterStatistic(complete.class_count(), columns.size(), complete.pooled);
    fresh.fourth = FourthMoments(complete.class_count(), columns.size(), fourth.feature_count);
    fresh.incomplete.resize(complete.class_count());
    fresh.refused.assign(columns.size(), 0.0);
    fresh.room.scatters = room.scatters;
    return fresh;
}

double CovariancePart::weight() const { return complete.weight() + incomplete.weight() + unkept; }

void CovariancePart::observe(const Block& block, const Membership& membership, Workspace& workspace) {
    const auto floats = rows_in_place<float>(block, columns);
    if (floats && membership.share == nullptr && !complete.pooled && !fourth.gathered())
        if (const auto* unit = ClassScatterStatistic::of_floats(*floats, membership, workspace))
            return complete.merge(*unit);
    auto& scratch = workspace.of<HoleScratch>();
    const kernel::Rows rows = rows_of(block, columns, scratch.gathered);
    const auto& unit = ClassScatterStatistic::of_rows(rows, membership, complete.pooled, workspace);
    if (unit.finite()) {
        observe_complete(rows, membership, unit, workspace);
    } else {
        observe_with_holes(rows, membership, workspace);
    }
}

void CovariancePart::observe_complete(kernel::Rows rows, const Membership& membership,
                                      const ClassScatterStatistic& unit, Workspace& workspace) {
    if (fourth.gathered())
        fourth.merge(complete, FourthMoments::of_rows(rows, membership, unit, fourth.feature_count, workspace), unit);
    complete.merge(unit);
}

void CovariancePart::observe_with_holes(kernel::Rows rows, const Membership& membership, Workspace& workspace) {
    auto& scratch = workspace.of<HoleScratch>();
    std::vector<std::size_t> whole;
    Pattern pattern;
    for (std::size_t row = 0; row < rows.row_count; ++row) {
        pattern.clear();
        scratch.present.clear();
        bool infinite = false;
        for (std::uint32_t k = 0; k < columns.size(); ++k) {
            const double x = rows.row(row)[k];
            if (std::isnan(x)) continue;
            if (std::isinf(x)) {
                infinite = true;
                membership.for_each_class(row, [&](std::size_t, double weight) { refused[k] += weight; });
            }
            pattern.push_back(k);
            scratch.present.push_back(x);
        }
        if (infinite) continue;
        if (pattern.size() == columns.size()) {
            whole.push_back(row);
        } else {
            membership.for_each_class(row, [&](std::size_t c, double weight) {
                if (unkept == 0) {
                    incomplete[c].observe(pattern, scratch.present, weight);
                } else if (!pattern.empty()) {
                    unkept += weight;
                }
            });
        }
    }
    std::size_t bytes = 0;
    for (const auto& each : incomplete) bytes += each.bytes();
    if (bytes > room.bytes) drop_patterns();
    const Kept kept = compact(rows, membership, whole, scratch);
    observe_complete(kept.rows, kept.membership,
                     ClassScatterStatistic::of_rows(kept.rows, kept.membership, complete.pooled, workspace), workspace);
}

void CovariancePart::drop_patterns() {
    unkept += incomplete.weight();
    incomplete.assign(incomplete.size(), {});
}

void CovariancePart::merge(const CovariancePart& from) {
    fourth.merge(complete, from.fourth, from.complete);
    complete.merge(from.complete);
    incomplete.merge(from.incomplete);
    add_sums(refused, from.refused);
    unkept += from.unkept;
    if (unkept > 0) drop_patterns();
}

void CovariancePart::remove(const CovariancePart& rows) {
    fourth.remove(complete, rows.fourth, rows.complete);
    complete.remove(rows.complete);
    incomplete.remove(rows.incomplete);
    remove_sums(refused, rows.refused);
    unkept = difference(unkept, rows.unkept);
}

void CovariancePart::scale(double factor) {
    complete.scale(factor);
    fourth.scale(factor);
    incomplete.scale(factor);
    scale_sums(refused, factor);
    unkept *= factor;
}

void CovariancePart::recode(const Recoding& recoding) {
    const std::size_t scatters = recoding.classes.count * columns.size() * columns.size() * sizeof(double);
    if (scatters > room.scatters && !fourth.gathered() && !has_holes()) complete.pool();
    complete.recode(recoding.classes);
    fourth.recode(recoding.classes, columns.size());
    incomplete.recode(recoding.classes, {});
}

bool CovariancePart::valid(const Schema& schema) const {
    const std::size_t k = schema.classes.size();
    if (!schema.holds(columns) || complete.class_count() != k || incomplete.size() != k ||
        complete.dimension != columns.size() || !fourth.valid(k, columns.size()) || refused.size() != columns.size())
        return false;
    return complete.valid() &&
           std::ranges::all_of(incomplete, [&](const auto& each) { return each.valid(columns.size()); });
}

std::size_t CovariancePart::footprint(const Schema& schema) const {
    const std::size_t d = columns.size(), k = schema.classes.size();
    const std::size_t m = fourth.feature_count;
    return (k * d + (complete.pooled ? 1 : k) * d * d + k * m * (m + d)) * sizeof(double);
}

Result<void> CovariancePart::refuses(const Schema& schema) const {
    for (std::size_t k = 0; k < columns.size(); ++k)
        if (refused[k] > 0)
            return Error("infinity is not a value that a Gaussian allows").in_column(schema.columns[columns[k]].name);
    return {};
}

bool CovariancePart::has_holes() const {
    return unkept > 0 || std::ranges::any_of(incomplete, [](const auto& each) { return !each.by_pattern.empty(); });
}

namespace {

bool needs_fourth_moments(const Settings& settings) {
    return settings.covariance == Covariance::full && settings.shrinkage.needs_fourth_moments();
}

const Remedy keep_each{"keep", "per_class", "fit again with"};

Result<std::vector<double>> ledoit_wolf_intensities(const CovariancePart& part, const Settings& settings,
                                                    std::span<const ClassMoments> moments, const GaussianNames& names) {
    const bool standardized = settings.shrinkage.rule == ShrinkageRule::automatic;
    if (part.complete.pooled || part.fourth.feature_count < (standardized ? part.columns.size() : 1))
        return Error(ErrorKind::usage, "the fourth moments that this shrinkage needs were not gathered")
            .advise({"shrinkage", standardized ? "auto" : "ledoit_wolf", "fit again with"});
    std::vector<double> intensity;
    for (std::size_t c = 0; c < moments.size(); ++c) {
        intensity.push_back(ledoit_wolf_intensity(moments[c], part.fourth.square_of(c), standardized));
        if (std::isnan(intensity.back()) && moments[c].weight > 0)
            return Error("the values of class " + names.classes[c] + " are too large for Ledoit-Wolf shrinkage");
    }
    return intensity;
}

}  // namespace

Result<void> CovariancePart::check_holes(const Settings& settings) const {
    if (needs_fourth_moments(settings))
        return Error("Ledoit-Wolf shrinkage needs rows without missing values; use oas or a number");
    if (complete.pooled) return Error("rows with missing values need the scatter of each class").advise(keep_each);
    return {};
}

Result<EstimatedGaussians> gaussians_of(const CovariancePart& part, const Settings& settings, const Schema& schema,
                                        Telling telling) {
    GaussianNames names{schema.classes, {}};
    for (auto column : part.columns) names.columns.push_back(schema.columns[column].name);
    const ClassScatterStatistic& complete = part.complete;
    if (part.has_holes()) {
        if (auto possible = part.check_holes(settings); !possible) return possible.error();
        if (part.unkept > 0) return Error("rows have too many patterns of missing values to be kept");
        return estimate_incomplete(complete, part.incomplete, settings, names);
    }
    if (complete.pooled && settings.sharing != Sharing::all)
        return Error(ErrorKind::usage, "only the pooled scatter was kept, so a covariance per class cannot be derived")
            .advise(keep_each);
    std::vector<ClassMoments> moments;
    // Any split of the pooled scatter gives the same pooled covariance: all of it to the first class.
    const std::vector<double> nothing(complete.pooled ? complete.scatter.size() : 0);
    for (std::size_t c = 0; c < complete.class_count(); ++c)
        moments.push_back({complete.class_weight[c], complete.mean_of(c),
                           complete.pooled && c > 0 ? std::span<const double>(nothing) : complete.scatter_of(c)});
    std::vector<double> intensity;
    if (needs_fourth_moments(settings)) {
        auto found = ledoit_wolf_intensities(part, settings, moments, names);
        if (!found) return found.error();
        intensity = std::move(*found);
    }
    return estimate_gaussians(moments, settings, names, intensity, telling);
}

Result<Estimated> CovariancePart::estimate(const Settings& settings, const Schema& schema) const {
    if (auto refusal = refuses(schema); !refusal) return refusal.error();
    auto gaussians = gaussians_of(*this, settings, schema);
    if (!gaussians) return gaussians.error();
    Estimated done{{},
                   gaussians->log_likelihood,
                   gaussians->parameter_count,
                   std::move(gaussians->notes),
                   std::move(gaussians->rank)};
    done.scorers.push_back(gaussian_scorer(columns, std::move(gaussians->parameters)));
    return done;
}

}  // namespace suffice
