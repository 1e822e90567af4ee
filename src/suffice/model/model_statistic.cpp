// Combines the statistics of a whole model.
#include "suffice/model/model_statistic.hpp"

#include <algorithm>
#include <numeric>

#include "suffice/encode/names.hpp"
#include "suffice/family/sums.hpp"
#include "suffice/part/widen.hpp"

namespace suffice {

ModelStatistic ModelStatistic::blank() const {
    ModelStatistic fresh(schema, {});
    for (const Part& part : parts) fresh.parts.push_back(part.blank());
    return fresh;
}

double ModelStatistic::weight() const { return std::accumulate(class_weight.begin(), class_weight.end(), 0.0); }

void ModelStatistic::observe(const Block& block, const Membership& membership, Workspace& workspace) {
    if (membership.share == nullptr && membership.weight.empty()) {  // whole numbers, counted as such
        std::vector<std::uint32_t> count(class_weight.size() + 1);   // the first: rows of no class
        for (const std::int32_t code : membership.code) ++count[static_cast<std::size_t>(code + 1)];
        for (std::size_t c = 0; c < class_weight.size(); ++c) class_weight[c] += count[c + 1];
    } else {
        for (std::size_t row = 0, end = row_count(block); row < end; ++row)
            membership.for_each_class(row, [&](std::size_t c, double weight) { class_weight[c] += weight; });
    }
    for (Part& part : parts) part.observe(block, membership, workspace);
}

void ModelStatistic::widen(const Schema& names) {
    for (std::uint32_t k = 0; k < schema.columns.size(); ++k)
        if (schema.columns[k].kind == ColumnKind::flag && names.columns[k].kind == ColumnKind::number) {
            widen_flag(parts, k, schema);
            schema.columns[k].kind = ColumnKind::number;
        }
}

void ModelStatistic::grow(const Schema& names) {
    widen(names);
    bool larger = names.classes.size() > schema.classes.size();
    for (std::size_t k = 0; k < schema.columns.size(); ++k)
        larger = larger || names.columns[k].levels.size() > schema.columns[k].levels.size();
    if (!larger) return;
    const auto extended = [](std::size_t old_count, std::size_t new_count) {
        CodeMap map{std::vector<std::uint32_t>(old_count), static_cast<std::uint32_t>(new_count)};
        std::iota(map.to.begin(), map.to.end(), 0u);
        return map;
    };
    Recoding growth{extended(schema.classes.size(), names.classes.size()), {}};
    for (std::size_t k = 0; k < schema.columns.size(); ++k)
        growth.levels.push_back(extended(schema.columns[k].levels.size(), names.columns[k].levels.size()));
    recode(growth, names);
}

void ModelStatistic::merge(const ModelStatistic& from) {
    if (schema != from.schema) {
        widen(from.schema);
        ModelStatistic other = from;
        other.widen(schema);
        const auto united = unite(schema, other.schema);
        recode(united.value().left, united->schema);
        other.recode(united->right, united->schema);
        return merge(other);
    }
    add_sums(class_weight, from.class_weight);
    parts.merge(from.parts);
    log_likelihood += from.log_likelihood;
    unlabeled_weight += from.unlabeled_weight;
}

void ModelStatistic::remove(const ModelStatistic& rows) {
    remove_sums(class_weight, rows.class_weight);
    parts.remove(rows.parts);
    unlabeled_weight = difference(unlabeled_weight, rows.unlabeled_weight);
}

void ModelStatistic::scale(double factor) {
    scale_sums(class_weight, factor);
    parts.scale(factor);
    unlabeled_weight *= factor;
}

void ModelStatistic::recode(const Recoding& recoding, const Schema& united) {
    if (!recoding.classes.is_identity()) class_weight = recoding.classes.spread(class_weight);
    for (Part& part : parts) part.recode(recoding);
    schema = united;
}

void ModelStatistic::tidy() {
    Schema sorted = schema;
    sorted.classes.clear();
    for (std::size_t c = 0; c < class_weight.size(); ++c)
        if (class_weight[c] > 0) sorted.classes.push_back(schema.classes[c]);
    sort_names(sorted.classes);
    Recoding recoding{map_codes(schema.classes, sorted.classes), {}};
    for (std::uint32_t k = 0; k < schema.columns.size(); ++k) {
        const Column& column = schema.columns[k];
        std::vector<double> weight(column.levels.size());
        bool counted = false;
        for (const Part& part : parts) {
            const auto more = part.level_weight(k, column.levels.size());
            counted = counted || !more.empty();
            add_sums(weight, more);
        }
        std::vector<std::string> kept;
        for (std::size_t level = 0; level < column.levels.size(); ++level)
            if (!counted || weight[level] > 0 || level < column.declared_levels) kept.push_back(column.levels[level]);
        if (column.declared_levels == 0) sort_names(kept);
        recoding.levels.push_back(map_codes(column.levels, kept));
        sorted.columns[k].levels = std::move(kept);
    }
    recode(recoding, sorted);
}

std::size_t ModelStatistic::footprint() const {
    std::size_t sum = 0;
    for (const Part& part : parts) sum += part.footprint(schema);
    return sum;
}

bool ModelStatistic::valid() const {
    return class_weight.size() == schema.classes.size() &&
           std::ranges::all_of(class_weight, [](double w) { return w >= 0; }) &&
           std::ranges::all_of(parts, [&](const Part& part) { return part.valid(schema); });
}

}  // namespace suffice
