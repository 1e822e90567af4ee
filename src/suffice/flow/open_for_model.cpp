// Matches the columns of files with the columns of a model.
#include <algorithm>
#include <unordered_map>

#include "suffice/encode/chosen_rows.hpp"
#include "suffice/flow/column_names.hpp"
#include "suffice/flow/open_data.hpp"
#include "suffice/flow/reading.hpp"

namespace suffice {
namespace {

const Remedy may_be_missing{"allow_missing_columns", "true", "use", "to treat it as missing"};

// How the columns of a table are found for a model: what each of its columns, its target and weight, and kept ones are.
class Matching {
public:
    Matching(OpenedData& opened, const ApplyOptions& options)
        : opened_(opened),
          options_(options),
          found_(opened.reader->columns()),
          file_(first_file(*opened.reader)),
          model_column_(found_.size(), -1) {
        plan.names_grow = options.names_grow;
        plan.one_class = options.one_class;
    }

    ColumnPlan plan;

    Result<void> columns();
    Result<void> target();
    Result<void> weight();
    Result<std::vector<std::uint32_t>> kept() const;
    void want(const std::vector<std::uint32_t>& kept);

private:
    // Of several files each must have the column, unless it may be missing.
    Result<void> in_all_files(std::uint32_t column) const {
        if (found_[column].lacked_by.empty() || options_.allow_missing_columns) return {};
        return Error("there is no column " + found_[column].name)
            .advise(may_be_missing)
            .in_file(found_[column].lacked_by);
    }

    OpenedData& opened_;
    const ApplyOptions& options_;
    const std::vector<FoundColumn>& found_;
    const std::string& file_;
    std::vector<std::int64_t> model_column_;  // the first that each column of the table is, or none
    std::optional<std::uint32_t> target_;
};

Result<void> Matching::columns() {
    std::unordered_map<std::string_view, std::uint32_t> by_name;
    for (std::uint32_t k = 0; k < found_.size(); ++k) by_name.try_emplace(found_[k].name, k);
    for (const auto& column : opened_.schema.columns) {
        const auto named = by_name.find(column.name);
        auto seen = named != by_name.end() ? std::optional(named->second) : find_column(found_, column.name);
        const auto part = seen ? std::nullopt : part_named(column.name);
        if (part) seen = find_column(found_, part->column);
        plan.dates.push_back({});
        if (part && seen) plan.dates.back() = {part->part, puts_day_first(found_[*seen], options_.read)};
        if (!seen && !options_.allow_missing_columns)
            return no_column(column.name, found_, file_, false).advise(may_be_missing);
        if (seen)
            if (auto there = in_all_files(*seen); !there) return there.error();
        if (seen && model_column_[*seen] < 0) model_column_[*seen] = static_cast<std::int64_t>(plan.columns.size());
        plan.columns.push_back(seen ? static_cast<std::int64_t>(*seen) : -1);
    }
    return {};
}

Result<void> Matching::target() {
    target_ = find_column(found_, opened_.schema.target);
    if (options_.nameless_class && !target_) {
        opened_.schema.classes = {""};
        plan.one_class = true;
    }
    if (options_.need_target && !target_)
        return no_column(opened_.schema.target.empty() ? "with the classes" : opened_.schema.target, found_, file_,
                         false);
    if (!target_) return {};
    const auto there = in_all_files(*target_);
    if (!there && options_.need_target) return there.error();
    if (there) plan.target = *target_;
    return {};
}

Result<void> Matching::weight() {
    if (options_.weight.empty()) return {};
    const auto weight = find_column(found_, options_.weight);
    if (!weight) return no_column(options_.weight, found_, file_);
    if (*weight == plan.target) return weight_is_target(options_.weight);
    if (auto there = in_all_files(*weight); !there) return there.error();
    plan.weight = *weight;
    return {};
}

Result<std::vector<std::uint32_t>> Matching::kept() const {
    auto kept = find_columns(found_, options_.keep, file_);
    if (!kept) return kept.error();
    for (const auto column : *kept)
        if (auto there = in_all_files(column); !there) return there.error();
    return kept;
}

// Tells the reader what to read of each column, and the user which are ignored.
void Matching::want(const std::vector<std::uint32_t>& kept) {
    std::string extra;
    std::size_t extra_count = 0;
    for (std::uint32_t k = 0; k < found_.size(); ++k) {
        if (model_column_[k] >= 0) {
            const auto column = static_cast<std::size_t>(model_column_[k]);
            const ColumnKind kind = opened_.schema.columns[column].kind;
            opened_.reader->want(k, true, plan.is_date(column) ? ColumnKind::category : kind);
        } else if (k == plan.target || std::ranges::find(kept, k) != kept.end()) {
            opened_.reader->want(k, true, ColumnKind::category);
        } else if (k == plan.weight) {
            opened_.reader->want(k, true, ColumnKind::number);
        } else {
            opened_.reader->want(k, false, found_[k].kind);
            if (target_ == k) continue;
            if (++extra_count <= 5) extra += (extra.empty() ? "" : ", ") + found_[k].name;
        }
    }
    if (extra_count > 0)
        opened_.notes.push_back("columns that the model does not know were ignored: " + extra +
                                (extra_count > 5 ? ", ..." : ""));
}

}  // namespace

Result<AppliedData> open_for_model(const Model& model, const Data& data, const ApplyOptions& options) {
    ApplyOptions own = options;
    own.read = remembered(options.read, model.seen().reading);
    return open_for_names(model.schema(), data, own);
}

Result<AppliedData> open_for_names(const Schema& names, const Data& data, const ApplyOptions& options) {
    ReadOptions read = options.read;
    read.other_columns = true;
    auto reader = open_rows(data, read, options.many_passes || options.weight_kind == WeightKind::importance);
    if (!reader) return reader.error();
    return open_for_names(names, std::move(*reader), options);
}

Result<AppliedData> open_for_names(const Schema& names, std::unique_ptr<TableReader> reader,
                                   const ApplyOptions& options) {
    AppliedData applied;
    OpenedData& opened = applied.data;
    opened.reader = std::move(reader);
    opened.schema = names;
    Matching matching(opened, options);
    if (auto matched = matching.columns(); !matched) return matched.error();
    if (auto matched = matching.target(); !matched) return matched.error();
    if (auto matched = matching.weight(); !matched) return matched.error();
    auto kept = matching.kept();
    if (!kept) return kept.error();
    applied.kept = std::move(*kept);
    matching.want(applied.kept);
    opened.stream = std::make_unique<TableStream>(*opened.reader, std::move(matching.plan), opened.schema);
    if (options.weight_kind == WeightKind::importance)
        if (auto taken = take_importance(opened); !taken) return taken.error();
    return applied;
}

}  // namespace suffice
