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

namespace {

// Names are only ever added behind those known, so that growing costs what is new.
CodeMap append_names(std::vector<std::string>& known, const std::vector<std::string>& names) {
    CodeMap map{std::vector<std::uint32_t>(known.size()), static_cast<std::uint32_t>(names.size())};
    std::iota(map.to.begin(), map.to.end(), 0u);
    known.insert(known.end(), names.begin() + static_cast<std::ptrdiff_t>(known.size()), names.end());
    return map;
}

}  // namespace

void ModelStatistic::grow(const Schema& names) {
    widen(names);
    bool larger = names.classes.size() > schema.classes.size();
    for (std::size_t k = 0; k < schema.columns.size(); ++k)
        larger = larger || names.columns[k].levels.size() > schema.columns[k].levels.size();
    if (!larger) return;
    Recoding growth{append_names(schema.classes, names.classes), {}};
    for (std::size_t k = 0; k < schema.columns.size(); ++k) {
        growth.levels.push_back(append_names(schema.columns[k].levels, names.columns[k].levels));
        schema.columns[k].declared_levels = names.columns[k].declared_levels;
    }
    recode(growth);
}

void ModelStatistic::merge(const ModelStatistic& from) {
    unlabeled_weight += from.unlabeled_weight;
    log_likelihood += from.log_likelihood;
    if (schema == from.schema) {
        add_sums(class_weight, from.class_weight);
        parts.merge(from.parts);
        return;
    }
    widen(from.schema);
    ModelStatistic copy;
    const ModelStatistic* rows = &from;
    for (std::size_t k = 0; k < from.schema.columns.size(); ++k)
        if (from.schema.columns[k].kind != schema.columns[k].kind && rows == &from) {
            copy = from;
            copy.widen(schema);
            rows = &copy;
        }
    United united = unite(schema, rows->schema).value();
    schema = std::move(united.schema);
    recode(united.left);
    add_sums(class_weight, united.right.classes.spread(rows->class_weight));
    for (std::size_t k = 0; k < parts.size(); ++k) parts[k].merge(rows->parts[k], united.right);
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

void ModelStatistic::recode(const Recoding& recoding, Schema united) {
    schema = std::move(united);
    recode(recoding);
}

void ModelStatistic::recode(const Recoding& recoding) {
    if (!recoding.classes.is_identity()) class_weight = recoding.classes.spread(class_weight);
    for (Part& part : parts) part.recode(recoding);
}

void ModelStatistic::tidy() {
    const auto has_weight = [this](std::size_t c) { return class_weight[c] > 0; };
    Recoding recoding{leave_names(schema.classes, has_weight, true), {}};
    for (std::uint32_t k = 0; k < schema.columns.size(); ++k) {
        Column& column = schema.columns[k];
        std::vector<double> weight(column.levels.size());
        bool counted = false;
        for (const Part& part : parts) {
            const auto more = part.level_weight(k, column.levels.size());
            counted = counted || !more.empty();
            add_sums(weight, more);
        }
        const auto kept = [&](std::size_t level) {
            return !counted || weight[level] > 0 || level < column.declared_levels;
        };
        recoding.levels.push_back(leave_names(column.levels, kept, column.declared_levels == 0));
    }
    recode(recoding);
}

std::size_t ModelStatistic::footprint() const {
    std::size_t sum = 0;
    for (const Part& part : parts) sum += part.footprint(schema);
    return sum;
}

bool ModelStatistic::valid() const {
    return class_weight.size() == schema.classes.size() &&
           std::ranges::all_of(schema.columns, [](const Column& each) { return each.kind <= ColumnKind::text; }) &&
           std::ranges::all_of(class_weight, [](double w) { return w >= 0; }) &&
           std::ranges::all_of(parts, [&](const Part& part) { return part.valid(schema); });
}

}  // namespace suffice
