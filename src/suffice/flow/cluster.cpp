// Reads files, has groups found in them, and writes the group of each row.
#include "suffice/flow/cluster.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <numeric>

#include "suffice/accumulate/held_stream.hpp"
#include "suffice/accumulate/in_order.hpp"
#include "suffice/base/guarded.hpp"
#include "suffice/encode/names.hpp"
#include "suffice/flow/cluster_finders.hpp"
#include "suffice/flow/column_names.hpp"
#include "suffice/flow/where.hpp"

namespace suffice {
namespace {

constexpr std::array<std::array<std::string_view, 2>, 4> group_models{
    {{"gaussian_mixture", "gmm"},
     {"k_means", "kmeans"},
     {"mixture", ""},
     {"variational_mixture", "bayesian_gaussian_mixture"}}};

}  // namespace

Result<std::string> cluster_model(std::string_view name) {
    std::vector<std::string> known;
    for (const auto& [canonical, alias] : group_models) {
        if (name == canonical || (!alias.empty() && name == alias)) return std::string(canonical);
        known.emplace_back(canonical);
    }
    const auto near = nearest_name(std::string(name), known);
    return Error(ErrorKind::usage,
                 "cluster has no model " + std::string(name) +
                     (near.empty() ? "; it has gaussian_mixture, k_means, mixture and variational_mixture"
                                   : "; did you mean " + near + "?"));
}

Result<std::vector<std::int32_t>> read_start(const std::string& path) {
    std::ifstream file(path);
    if (!file) return Error(ErrorKind::io, "cannot read " + path);
    std::vector<std::int32_t> groups;
    std::string line;
    std::getline(file, line);
    for (std::size_t number = 2; std::getline(file, line); ++number) {
        std::int32_t group = 0;
        const auto [end, problem] = std::from_chars(line.data(), line.data() + line.size(), group);
        const bool whole = end == line.data() + line.size() || *end == ',' || *end == '\r';
        if (problem != std::errc{} || !whole || group < 0)
            return Error(path + " line " + std::to_string(number) +
                         ": a start has the header cluster and the number of a group in each line, from 0");
        groups.push_back(group);
    }
    if (groups.empty()) return Error(path + " has no rows to start from");
    return groups;
}

Result<Clustered> cluster(const Data& data, const ClusterOptions& options, const TextSink& sink,
                          const Context& context) {
    return guarded([&]() -> Result<Clustered> {
        FitOptions wishes = options.fit;
        wishes.has_classes = false;
        wishes.model = options.model == "mixture" ? "naive_bayes" : "gaussian_nb";
        auto opened = open_for_fit(data, wishes);
        if (!opened) return opened.error();
        if (options.online) return cluster_online(*opened, options, sink, context);
        const auto names = feed(make_state({.model = "naive_bayes"}, opened->schema).value(), *opened->stream, context);
        if (!names) return in_data(names.error(), *opened->reader);
        Schema schema = names->statistic.schema;
        TableStream stream = opened->stream->without_labels(schema);
        schema.classes.clear();
        ClusterOptions own = options;
        own.fit = opened->options;
        const auto held = HeldStream::hold(stream, context);
        if (!held) return in_data(held.error(), *opened->reader);
        Stream& rows = *held ? **held : stream;
        auto found = find_groups(own, schema, rows, context);
        if (!found) return in_data(found.error(), *opened->reader);
        Clustered told = std::move(found->told);
        told.schema = schema;

        if (auto written = sink(group_header(told.weight.size(), options.posteriors)); !written) return written.error();
        if (auto again = stream.rewind(); !again) return again.error();
        const auto done = map_in_order(
            stream, context,
            [&](const LabeledBlock& block, const Stream::Drawn&, const Stream::Lane& lane,
                Workspace&) -> Result<std::string> {
                const auto groups = found->assign(block);
                if (!groups) return groups.error();
                return group_lines(*groups, TableStream::unit_of(lane).skipped_before);
            },
            [&](const std::string& text) { return sink(text); });
        if (!done) return in_data(done.error(), *opened->reader);
        if (found->state) {
            const double total = std::accumulate(told.weight.begin(), told.weight.end(), 0.0);
            auto model = mixture_model(std::move(*found->state), total, opened->reader->files());
            if (!model) return model.error();
            told.model = std::move(*model);
        }
        if (const auto skipped = opened->reader->skipped_rows(); skipped > 0)
            told.notes.push_back(std::to_string(skipped) + " ragged rows were skipped");
        told.notes.insert(told.notes.end(), opened->notes.begin(), opened->notes.end());
        return told;
    });
}

Result<GroupedRows> cluster(const Data& data, const ClusterOptions& options, const Context& context) {
    return guarded([&]() -> Result<GroupedRows> {
        std::string lines;
        auto found = cluster(
            data, options,
            [&](std::string_view text) -> Result<void> {
                lines += text;
                return {};
            },
            context);
        if (!found) return found.error();
        GroupedRows made{std::move(*found)};
        std::vector<double> shares;
        const char *at = lines.data() + lines.find('\n') + 1, *end = lines.data() + lines.size();
        for (std::int32_t group = 0; at < end; ++at) {
            const auto read = std::from_chars(at, end, group);
            if (read.ec != std::errc{}) {  // of a row that was skipped
                at = std::find(at, end, '\n');
                continue;
            }
            at = read.ptr;
            made.group.push_back(group);
            for (double share = 0; at < end && *at == ','; shares.push_back(share))
                at = std::from_chars(at + 1, end, share).ptr;
        }
        if (options.posteriors) made.posteriors = Matrix(made.group.size(), made.found.groups);
        std::ranges::copy(shares, made.posteriors.values.begin());
        return made;
    });
}

}  // namespace suffice
