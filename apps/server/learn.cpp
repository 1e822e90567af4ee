// Changes of models, from requests and from the log alike.
#include "server/learn.hpp"

#include <charconv>
#include <cmath>
#include <filesystem>

#include "server/predict.hpp"
#include <nlohmann/json.hpp>

#include "suffice/flow/algebra.hpp"
#include "suffice/flow/open_data.hpp"
#include "suffice/flow/where.hpp"
#include "suffice/report/number_text.hpp"

namespace suffice::server {
namespace {

// A model of the same recipe fitted to these rows alone; with one thread, so that the log gives the same bits again.
Result<Classifier> fit_rows(const Model& model, const Classifier& classifier, std::string_view bytes) {
    const auto file = MemoryFile::of(bytes);
    if (!file) return file.error();
    ApplyOptions options;
    options.need_target = true;
    options.names_grow = true;
    auto applied = open_for_model(model, {file->path()}, options);
    if (!applied) return applied.error();
    ModelState recipe = classifier.state();
    recipe.statistic = recipe.statistic.blank();
    Context alone;
    alone.thread_count = 1;
    auto fitted = fit(recipe, *applied->data.stream, alone);
    if (!fitted) return in_data(at_refused_row(fitted.error(), *applied->data.stream, recipe), *applied->data.reader);
    return fitted;
}

Result<Model> with_rows(const Model& model, Change change, std::string_view rows) {
    const auto sum = as_sum(model);
    if (!sum) return sum.error();
    const auto fitted = fit_rows(model, **sum, rows);
    if (!fitted) return fitted.error();
    const bool adds = change == Change::learn;
    auto state = adds ? merge((*sum)->state(), fitted->state()) : rest_of(**sum, *fitted);
    if (!state) return state.error();
    ModelFile made{std::move(*state), model.seen()};
    made.seen.rows += adds ? fitted->weight() : -fitted->weight();
    return Model::from(std::move(made));
}

Result<Model> changed(const Model& model, const Entry& entry) {
    switch (entry.change) {
        case Change::learn:
        case Change::forget:
            return with_rows(model, entry.change, entry.payload);
        case Change::decay: {
            double factor = 0;
            std::from_chars(entry.payload.data(), entry.payload.data() + entry.payload.size(), factor);
            return decay(model, factor);
        }
        case Change::merge: {
            auto file = from_file_bytes(entry.payload);
            if (!file) return file.error();
            const auto other = Model::from(std::move(*file));
            return other ? merge(model, *other) : other;
        }
    }
    return Error("the log holds a change that this version does not know");
}

struct Payload {
    std::string bytes;
    bool sender_saw_header = true;
};

Result<Payload> payload_of(const Schema& schema, Change change, const Request& request) {
    if (change == Change::merge) return Payload{std::string(request.body)};
    if (change == Change::decay) {
        const auto asked = parse_json(request.body);
        if (!asked) return asked.error();
        const auto factor = asked->is_object() ? asked->find("factor") : asked->end();
        if (!asked->is_object() || factor == asked->end() || !factor->is_number() ||
            !(factor->get<double>() > 0 && factor->get<double>() <= 1))
            return Error("the body is {\"factor\": F} with F above 0 and up to 1");
        Payload made;
        append_number(made.bytes, factor->get<double>());
        return made;
    }
    const auto body = read_body(request);
    if (!body) return body.error();
    if (!body->asked) return Payload{std::string(request.body), body->is_csv};
    const Json& rows = (*body->asked)["rows"];
    if (rows.empty()) return Error("there are no rows to learn from");
    auto csv = csv_of(rows, schema, true);
    if (!csv) return csv.error();
    return Payload{std::move(*csv), false};
}

}  // namespace

Response change_route(Served& served, Change change, const Request& request, std::size_t most_rows) {
    if (!served.journal) return problem(403, "learning is not open; start the server with --learn");
    const auto payload = payload_of(served.now()->model.schema(), change, request);
    if (!payload) return problem(payload.error());
    Entry entry{0, change, payload->bytes};
    double rows = 0;
    {
        const std::scoped_lock lock(served.writer);
        const auto old = served.now();
        if (served.journal->broken())
            if (auto begun = served.journal->begin_from(old->model, old->sequence, served.base); !begun)
                return problem(begun.error());
        entry.sequence = old->sequence + 1;
        auto next = changed(old->model, entry);
        if (!next) return problem(about_body(next.error(), payload->sender_saw_header));
        rows = std::abs(next->seen().rows - old->model.seen().rows);
        if ((change == Change::learn || change == Change::forget) && rows > static_cast<double>(most_rows))
            return too_many_rows(most_rows);
        if (auto written = served.journal->append(entry); !written) return problem(written.error());
        served.put(std::move(*next), entry.sequence);
        // Where no snapshot can be made the rows are in the log all the same, and the next change tries again.
        if (served.journal->bytes() > served.snapshot_after)
            if (!served.journal->begin_from(served.now()->model, entry.sequence, served.base))
                ++served.snapshots_failed;
    }
    Response made{200, "application/json"};
    made.settle = [keeper = served.shared_from_this(), sequence = entry.sequence] {
        return keeper->journal->settle(sequence);
    };
    Json told{{"sequence", entry.sequence}};
    if (change == Change::learn || change == Change::forget) {
        made.rows = static_cast<std::size_t>(std::llround(rows));
        told["rows"] = made.rows;
    }
    made.body = told.dump();
    return made;
}

Result<Model> load_served(const std::string& path, std::uint64_t& base) {
    const auto bytes = read_whole_file(path);
    if (!bytes) return bytes.error();
    base = checksum(*bytes);
    auto file = from_file_bytes(*bytes);
    if (!file) return Error(file.error()).in_file(path);
    return Model::from(std::move(*file));
}

Result<void> recover(Served& served, const ServerOptions& options, Model file, std::uint64_t base, const Tell& tell) {
    const std::string folder = options.log.empty() ? served.path() + ".log" : options.log;
    Recovered found;
    auto journal = Journal::open(folder, served.name(), options.sync, base, found);
    if (!journal) return journal.error();
    served.journal = std::move(*journal);
    served.base = base;
    served.snapshot_after = options.limits.log_bytes;
    const std::uint64_t last = found.entries.empty() ? found.sequence : found.entries.back().sequence;
    if (found.other_base) {
        tell(served.name() + ": the file is another than the log began from; the log begins anew from it");
        served.put(std::move(file), last + 1);
        return snapshot(served);
    }
    Model model = found.snapshot ? std::move(*found.snapshot) : std::move(file);
    for (const auto& entry : found.entries) {
        auto next = changed(model, entry);
        if (!next) return about_body(next.error(), true);
        model = std::move(*next);
    }
    if (last > 0) tell(served.name() + ": " + std::to_string(last) + " changes from the log");
    served.put(std::move(model), last);
    return {};
}

Result<void> snapshot(Served& served) {
    const std::scoped_lock lock(served.writer);
    const auto now = served.now();
    return served.journal->begin_from(now->model, now->sequence, served.base);
}

void reload_if_changed(Served& served, const Tell& tell) {
    std::error_code problem;
    const auto written = std::filesystem::last_write_time(served.path(), problem);
    if (problem || written == served.written) return;
    served.written = written;
    std::uint64_t base = 0;
    auto model = load_served(served.path(), base);
    if (!model) {
        ++served.refused;
        return tell(model.error().sentence() + "; the model before it goes on");
    }
    if (base == served.base) return;
    const std::scoped_lock lock(served.writer);
    const std::uint64_t sequence = served.now()->sequence + (served.journal ? 1 : 0);
    if (served.journal)
        if (auto begun = served.journal->begin_from(*model, sequence, base); !begun)
            return tell(begun.error().sentence());
    served.base = base;
    served.put(std::move(*model), sequence);
    ++served.reloads;
    tell(served.name() + ": the changed file is in place");
}

}  // namespace suffice::server
