// Takes columns out of Parts, and compares them.
#include "suffice/compare/kept_column.hpp"

#include <algorithm>
#include <map>

#include "suffice/part/all.hpp"

namespace suffice {
namespace {

using Table = std::vector<std::vector<double>>;  // by class, then by level

void keep_evidence(const EvidencePart& part, std::size_t k, KeptColumn& into) {
    into.numbers = part.counts[k];
    for (std::size_t c = 0; c < part.counts[k].class_count; ++c)
        into.moments.push_back(part.counts[k].sums_of(c).plain);
}

// Rows with holes count where the column is there. A pooled scatter is shared out by weight, so that all classes
// together are as they were.
void keep_covariance(const CovariancePart& part, std::size_t k, KeptColumn& into) {
    const ClassScatterStatistic& complete = part.complete;
    const double all = complete.weight();
    for (std::size_t c = 0; c < complete.class_count(); ++c) {
        const double weight = complete.class_weight[c], share = complete.pooled && all > 0 ? weight / all : 1;
        Gaussian::Statistic own{weight, weight > 0 ? complete.mean_of(c)[k] : 0,
                                complete.scatter_of(c)[k * complete.dimension + k] * share};
        if (c < part.incomplete.size())
            for (const auto& [pattern, rows] : part.incomplete[c].by_pattern) {
                const auto found = std::ranges::find(pattern, static_cast<std::uint32_t>(k));
                if (found == pattern.end()) continue;
                const auto at = static_cast<std::size_t>(found - pattern.begin());
                const double scatter = rows.scatter.empty() ? 0 : rows.scatter[at * pattern.size() + at];
                own.merge({rows.total_weight, rows.mean[at], scatter});
            }
        into.moments.push_back(own);
    }
}

void keep_points(const PointsPart& part, std::size_t k, KeptColumn& into) {
    const std::size_t width = part.columns.size();
    for (const PointList& points : part.by_class) {
        Gaussian::Statistic own;
        for (std::size_t row = 0; row < points.row_weight.size(); ++row)
            own.merge({points.row_weight[row], points.values[row * width + k], 0});
        into.moments.push_back(own);
    }
}

// In how many documents each word stands: words of one document are alike, so counting each of them would tell the same
// again and again.
void keep_words(const TokenPart& part, std::size_t word_count, KeptColumn& into) {
    into.level_weight.assign(part.document_weight.size(), std::vector<double>(word_count));
    part.table.for_each(
        [&](const TokenTable::Entry& entry) { into.level_weight[entry.of_class][entry.word] = entry.documents; });
}

// One kind of event among all that are counted together.
void keep_counts(const CountsPart& part, std::size_t k, KeptColumn& into) {
    const std::size_t width = part.columns.size();
    into.levels = {"this", "others"};
    for (std::size_t c = 0; c < part.class_weight.size(); ++c) {
        double all = 0;
        for (std::size_t j = 0; j < width; ++j) all += part.sum[c * width + j];
        into.level_weight.push_back({part.sum[c * width + k], all - part.sum[c * width + k]});
    }
}

template <class F>
void keep_family(const FamilyPart<F>& part, std::size_t k, KeptColumn& into) {
    for (const auto& row : part.by_class) {
        if constexpr (std::same_as<F, Categorical>) into.level_weight.push_back(row[k].level_weight);
        if constexpr (std::same_as<F, Gaussian>) into.moments.push_back(row[k]);
        if constexpr (std::same_as<F, Bernoulli>) {
            const double ones = row[k].one_weight, all = row[k].weight();
            into.level_weight.push_back({row[k].zero_weight, ones});
            into.moments.push_back({all, all > 0 ? ones / all : 0, all > 0 ? ones * (all - ones) / all : 0});
        }
    }
    if constexpr (std::same_as<F, Bernoulli>) into.levels = {"0", "1"};
}

std::size_t place_in(const std::vector<std::uint32_t>& columns, std::uint32_t column) {
    return static_cast<std::size_t>(std::ranges::find(columns, column) - columns.begin());
}

std::vector<double> summed(const Table& table, const std::vector<std::size_t>& classes) {
    std::vector<double> sum(table.empty() ? 0 : table.front().size());
    for (const std::size_t c : classes)
        for (std::size_t at = 0; at < sum.size(); ++at) sum[at] += table[c][at];
    return sum;
}

std::optional<Change> change_of_levels(const KeptColumn& before, const KeptColumn& after, const ClassesTaken& taken) {
    std::map<std::string_view, std::pair<double, double>> united;
    const auto one = summed(before.level_weight, taken.before), other = summed(after.level_weight, taken.after);
    for (std::size_t at = 0; at < one.size(); ++at) united[before.levels[at]].first = one[at];
    for (std::size_t at = 0; at < other.size(); ++at) united[after.levels[at]].second = other[at];
    std::vector<double> left, right;
    for (const auto& [level, weights] : united) {
        left.push_back(weights.first);
        right.push_back(weights.second);
    }
    return change_of_cells(left, right, CellOrder::none);
}

// Both in the same bins, or both value by value.
std::optional<Change> change_of_numbers(NumberCounts before, NumberCounts after, const ClassesTaken& taken) {
    if (before.start.empty() || after.start.empty()) return std::nullopt;
    if (before.is_binned() || after.is_binned()) {
        before = before.binned(before.limit);
        after = after.binned(after.limit);
        while (before.width < after.width) before = before.coarser();
        while (after.width < before.width) after = after.coarser();
    }
    std::map<double, std::pair<double, double>> united;
    for (std::size_t at = 0; at < before.start.size(); ++at)
        for (const std::size_t c : taken.before) united[before.start[at]].first += before.weight_at(at, c);
    for (std::size_t at = 0; at < after.start.size(); ++at)
        for (const std::size_t c : taken.after) united[after.start[at]].second += after.weight_at(at, c);
    std::vector<double> left, right;
    for (const auto& [value, weights] : united) {
        left.push_back(weights.first);
        right.push_back(weights.second);
    }
    return change_of_cells(left, right, CellOrder::ascending);
}

Gaussian::Statistic summed(const std::vector<Gaussian::Statistic>& moments, const std::vector<std::size_t>& classes) {
    Gaussian::Statistic sum;
    for (const std::size_t c : classes) sum.merge(moments[c]);
    return sum;
}

// Where both are kept as one family of the same shape.
std::optional<Change> change_in_family(const KeptColumn& before, const KeptColumn& after, const ClassesTaken& taken) {
    std::optional<Change> change;
    for_each_family([&]<class F>() {
        if constexpr (ColumnFamily<F>) {
            const auto *one = before.part->as<FamilyPart<F>>(), *other = after.part->as<FamilyPart<F>>();
            if (one == nullptr || other == nullptr || !(one->family[before.position] == other->family[after.position]))
                return;
            const F& family = one->family[before.position];
            auto left = family.empty(), right = family.empty();
            for (const std::size_t c : taken.before) left.merge(one->by_class[c][before.position]);
            for (const std::size_t c : taken.after) right.merge(other->by_class[c][after.position]);
            change = change_of_family(family, std::move(left), std::move(right));
        }
    });
    return change;
}

}  // namespace

KeptColumn kept_column(const ModelStatistic& statistic, std::uint32_t column) {
    KeptColumn kept;
    const Column& named = statistic.schema.columns[column];
    kept.levels = named.levels;
    for (const Part& part : statistic.parts) {
        const std::size_t k = place_in(part.columns(), column);
        if (k == part.columns().size()) continue;
        if (const auto* numbers = part.as<EvidencePart>()) keep_evidence(*numbers, k, kept);
        if (const auto* gaussians = part.as<CovariancePart>()) keep_covariance(*gaussians, k, kept);
        if (const auto* points = part.as<PointsPart>()) keep_points(*points, k, kept);
        if (const auto* words = part.as<TokenPart>()) keep_words(*words, named.levels.size(), kept);
        if (const auto* counts = part.as<CountsPart>()) keep_counts(*counts, k, kept);
        if (const auto* joint = part.as<JointPart>()) {
            const std::size_t levels = joint->level_count[k];
            kept.level_weight = {joint->level_weight(column, levels)};
            if (kept.levels.size() < levels) kept.levels = {"0", "1"};
            kept.by_class = false;
        }
        for_each_family([&]<class F>() {
            if constexpr (ColumnFamily<F>)
                if (const auto* family = part.as<FamilyPart<F>>()) {
                    keep_family(*family, k, kept);
                    kept.part = &part;
                    kept.position = k;
                }
        });
    }
    return kept;
}

std::optional<Change> change_of_column(const KeptColumn& before, const KeptColumn& after, const ClassesTaken& classes) {
    if (!before.level_weight.empty() && !after.level_weight.empty()) return change_of_levels(before, after, classes);
    if (before.numbers && after.numbers) return change_of_numbers(*before.numbers, *after.numbers, classes);
    if (before.part != nullptr && after.part != nullptr)
        if (const auto change = change_in_family(before, after, classes)) return change;
    if (before.moments.empty() || after.moments.empty()) return std::nullopt;
    return change_of_family(Gaussian{}, summed(before.moments, classes.before), summed(after.moments, classes.after));
}

std::optional<double> mean_of(const KeptColumn& column, const std::vector<std::size_t>& classes) {
    if (column.moments.empty()) return std::nullopt;
    const auto sum = summed(column.moments, classes);
    if (!(sum.total_weight > 0)) return std::nullopt;
    return sum.mean;
}

}  // namespace suffice
