// Counts, combines and estimates joint tables.
#include "suffice/part/joint_part.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "suffice/data/rows_of.hpp"
#include "suffice/family/sums.hpp"
#include "suffice/score/joint_scorer.hpp"

namespace suffice {
namespace {

struct JointScratch {
    std::vector<double> gathered;
    std::vector<std::uint32_t> levels;
};

std::uint32_t levels_in(const Column& column) {
    return column.kind == ColumnKind::category ? static_cast<std::uint32_t>(column.levels.size()) : 2;
}

std::string list_of(const JointPart& part, const Schema& schema) {
    std::string list;
    for (auto column : part.columns) list += (list.empty() ? "" : ", ") + schema.columns[column].name;
    return list;
}

}  // namespace

JointPart::JointPart(const Schema& schema, std::vector<std::uint32_t> which)
    : columns(std::move(which)), by_class(schema.classes.size()), refused(columns.size()) {
    for (auto column : columns) level_count.push_back(levels_in(schema.columns[column]));
}

JointPart JointPart::blank() const {
    JointPart fresh = *this;
    fresh.by_class.assign(by_class.size(), {});
    fresh.refused.assign(refused.size(), 0.0);
    fresh.beyond = 0;
    return fresh;
}

void JointPart::observe(const Block& block, const Membership& membership, Workspace& workspace) {
    auto& scratch = workspace.of<JointScratch>();
    const kernel::Rows rows = rows_of(block, columns, scratch.gathered);
    const bool fits = cell_count(level_count).has_value();
    scratch.levels.resize(columns.size());
    std::vector<std::map<double, double>> unit(by_class.size());
    for (std::size_t row = 0; row < rows.row_count; ++row) {
        bool good = true;
        for (std::size_t k = 0; k < columns.size(); ++k) {
            const double x = rows.row(row)[k];
            const bool is_level = x >= 0 && x < level_count[k] && x == std::floor(x);
            if (!is_level && !std::isnan(x))
                membership.for_each_class(row, [&](std::size_t, double weight) { refused[k] += weight; });
            good = good && is_level;
            scratch.levels[k] = is_level ? static_cast<std::uint32_t>(x) : 0;
        }
        if (!good) continue;
        membership.for_each_class(row, [&](std::size_t c, double weight) {
            if (fits)
                unit[c][cell_of(scratch.levels, level_count)] += weight;
            else
                beyond += weight;
        });
    }
    for (std::size_t c = 0; c < unit.size(); ++c) {
        CellTable seen;
        for (const auto& [cell, weight] : unit[c]) {
            seen.cell.push_back(cell);
            seen.cell_weight.push_back(weight);
        }
        by_class[c].merge(seen);
    }
}

void JointPart::merge(const JointPart& from) {
    by_class.merge(from.by_class);
    add_sums(refused, from.refused);
    beyond += from.beyond;
}

void JointPart::remove(const JointPart& rows) {
    by_class.remove(rows.by_class);
    remove_sums(refused, rows.refused);
    beyond = difference(beyond, rows.beyond);
}

void JointPart::scale(double factor) {
    by_class.scale(factor);
    scale_sums(refused, factor);
    beyond *= factor;
}

void JointPart::recode(const Recoding& recoding) {
    std::vector<const CodeMap*> maps;
    std::vector<std::uint32_t> after = level_count;
    bool moves = false;
    for (std::size_t k = 0; k < columns.size(); ++k) {
        const CodeMap& map = recoding.levels[columns[k]];
        const bool flag = map.count == 0 && map.to.empty();  // its levels have no names
        maps.push_back(flag || map.is_identity() ? nullptr : &map);
        if (maps.back() != nullptr) after[k] = map.count;
        moves = moves || maps.back() != nullptr;
    }
    if (moves && cell_count(after)) {
        for (auto& table : by_class) table.recode(level_count, maps, after);
    } else if (moves) {
        beyond += by_class.weight();
        for (auto& table : by_class) table = {};
    }
    level_count = std::move(after);
    if (!recoding.classes.is_identity()) by_class.recode(recoding.classes, {});
}

bool JointPart::valid(const Schema& schema) const {
    if (!schema.holds(columns) || level_count.size() != columns.size() || refused.size() != columns.size() ||
        by_class.size() != schema.classes.size() || !(beyond >= 0))
        return false;
    for (std::size_t k = 0; k < columns.size(); ++k)
        if (level_count[k] != levels_in(schema.columns[columns[k]])) return false;
    const auto count = static_cast<double>(cell_count(level_count).value_or(0));
    return std::ranges::all_of(by_class, [&](const CellTable& table) { return table.valid(count); });
}

std::size_t JointPart::footprint(const Schema& schema) const {
    return schema.classes.size() * cell_count(level_count).value_or(0) * 2 * sizeof(double);
}

Result<void> JointPart::refuses(const Schema& schema) const {
    for (std::size_t k = 0; k < columns.size(); ++k)
        if (refused[k] > 0)
            return Error("a joint table takes categories and flags; there are values that are neither")
                .in_column(schema.columns[columns[k]].name);
    if (beyond > 0 || !cell_count(level_count))
        return Error(ErrorKind::usage, "the joint table of " + list_of(*this, schema) +
                                           " has more than 1000000 cells; join fewer columns");
    return {};
}

std::vector<double> JointPart::level_weight(std::uint32_t column, std::size_t count) const {
    const auto found = std::ranges::find(columns, column);
    if (found == columns.end() || count == 0) return {};
    const auto k = static_cast<std::size_t>(found - columns.begin());
    std::vector<double> weight(count);
    std::vector<std::uint32_t> levels(columns.size());
    for (const auto& table : by_class)
        for (std::size_t at = 0; at < table.cell.size(); ++at) {
            write_levels(table.cell[at], level_count, levels);
            weight[levels[k]] += table.cell_weight[at];
        }
    return weight;
}

// Pseudo-count a of every cell: (n + a) / (N + a cells), under map and predictive alike; none under likelihood.
Result<Estimated> JointPart::estimate(const Settings& settings, const Schema& schema) const {
    if (auto refusal = refuses(schema); !refusal) return refusal.error();
    Estimated done;
    if (!(weight() > 0)) return done;
    const bool smoothed = settings.estimate == Estimate::map || settings.estimate == Estimate::predictive;
    const double a = smoothed ? settings.smoothing : 0;
    const auto cells = static_cast<double>(*cell_count(level_count));
    CellTable whole;
    for (const auto& table : by_class) whole.merge(table);
    JointTable table{columns, level_count, by_class.size(), whole.cell, {}, {}, a > 0};
    table.log_probability.resize(whole.cell.size() * by_class.size());
    for (std::size_t c = 0; c < by_class.size(); ++c) {
        // A class in which no row was complete: the table shall tell nothing about it.
        const CellTable& seen = by_class[c].weight() > 0 ? by_class[c] : whole;
        const double total = seen.weight() + a * cells;
        const auto log_share = [&](double n) { return std::log(std::max((n + a) / total, smallest_probability)); };
        for (std::size_t at = 0; at < whole.cell.size(); ++at) {
            const double log_probability = log_share(seen.weight_of(whole.cell[at]));
            table.log_probability[at * by_class.size() + c] = log_probability;
            const double n = by_class[c].weight_of(whole.cell[at]);
            if (n > 0) done.log_likelihood += n * log_probability;
        }
        table.log_unseen.push_back(log_share(0));
    }
    done.parameter_count = by_class.size() * (*cell_count(level_count) - 1);
    done.scorers.push_back(joint_scorer(std::move(table)));
    return done;
}

}  // namespace suffice
