// Groups of rows that are read once: the first batch is fitted, and stepwise EM goes on from there.
#include <algorithm>
#include <cmath>

#include "suffice/accumulate/held_stream.hpp"
#include "suffice/data/for_each_block.hpp"
#include "suffice/flow/cluster_finders.hpp"
#include "suffice/flow/where.hpp"

namespace suffice {
namespace {

// Scores rows by the model as it stands, writes their groups and keeps account.
class GroupWriter {
public:
    GroupWriter(const TextSink& sink, std::size_t groups, bool posteriors)
        : sink_(sink), groups_(groups), posteriors_(posteriors) {}

    Result<void> header() const { return sink_(group_header(groups_, posteriors_)); }
    Result<void> write(const Classifier& model, const LabeledBlock& block, std::span<const std::uint32_t> skipped) {
        evidence_.resize(block.size());
        const auto groups = component_groups(model, block, posteriors_, evidence_.data());
        if (!groups) return groups.error();
        for (std::size_t row = 0; row < block.size(); ++row) {
            total_weight += block.weight_of(row);
            log_likelihood += block.weight_of(row) * evidence_[row];
        }
        return sink_(group_lines(*groups, skipped));
    }

    double total_weight = 0, log_likelihood = 0;

private:
    const TextSink& sink_;
    std::size_t groups_;
    bool posteriors_;
    std::vector<double> evidence_;
};

using Skipped = std::vector<std::uint32_t>;  // before which rows of a unit ragged ones stood

// Those of some rows of a unit, counted from the first of them; what stood behind all rows goes with the last.
Skipped skipped_among(const Skipped& all, std::size_t first, std::size_t count, bool last) {
    Skipped own;
    for (const std::uint32_t at : all)
        if (at >= first && (last || at < first + count)) own.push_back(at - static_cast<std::uint32_t>(first));
    return own;
}

// Units held in memory, with the ragged rows that each of them lacks.
struct HeldUnits {
    HeldStream rows;
    std::vector<Skipped> skipped;

    void add(const LabeledBlock& block, const Stream::Lane& lane, Skipped without) {
        rows.add(block, lane);
        skipped.push_back(std::move(without));
    }
    // visit(block, skipped) of each unit in order.
    template <class Visit>
    Result<void> for_each(Visit visit) {
        if (auto again = rows.rewind(); !again) return again;
        auto without = skipped.begin();
        return for_each_block(rows, [&](const LabeledBlock& block, const Stream::Lane&) -> Result<bool> {
            if (auto visited = visit(block, *without++); !visited) return visited.error();
            return true;
        });
    }
};

struct FirstBatch {
    HeldUnits fitted, rest;  // `rest` came with the last unit
    Schema names;
};

Result<void> read_first(Stream& stream, std::size_t batch_rows, FirstBatch& into) {
    into.names = stream.lane()->names;
    std::size_t rows = 0;
    return for_each_block(stream, [&](LabeledBlock& block, const Stream::Lane& lane) -> Result<bool> {
        block.label = {};
        const std::size_t count = std::min(block.size(), batch_rows - rows);
        const Skipped& skipped = TableStream::unit_of(lane).skipped_before;
        const std::size_t later = block.size() - count;
        into.fitted.add(block.slice(0, count), lane, skipped_among(skipped, 0, count, later == 0));
        if (later > 0) into.rest.add(block.slice(count, later), lane, skipped_among(skipped, count, later, true));
        into.names = lane.names;
        rows += count;
        return rows < batch_rows;
    });
}

Result<void> check(const ClusterOptions& options) {
    if (options.least != options.most || options.shapes.front() == ComponentShape::any)
        return Error(ErrorKind::usage, "learning online reads the rows once, so k and the covariance are one each");
    if (options.online->batch_rows < options.most)
        return Error(ErrorKind::usage, "a batch must have at least as many rows as there are groups");
    return options.online->check();
}

}  // namespace

Result<Clustered> cluster_online(OpenedData& opened, const ClusterOptions& options, const TextSink& sink,
                                 const Context& context) {
    if (auto checked = check(options); !checked) return checked.error();
    const TableReader& reader = *opened.reader;
    opened.reader->stop_keeping();
    FirstBatch first;
    if (auto read = read_first(*opened.stream, options.online->batch_rows, first); !read)
        return in_data(read.error(), reader);
    first.names.classes.clear();
    ClusterOptions own = options;
    own.fit = opened.options;
    auto fit = fit_components(own, first.names, first.fitted.rows, context);
    if (!fit) return in_data(fit.error(), reader);
    auto online = OnlineMixture::from(std::move(fit->best.model), *options.online);
    if (!online) return online.error();

    GroupWriter writer(sink, options.most, options.posteriors);
    if (auto written = writer.header(); !written) return written.error();
    const auto write = [&](const LabeledBlock& block, const Skipped& skipped) {
        return writer.write(online->model(), block, skipped);
    };
    const auto learn = [&](const LabeledBlock& block, const Skipped& skipped) -> Result<void> {
        for (std::size_t at = 0; at < block.size();) {
            const std::size_t count = std::min(block.size() - at, online->room());
            const LabeledBlock rows = block.slice(at, count);
            const auto own = skipped_among(skipped, at, count, at + count == block.size());
            if (auto written = write(rows, own); !written) return written;
            if (auto added = online->add(rows, context); !added) return added;
            at += count;
        }
        return {};
    };
    if (auto written = first.fitted.for_each(write); !written) return written.error();
    if (auto learned = first.rest.for_each(learn); !learned) return in_data(learned.error(), reader);
    TableStream rest = opened.stream->without_labels(first.names);
    first = {};
    Clustered told;
    const auto learn_unit = [&](const LabeledBlock& block, const Stream::Lane& lane) -> Result<bool> {
        if (auto learned = learn(block, TableStream::unit_of(lane).skipped_before); !learned) return learned.error();
        return true;
    };
    if (auto learned = for_each_block(rest, learn_unit, context); !learned) return in_data(learned.error(), reader);
    if (auto last = online->finish(); !last) return in_data(last.error(), reader);

    const Classifier& model = online->model();
    told.groups = options.most;
    for (const double log_share : model.log_prior()) told.weight.push_back(std::exp(log_share) * writer.total_weight);
    told.objective = writer.log_likelihood;
    told.objective_name = "log-likelihood of the rows as they came";
    told.steps = fit->best.steps + online->step_count();
    auto saved = mixture_model(model.state(), writer.total_weight, reader.files());
    if (!saved) return saved.error();
    told.model = std::move(*saved);
    told.notes = fit->best.notes;
    if (reader.skipped_rows() > 0)
        told.notes.push_back(std::to_string(reader.skipped_rows()) + " ragged rows were skipped");
    told.notes.insert(told.notes.end(), opened.notes.begin(), opened.notes.end());
    return told;
}

}  // namespace suffice
