// Groups around centres of any distance: a fit that goes over rows held in memory.
#include "suffice/accumulate/in_order.hpp"
#include "suffice/flow/cluster_finders.hpp"

namespace suffice {
namespace {

struct RowsInMemory {
    Matrix rows;
    std::vector<double> weight;  // empty: one each

    LabeledBlock block() const {
        const auto width = static_cast<std::ptrdiff_t>(rows.column_count);
        return {
            DenseBlock{rows.values.data(), Element::f64, rows.row_count, rows.column_count, width, 1}, {}, weight, 0};
    }
};

void append(RowsInMemory& into, const LabeledBlock& block) {
    for (std::size_t row = 0; row < block.size(); ++row) {
        for (std::size_t j = 0; j < into.rows.column_count; ++j)
            into.rows.values.push_back(value_at(block.rows, row, j));
        if (!block.weight.empty()) into.weight.push_back(block.weight[row]);
    }
    into.rows.row_count += block.size();
}

Result<RowsInMemory> hold_rows(const ClusterOptions& options, const Schema& schema, Stream& stream,
                               const Context& context) {
    if (options.least != options.most)
        return Error(ErrorKind::usage, options.model + " has no BIC to choose k by; give one number");
    for (const Column& column : schema.columns)
        if (column.kind == ColumnKind::category || column.kind == ColumnKind::text)
            return Error(ErrorKind::usage, "clustering takes numbers only").in_column(column.name);
    if (auto again = stream.rewind(); !again) return again.error();
    RowsInMemory all;
    all.rows.column_count = schema.columns.size();
    const auto read = map_in_order(
        stream, context,
        [&](const LabeledBlock& block, const Stream::Drawn&, const Stream::Lane&, Workspace&) -> Result<RowsInMemory> {
            RowsInMemory part;
            part.rows.column_count = schema.columns.size();
            append(part, block);
            return part;
        },
        [&](const RowsInMemory& part) -> Result<void> {
            append(all, part.block());
            return {};
        });
    if (!read) return read.error();
    return all;
}

}  // namespace

Result<FoundGroups> find_centres(const ClusterOptions& options, const Schema& schema, Stream& stream,
                                 const Context& context) {
    if (options.posteriors)
        return Error(ErrorKind::usage, "k_means has no posteriors").advise({"model", "gaussian_mixture"});
    const auto held = hold_rows(options, schema, stream, context);
    if (!held) return held.error();
    CentreClusterSettings settings;
    settings.centre_count = options.most;
    settings.distance = *options.distance;
    if (options.starts > 0) settings.starts = options.starts;
    settings.follow = options.follow;
    if (options.step_limit > 0) settings.step_limit = options.step_limit;
    auto fit = fit_centre_clusters(held->rows, held->weight, settings, context);
    if (!fit) return fit.error();
    FoundGroups found;
    Clustered& told = found.told;
    told.groups = options.most;
    told.objective = fit->cost;
    told.objective_name = "sum of distances";
    told.steps = fit->steps;
    told.notes = fit->notes;
    told.path = fit->path;
    told.path.push_back(fit->cost);
    for (const Matrix& each : fit->followed) told.followed.push_back(group_step(each));
    told.weight.assign(options.most, 0.0);
    for (std::size_t row = 0; row < fit->nearest.size(); ++row)
        told.weight[static_cast<std::size_t>(fit->nearest[row])] += held->weight.empty() ? 1.0 : held->weight[row];
    found.assign = [model = std::move(*fit)](const LabeledBlock& block) -> Result<BlockGroups> {
        RowsInMemory rows;
        rows.rows.column_count = model.centres.column_count;
        append(rows, block);
        Context alone;
        alone.thread_count = 1;
        auto codes = model.predict(rows.rows, alone);
        if (!codes) return codes.error();
        return BlockGroups{std::move(*codes)};
    };
    return found;
}

}  // namespace suffice
