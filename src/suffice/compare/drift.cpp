// Compares statistics column by column.
#include "suffice/compare/drift.hpp"

#include <numeric>

#include "suffice/compare/kept_column.hpp"
#include "suffice/encode/column_places.hpp"
#include "suffice/encode/names.hpp"

namespace suffice {
namespace {

std::vector<std::size_t> all_classes(const ModelStatistic& statistic, const KeptColumn& column) {
    std::vector<std::size_t> all(column.by_class ? statistic.schema.classes.size() : 1);
    std::iota(all.begin(), all.end(), std::size_t{0});
    return all;
}

std::vector<ClassShare> shares_of(const ModelStatistic& before, const ModelStatistic& after) {
    std::vector<ClassShare> shares;
    const double n = before.weight(), m = after.weight();
    for (std::size_t c = 0; c < before.schema.classes.size(); ++c)
        shares.push_back({before.schema.classes[c], n > 0 ? before.class_weight[c] / n : 0, 0});
    for (std::size_t c = 0; c < after.schema.classes.size(); ++c) {
        const auto known = std::ranges::find(shares, after.schema.classes[c], &ClassShare::name);
        ClassShare& share = known != shares.end() ? *known : shares.emplace_back();
        share.name = after.schema.classes[c];
        share.after = m > 0 ? after.class_weight[c] / m : 0;
    }
    return shares;
}

std::optional<Change> change_of_classes(const std::vector<ClassShare>& shares, double n, double m) {
    std::vector<double> one, other;
    for (const ClassShare& share : shares) {
        one.push_back(share.before * n);
        other.push_back(share.after * m);
    }
    return change_of_cells(one, other, CellOrder::none);
}

// The level whose share changed most.
void tell_level(const KeptColumn& before, const KeptColumn& after, ColumnDrift& into) {
    const auto shares = [](const KeptColumn& column) {
        std::vector<double> sum(column.levels.size());
        double all = 0;
        for (const auto& row : column.level_weight)
            for (std::size_t at = 0; at < row.size(); ++at) {
                sum[at] += row[at];
                all += row[at];
            }
        for (double& each : sum) each = all > 0 ? each / all : 0;
        return sum;
    };
    const auto one = shares(before), other = shares(after);
    const auto tell = [&](const std::string& level, double old_share, double new_share) {
        if (std::abs(new_share - old_share) <= std::abs(into.level_after - into.level_before)) return;
        into.level = level;
        into.level_before = old_share;
        into.level_after = new_share;
    };
    const CodeMap there = map_codes(before.levels, after.levels), back = map_codes(after.levels, before.levels);
    for (std::size_t at = 0; at < one.size(); ++at)
        tell(before.levels[at], one[at], there.to[at] == CodeMap::dropped ? 0 : other[there.to[at]]);
    for (std::size_t at = 0; at < other.size(); ++at)
        if (back.to[at] == CodeMap::dropped) tell(after.levels[at], 0, other[at]);
}

class Comparing {
public:
    Comparing(const ModelStatistic& before, const ModelStatistic& after)
        : before_(before), after_(after), classes_(map_codes(before.schema.classes, after.schema.classes)) {}

    // Nothing: the column cannot be compared.
    std::optional<ColumnDrift> column(std::uint32_t here, std::uint32_t there) const {
        const KeptColumn one = kept_column(before_, here), other = kept_column(after_, there);
        const ClassesTaken all{all_classes(before_, one), all_classes(after_, other)};
        const auto change = change_of_column(one, other, all);
        if (!change) return std::nullopt;
        ColumnDrift made;
        made.column = before_.schema.columns[here].name;
        made.change = *change;
        made.before = mean_of(one, all.before);
        made.after = mean_of(other, all.after);
        if (!one.level_weight.empty() && !other.level_weight.empty()) tell_level(one, other, made);
        for (std::size_t c = 0; one.by_class && other.by_class && c < classes_.to.size(); ++c) {
            if (classes_.to[c] == CodeMap::dropped) continue;
            if (const auto within = change_of_column(one, other, {{c}, {classes_.to[c]}}))
                made.by_class.push_back({before_.schema.classes[c], *within});
        }
        return made;
    }

private:
    const ModelStatistic& before_;
    const ModelStatistic& after_;
    CodeMap classes_;
};

void adjust(std::vector<ColumnDrift>& columns) {
    std::vector<double> overall, within;
    for (const ColumnDrift& each : columns) {
        overall.push_back(each.change.p_value);
        for (const auto& of_class : each.by_class) within.push_back(of_class.change.p_value);
    }
    overall = adjusted_for_many(overall);
    within = adjusted_for_many(within);
    std::size_t at = 0;
    for (std::size_t k = 0; k < columns.size(); ++k) {
        columns[k].adjusted_p_value = overall[k];
        for (auto& of_class : columns[k].by_class) of_class.adjusted_p_value = within[at++];
    }
}

}  // namespace

Drift drift_between(const ModelStatistic& before, const ModelStatistic& after) {
    Drift found;
    found.rows_before = before.weight();
    found.rows_after = after.weight();
    const CodeMap classes = map_codes(after.schema.classes, before.schema.classes);
    if (std::ranges::any_of(classes.to, [](std::uint32_t code) { return code != CodeMap::dropped; })) {
        found.shares = shares_of(before, after);
        found.classes = change_of_classes(found.shares, found.rows_before, found.rows_after);
    }
    const Comparing comparing(before, after);
    const ColumnPlaces here = column_places(before.schema.columns), there = column_places(after.schema.columns);
    for (std::uint32_t k = 0; k < before.schema.columns.size(); ++k) {
        const std::string& name = before.schema.columns[k].name;
        const auto at = there.find(name);
        auto column = at != there.end() ? comparing.column(k, at->second) : std::nullopt;
        if (column)
            found.columns.push_back(std::move(*column));
        else
            found.not_compared.push_back(name);
    }
    for (const Column& column : after.schema.columns)
        if (!here.contains(column.name)) found.not_compared.push_back(column.name);
    adjust(found.columns);
    std::ranges::stable_sort(found.columns, std::greater{},
                             [](const ColumnDrift& each) { return each.change.divergence; });
    return found;
}

}  // namespace suffice
