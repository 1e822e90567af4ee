// Observes, combines and estimates rows of counts.
#include "suffice/part/counts_part.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "suffice/data/rows_of.hpp"
#include "suffice/estimate/counts.hpp"
#include "suffice/family/sums.hpp"
#include "suffice/kernel/count_rows.hpp"
#include "suffice/kernel/moments.hpp"
#include "suffice/score/counts_scorer.hpp"
#include "suffice/score/dirichlet_counts_scorer.hpp"

namespace suffice {
namespace {

Membership slice(const Membership& m, std::size_t first, std::size_t count) {
    return {m.class_count, m.code.empty() ? m.code : m.code.subspan(first, count),
            m.weight.empty() ? m.weight : m.weight.subspan(first, count),
            m.share != nullptr ? m.share + first : nullptr, m.share_stride};
}

bool is_amount(double x) { return x >= 0 && std::isfinite(x); }

}  // namespace

CountsPart::CountsPart(const Schema& schema, std::vector<std::uint32_t> which)
    : columns(std::move(which)),
      class_weight(schema.classes.size()),
      sum(schema.classes.size() * columns.size()),
      log_carrier(schema.classes.size()),
      refused(columns.size()) {}

CountsPart CountsPart::blank() const {
    CountsPart fresh;
    fresh.columns = columns;
    fresh.class_weight.resize(class_weight.size());
    fresh.sum.resize(sum.size());
    fresh.log_carrier.resize(log_carrier.size());
    fresh.refused.resize(refused.size());
    return fresh;
}

double CountsPart::weight() const { return std::accumulate(class_weight.begin(), class_weight.end(), 0.0); }

void CountsPart::observe(const Block& block, const Membership& membership, Workspace& workspace) {
    if (const auto* sparse = std::get_if<SparseBlock>(&block);
        sparse != nullptr && sparse->column_count == columns.size())
        return observe_sparse(*sparse, membership);
    auto& scratch = workspace.of<CountScratch>();
    observe_dense(rows_of(block, columns, scratch.gathered), membership, scratch);
}

void CountsPart::observe_dense(kernel::Rows rows, const Membership& m, CountScratch& scratch) {
    // As many rows as stay in the second cache while two kernels pass over them.
    const std::size_t step = std::max<std::size_t>(64, 32768 / std::max<std::size_t>(1, rows.column_count));
    for (std::size_t first = 0; first < rows.row_count; first += step) {
        const std::size_t count = std::min(step, rows.row_count - first);
        observe_tile(rows.slice(first, count), slice(m, first, count), scratch);
    }
}

void CountsPart::observe_tile(kernel::Rows rows, const Membership& m, CountScratch& scratch) {
    scratch.carrier.resize(rows.row_count);
    if (!kernel::log_arrangements(rows, scratch.carrier.data())) return observe_with_refused(rows, m);
    scratch.origin.assign(rows.column_count, 0.0);
    if (m.share != nullptr)
        kernel::shared_moments(rows, m.share, m.share_stride, m.class_count, scratch.origin.data(), class_weight.data(),
                               sum.data(), nullptr);
    else
        kernel::class_moments(rows, m.code.data(), m.weight.empty() ? nullptr : m.weight.data(), m.class_count,
                              scratch.origin.data(), class_weight.data(), sum.data(), nullptr);
    for (std::size_t row = 0; row < rows.row_count; ++row)
        m.for_each_class(row, [&](std::size_t c, double w) { log_carrier[c] += w * scratch.carrier[row]; });
}

void CountsPart::observe_with_refused(kernel::Rows rows, const Membership& m) {
    for (std::size_t row = 0; row < rows.row_count; ++row)
        m.for_each_class(row, [&](std::size_t c, double w) {
            const double* x = rows.row(row);
            class_weight[c] += w;
            for (std::size_t j = 0; j < rows.column_count; ++j) observe_value(c, j, x[j], w);
            const double carrier = log_arrangements(x, rows.column_count);
            if (!std::isnan(carrier)) log_carrier[c] += w * carrier;
        });
}

void CountsPart::observe_sparse(const SparseBlock& rows, const Membership& m) {
    std::vector<double> counts;
    for (std::size_t row = 0; row + 1 < rows.row_start.size(); ++row)
        m.for_each_class(row, [&](std::size_t c, double w) {
            class_weight[c] += w;
            counts.clear();
            for (auto at = rows.row_start[row]; at < rows.row_start[row + 1]; ++at) {
                counts.push_back(rows.value_at(at));
                observe_value(c, rows.column[static_cast<std::size_t>(at)], counts.back(), w);
            }
            const double carrier = log_arrangements(counts.data(), counts.size());
            if (!std::isnan(carrier)) log_carrier[c] += w * carrier;
        });
}

void CountsPart::observe_value(std::size_t of_class, std::size_t column, double count, double row_weight) {
    if (is_amount(count))
        sum[of_class * columns.size() + column] += row_weight * count;
    else
        refused[column] += row_weight;
}

void CountsPart::merge(const CountsPart& from) {
    add_sums(class_weight, from.class_weight);
    add_sums(sum, from.sum);
    add_sums(log_carrier, from.log_carrier);
    add_sums(refused, from.refused);
}

void CountsPart::remove(const CountsPart& rows) {
    remove_sums(class_weight, rows.class_weight);
    remove_sums(sum, rows.sum);
    remove_sums(log_carrier, rows.log_carrier);
    remove_sums(refused, rows.refused);
}

void CountsPart::scale(double factor) {
    scale_sums(class_weight, factor);
    scale_sums(sum, factor);
    scale_sums(log_carrier, factor);
    scale_sums(refused, factor);
}

void CountsPart::recode(const Recoding& recoding) {
    const CodeMap& map = recoding.classes;
    if (map.is_identity()) return;
    const std::size_t d = columns.size();
    std::vector<double> fresh(map.count * d);
    for (std::size_t c = 0; c < class_weight.size(); ++c)
        if (map.to[c] != CodeMap::dropped)
            std::copy_n(sum.begin() + static_cast<std::ptrdiff_t>(c * d), d,
                        fresh.begin() + static_cast<std::ptrdiff_t>(map.to[c] * d));
    sum = std::move(fresh);
    class_weight = map.spread(class_weight);
    log_carrier = map.spread(log_carrier);
}

bool CountsPart::valid(const Schema& schema) const {
    const std::size_t k = schema.classes.size(), d = columns.size();
    if (!schema.holds(columns) || class_weight.size() != k || sum.size() != k * d || log_carrier.size() != k ||
        refused.size() != d)
        return false;
    double least = 0;
    for (double each : sum) least = std::min(least, each);
    for (double each : class_weight) least = std::min(least, each);
    return least >= 0;
}

std::size_t CountsPart::footprint(const Schema& schema) const {
    return schema.classes.size() * (columns.size() + 2) * sizeof(double);
}

Result<void> CountsPart::refuses(const Schema& schema) const {
    for (std::size_t j = 0; j < columns.size(); ++j)
        if (refused[j] > 0)
            return Error("there are values that are no counts; counts are zero or positive numbers")
                .in_column(schema.columns[columns[j]].name);
    return {};
}

Result<Estimated> CountsPart::estimate(const Settings& settings, const Schema& schema) const {
    if (auto refusal = refuses(schema); !refusal) return refusal.error();
    const std::size_t k = class_weight.size(), d = columns.size();
    const auto& by_hand = settings.column_smoothing;
    if (!by_hand.empty() && by_hand.size() != d)
        return Error(ErrorKind::usage, "the smoothing of columns needs one number for each");
    const double smoothing = settings.by_likelihood() || !by_hand.empty() ? 0 : settings.smoothing;
    std::vector<double> by_column(sum.size());  // as estimate/counts takes them: column, then class
    for (std::size_t c = 0; c < k; ++c)
        for (std::size_t j = 0; j < d; ++j) by_column[j * k + c] = sum[c * d + j];
    const CountMatrix counts{by_column.data(), d, k, k};
    CountWeights weights{columns, k, std::vector<double>(sum.size()), !settings.complement, counts.class_totals()};
    for (std::size_t c = 0; c < k; ++c)
        weights.mean_total[c] = class_weight[c] > 0 ? weights.mean_total[c] / class_weight[c] : 0;
    for (std::size_t j = 0; j < by_hand.size(); ++j)
        for (std::size_t c = 0; c < k; ++c) by_column[j * k + c] += by_hand[j];
    Estimated done;
    done.parameter_count = k * (d - 1);
    if (settings.estimate == Estimate::predictive && !settings.complement) {
        if (!(smoothing > 0)) return Error(ErrorKind::usage, "the predictive of counts needs smoothing above zero");
        DirichletCounts posterior{columns, k, sum, {}, weights.mean_total};
        for (double& each : posterior.alpha) each += smoothing;
        auto learned = dirichlet_weights(counts, smoothing);
        posterior.total = std::move(learned.total);
        done.log_likelihood = learned.log_evidence + std::accumulate(log_carrier.begin(), log_carrier.end(), 0.0);
        done.scorers.push_back(dirichlet_counts_scorer(std::move(posterior)));
        return done;
    }
    if (settings.complement) {
        complement_weights(counts, smoothing, settings.normalize_weights);
        done.log_likelihood = std::numeric_limits<double>::quiet_NaN();
        done.notes.emplace_back("complement naive Bayes has scores, not densities: it has no likelihood");
    } else {
        done.log_likelihood =
            multinomial_weights(counts, smoothing) + std::accumulate(log_carrier.begin(), log_carrier.end(), 0.0);
        for (std::size_t j = 0; j < by_hand.size(); ++j)  // what was added is no data
            for (std::size_t c = 0; c < k; ++c) done.log_likelihood -= by_hand[j] * by_column[j * k + c];
    }
    for (std::size_t c = 0; c < k; ++c)
        for (std::size_t j = 0; j < d; ++j) weights.weight[c * d + j] = by_column[j * k + c];
    done.scorers.push_back(counts_scorer(std::move(weights)));
    return done;
}

}  // namespace suffice
