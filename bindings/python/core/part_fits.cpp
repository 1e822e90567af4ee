// Fits to streams of rows, and to rows that lie in parts: what Spark, Dask and any other engine carry is bytes.
#include "core/arrays.hpp"
#include "core/arrow_reader.hpp"
#include "core/bind.hpp"
#include "core/compare.hpp"
#include "core/fit_arguments.hpp"
#include "core/part_jobs.hpp"
#include "core/running.hpp"
#include "core/spelling.hpp"
#include "core/state.hpp"
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "suffice/flow/fit.hpp"
#include "suffice/flow/fit_by_passes.hpp"
#include "suffice/flow/lead_rounds.hpp"
#include "suffice/flow/parts.hpp"
#include "suffice/read/paths.hpp"

namespace suffice::python {
namespace {

nb::bytes bytes_of(const std::string& text) { return nb::bytes(text.data(), text.size()); }

// Rows: the paths of files, or what has an Arrow C stream.
std::unique_ptr<TableReader> reader_of(nb::handle rows, const std::string& name) {
    if (!nb::isinstance<nb::list>(rows)) return read_arrow_stream(rows, name).value();
    ReadOptions read;
    read.other_columns = true;
    return open_table(nb::cast<std::vector<std::string>>(rows), read, true).value();
}

ModelFile file_of(const nb::bytes& bytes) { return from_file_bytes({bytes.c_str(), bytes.size()}).value(); }

RoundsLog texts_of(const nb::list& all) {
    RoundsLog texts;
    for (const nb::handle each : all) {
        const auto bytes = nb::cast<nb::bytes>(each);
        texts.emplace_back(bytes.c_str(), bytes.size());
    }
    return texts;
}

// Runs without the interpreter's lock.
template <class Work>
auto unlocked(int threads, std::uint64_t seed, const Work& work) {
    const nb::gil_scoped_release release;
    const Running running(threads);
    Context context = running.context();
    context.seed = seed;
    return work(context);
}

nb::tuple fit_stream(nb::handle rows, const nb::dict& job, int threads) {
    FitOptions options = options_of(job);
    auto reader = reader_of(rows, {});
    const auto fitted =
        unlocked(threads, 0, [&](const Context& context) { return fit(std::move(reader), options, context); });
    return result_of(fitted.value());
}

// (blank model file, the job with what the look has settled, notes)
nb::tuple plan(nb::handle rows, const nb::dict& job) {
    FitOptions options = naming_options_of(job);
    if (const auto groups = groups_of(job)) options.model = groups->model == "mixture" ? "naive_bayes" : "gaussian_nb";
    const PartsPlan made = plan_parts(reader_of(rows, {}), options).value();
    nb::dict settled;
    for (const auto& [key, value] : job) settled[key] = value;
    nb::dict families;
    for (const FamilyChoice& each : made.options.families) families[each.column.c_str()] = each.family;
    nb::dict naming;  // of several models: each has its own families of columns
    nb::dict& into = job.contains("compare") || options_of(job).model == "auto" ? naming : settled;
    into["families"] = families;
    into["model"] = made.options.model;
    if (nb::len(naming) > 0) settled["naming"] = naming;
    settled["target"] = made.options.target;
    return nb::make_tuple(bytes_of(to_file_bytes(made.blank)), settled, told(made.notes, spell_keyword));
}

nb::bytes part_statistics(const nb::bytes& blank, nb::handle rows, const nb::dict& job, const std::string& name,
                          int threads) {
    const FitOptions options = options_of(job);
    check_one_pass(options).value();
    const ModelFile recipe = file_of(blank);
    auto reader = reader_of(rows, name);
    const auto made = unlocked(
        threads, 0, [&](const Context& context) { return statistics_of(recipe, std::move(reader), options, context); });
    return bytes_of(to_file_bytes(made.value()));
}

nb::list listed(const PartSums& sums) {
    nb::list all;
    for (const auto& [first, span, file] : sums) all.append(nb::make_tuple(first, span, bytes_of(to_file_bytes(file))));
    return all;
}

PartSums sums_of(const nb::list& listed) {
    PartSums sums;
    for (const nb::handle each : listed) {
        const auto sum = nb::cast<nb::tuple>(each);
        sums.push_back(
            {nb::cast<std::uint64_t>(sum[0]), nb::cast<std::uint64_t>(sum[1]), file_of(nb::cast<nb::bytes>(sum[2]))});
    }
    return sums;
}

// (first row, rows, model file) of blocks and of runs of 2, 4, 8 ... of them
nb::list part_sums(const nb::bytes& blank, nb::handle rows, std::uint64_t first_row, const nb::dict& job,
                   const std::string& name, int threads) {
    const FitOptions options = options_of(job);
    const ModelFile recipe = file_of(blank);
    auto reader = reader_of(rows, name);
    const auto made = unlocked(threads, 0, [&](const Context& context) {
        return block_statistics_of(recipe, std::move(reader), first_row, options, context);
    });
    return listed(made.value());
}

// The recipe of a part, or of a plan, without what it has seen.
nb::bytes blank_of(const nb::bytes& part) {
    ModelFile file = file_of(part);
    auto* state = std::get_if<ModelState>(&file.state);
    if (state == nullptr) throw Exception(Error(ErrorKind::usage, "these bytes are no statistics of rows"));
    state->statistic = state->statistic.blank();
    file.seen.rows = 0;
    return bytes_of(to_file_bytes(file));
}

nb::bytes merge_all(const nb::list& parts) {
    std::vector<ModelFile> files;
    for (const nb::handle each : parts) files.push_back(file_of(nb::cast<nb::bytes>(each)));
    return bytes_of(to_file_bytes(merge_parts(std::move(files)).value()));
}

std::uint64_t count_rows(const std::vector<std::string>& files) {
    const nb::gil_scoped_release release;
    const auto reader = open_table(files, {}).value();
    TableUnit unit;
    std::uint64_t rows = 0;
    while (reader->draw(unit).value()) rows += unit.row_count;
    return rows;
}

// (model file, notes)
nb::tuple finish(const nb::bytes& sum) {
    const Model model = finish_sum(file_of(sum)).value();
    return nb::make_tuple(bytes_of(to_file_bytes(model.file())), told(model.notes(), spell_keyword));
}

nb::bytes part_round(const nb::bytes& blank, const nb::dict& job, const nb::list& log, nb::handle rows,
                     std::uint64_t first_row, const std::string& name, int threads) {
    const RoundsJob whole = rounds_job(file_of(blank), job);
    const RoundsLog answers = texts_of(log);
    auto reader = reader_of(rows, name);
    const auto made = unlocked(threads, seed_of(job), [&](const Context& context) {
        return take_round(whole, answers, std::move(reader), first_row, context);
    });
    return bytes_of(made.value());
}

nb::object summary_of(const Clustered& told_of) {
    nb::dict all;
    all["groups"] = told_of.groups;
    all["weight"] = nb::cast(to_array(told_of.weight));
    all["objective"] = told_of.objective;
    all["steps"] = told_of.steps;
    all["path"] = nb::cast(to_array(told_of.path));
    all["notes"] = told(told_of.notes, spell_keyword);
    if (told_of.centres.row_count > 0)
        all["centres"] = nb::cast(
            to_array<double>(told_of.centres.values, {told_of.centres.row_count, told_of.centres.column_count}));
    return all;
}

nb::dict comparison_dict(const ComparedFiles& told_of) {
    nb::dict all;
    nb::list candidates;
    for (const Compared& each : told_of.models) candidates.append(compared_dict(each));
    all["candidates"] = candidates;
    all["nested"] = nested_dict(told_of.nested);
    all["notes"] = told(told_of.notes, spell_keyword);
    return all;
}

// (entries to append to the log, None while rounds go on; else the model with its notes, what was found of groups, and
// models compared, each of them or None)
nb::tuple next_round(const nb::bytes& blank, const nb::dict& job, const nb::list& log, const nb::list& parts,
                     int threads) {
    const RoundsJob whole = rounds_job(file_of(blank), job);
    const RoundsLog answers = texts_of(log), given = texts_of(parts);
    const auto led = unlocked(threads, seed_of(job),
                              [&](const Context& context) { return lead_round(whole, answers, given, context); });
    const RoundDone& done = led.value();
    nb::list added;
    for (const std::string& each : done.added) added.append(bytes_of(each));
    if (!done.model && !done.clustered && !done.compared) return nb::make_tuple(added, nb::none());
    nb::object model = nb::none(), groups = nb::none(), compared = nb::none();
    if (done.model) model = result_of(*done.model);
    if (done.clustered) groups = summary_of(*done.clustered);
    if (done.compared) compared = comparison_dict(*done.compared);
    return nb::make_tuple(added, nb::make_tuple(model, groups, compared));
}

}  // namespace

void bind_part_fits(nb::module_& module) {
    module.def("fit_stream", &fit_stream, nb::arg("rows"), nb::arg("job"), nb::arg("threads") = 0);
    module.def("takes_passes", [](const nb::dict& job) {
        const FitOptions options = options_of(job);
        return job.contains("groups") || job.contains("compare") || options.model == "auto" || takes_passes(options);
    });
    module.def("plan_parts", &plan, nb::arg("rows"), nb::arg("job"));
    module.def("part_statistics", &part_statistics, nb::arg("blank"), nb::arg("rows"), nb::arg("job"),
               nb::arg("name") = "", nb::arg("threads") = 0);
    module.def("part_sums", &part_sums, nb::arg("blank"), nb::arg("rows"), nb::arg("first_row"), nb::arg("job"),
               nb::arg("name") = "", nb::arg("threads") = 0);
    module.def("merge_sums", [](const nb::list& sums) { return listed(merge_sums(sums_of(sums)).value()); });
    module.def("merge_all_sums",
               [](const nb::list& sums) { return bytes_of(to_file_bytes(merge_all(sums_of(sums)).value())); });
    module.def("stream_block_rows", &stream_block_rows, nb::arg("column_count"));
    module.def("blank_part", &blank_of);
    module.def("merge_parts", &merge_all);
    module.def("count_rows", &count_rows);
    module.def("expand_paths", [](const std::vector<std::string>& paths) { return expand_paths(paths).value(); });
    module.def("finish_parts", &finish);
    module.def("part_round", &part_round, nb::arg("blank"), nb::arg("job"), nb::arg("log"), nb::arg("rows"),
               nb::arg("first_row"), nb::arg("name") = "", nb::arg("threads") = 0);
    module.def("lead_round", &next_round, nb::arg("blank"), nb::arg("job"), nb::arg("log"), nb::arg("parts"),
               nb::arg("threads") = 0);
}

}  // namespace suffice::python
