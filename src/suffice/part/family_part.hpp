// All columns of one family, independent given the class: what naive Bayes is made of. Rows are
// taken in row order, because a column at a time reads every cache line once per column.
#pragma once
#include <algorithm>

#include "suffice/accumulate/several.hpp"
#include "suffice/data/recode.hpp"
#include "suffice/family/sums.hpp"
#include "suffice/part/estimate_columns.hpp"
#include "suffice/part/observe_columns.hpp"
#include "suffice/part/part.hpp"

namespace suffice {

template <ColumnFamily F>
struct FamilyPart {
    static constexpr std::string_view name = F::name, word = F::name, takes = F::support;
    using ColumnStatistic = typename F::Statistic;

    std::vector<std::uint32_t> columns;
    std::vector<F> family;                       // one shape per column
    Several<Several<ColumnStatistic>> by_class;  // then by column
    std::vector<double> refused;  // per column: weight outside the support; a fold cannot stop to complain
    static constexpr auto fields =
        FieldTuple{field("columns", &FamilyPart::columns), field("family", &FamilyPart::family),
                   field("by_class", &FamilyPart::by_class), field("refused", &FamilyPart::refused)};
    bool operator==(const FamilyPart&) const = default;

    FamilyPart() = default;
    FamilyPart(const Schema& schema, std::vector<std::uint32_t> which)
        : columns(std::move(which)), family(columns.size()), refused(columns.size()) {
        for (std::size_t k = 0; k < columns.size(); ++k)
            recode_levels(family[k], {{}, static_cast<std::uint32_t>(schema.columns[columns[k]].levels.size())});
        by_class.assign(schema.classes.size(), empties());
    }
    FamilyPart blank() const {
        FamilyPart fresh = *this;
        fresh.by_class.assign(by_class.size(), empties());
        fresh.refused.assign(refused.size(), 0.0);
        return fresh;
    }
    double weight() const { return by_class.weight(); }
    void observe(const Block& block, const Membership& membership, Workspace& workspace) {
        if constexpr (std::same_as<F, Bernoulli>) {
            if (observe_bytes(*this, block, membership, workspace)) return;
            if (const auto* sparse = std::get_if<SparseBlock>(&block);
                sparse != nullptr && sparse->column_count == columns.size())
                return observe_entries(*this, *sparse, membership);
        }
        if constexpr (std::same_as<F, Gaussian>)
            if (observe_floats(*this, block, membership, workspace)) return;
        observe_columns(*this, rows_of(block, columns, workspace.of<GatherScratch>().values), membership, workspace);
    }
    void merge(const FamilyPart& from) {
        by_class.merge(from.by_class);
        add_sums(refused, from.refused);
    }
    void remove(const FamilyPart& rows) {
        by_class.remove(rows.by_class);
        remove_sums(refused, rows.refused);
    }
    void scale(double factor) {
        by_class.scale(factor);
        scale_sums(refused, factor);
    }
    void recode(const Recoding& recoding) {
        for (std::size_t k = 0; k < columns.size(); ++k) {
            if (recoding.levels[columns[k]].is_identity()) continue;
            recode_levels(family[k], recoding.levels[columns[k]]);
            for (auto& row : by_class) recode_levels(row[k], recoding.levels[columns[k]]);
        }
        if (!recoding.classes.is_identity()) by_class.recode(recoding.classes, empties());
    }
    bool valid(const Schema& schema) const {
        bool good = schema.holds(columns) && family.size() == columns.size() && refused.size() == columns.size() &&
                    by_class.size() == schema.classes.size();
        if (!good) return false;
        for (std::size_t k = 0; k < columns.size(); ++k)
            good = good && levels_of(family[k], schema.columns[columns[k]].levels.size()) == family[k];
        for (const auto& row : by_class) {
            good = good && row.size() == columns.size();
            for (std::size_t k = 0; good && k < row.size(); ++k) good = family[k].valid(row[k]);
        }
        return good;
    }
    std::size_t footprint(const Schema& schema) const {
        std::size_t row = 0;
        for (auto column : columns)
            row += sizeof(ColumnStatistic) + schema.columns[column].levels.size() * sizeof(double);
        return row * by_class.size();
    }
    Result<void> refuses(const Schema& schema) const {
        for (std::size_t k = 0; k < columns.size(); ++k)
            if (refused[k] > 0)
                return Error("there are values that " + std::string(name) + " does not allow; it takes " +
                             std::string(F::support))
                    .in_column(schema.columns[columns[k]].name);
        return {};
    }
    std::vector<double> level_weight(std::uint32_t column, [[maybe_unused]] std::size_t level_count) const {
        std::vector<double> weight;
        if constexpr (requires(ColumnStatistic s) { s.level_weight; }) {
            const auto found = std::ranges::find(columns, column);
            if (found == columns.end()) return weight;
            weight.resize(level_count);
            for (const auto& row : by_class)
                add_sums(weight, row[static_cast<std::size_t>(found - columns.begin())].level_weight);
        }
        return weight;
    }
    Result<Estimated> estimate(const Settings& settings, const Schema& schema) const {
        if (auto refusal = refuses(schema); !refusal) return refusal.error();
        return estimate_columns(*this, settings, schema);
    }
    // Columns by position, with what was seen of them.
    FamilyPart select(const std::vector<std::size_t>& which) const {
        FamilyPart some;
        some.by_class.resize(by_class.size());
        for (auto k : which) {
            some.columns.push_back(columns[k]);
            some.family.push_back(family[k]);
            some.refused.push_back(refused[k]);
            for (std::size_t c = 0; c < by_class.size(); ++c) some.by_class[c].push_back(by_class[c][k]);
        }
        return some;
    }
    // Over all classes.
    ColumnStatistic whole(std::size_t k) const {
        ColumnStatistic all = family[k].empty();
        for (const auto& row : by_class) all.merge(row[k]);
        return all;
    }
    // A class in which the column was never seen: the column shall tell nothing about it, so all classes' rows stand
    // in.
    const ColumnStatistic& seen(std::size_t c, std::size_t k, const ColumnStatistic& all) const {
        return by_class[c][k].weight() > 0 ? by_class[c][k] : all;
    }

    Several<ColumnStatistic> empties() const {
        Several<ColumnStatistic> row;
        for (const F& shape : family) row.push_back(shape.empty());
        return row;
    }

private:
    static F levels_of(F shape, std::size_t count) {
        recode_levels(shape, {{}, static_cast<std::uint32_t>(count)});
        return shape;
    }
};

}  // namespace suffice
