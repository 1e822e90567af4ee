// What was asked, how often and how fast.
#include "server/metrics.hpp"

#include <algorithm>
#include <fstream>
#include <unistd.h>

#include "server/router.hpp"

#include "suffice/report/number_text.hpp"

namespace suffice::server {
namespace {

// Few words, whatever paths are asked for.
std::string_view route_of(const Request& request) {
    const std::string_view path = request.path;
    if (const auto colon = path.rfind(':'); path.starts_with("/v1/models/") && colon != std::string_view::npos)
        return std::ranges::find(verbs, path.substr(colon + 1)) != verbs.end() ? path.substr(colon + 1) : "other";
    if (path.ends_with("/infer")) return "infer";
    if (path.starts_with("/v2/health")) return "health";
    if (path.starts_with("/v2") || path.starts_with("/v1")) return "metadata";
    return "other";
}

std::string label_text(std::string_view value) {
    std::string text = "\"";
    for (const char letter : value) {
        if (letter == '\\' || letter == '"') text += '\\';
        if (letter == '\n')
            text += "\\n";
        else
            text += letter;
    }
    return text + '"';
}

void head(std::string& text, std::string_view name, std::string_view kind, std::string_view help) {
    text.append("# HELP suffice_").append(name).append(" ").append(help).append("\n# TYPE suffice_");
    text.append(name).append(" ").append(kind).append("\n");
}

void line(std::string& text, std::string_view name, const std::string& labels, double value) {
    text.append("suffice_").append(name);
    if (!labels.empty()) text += '{' + labels + '}';
    text += ' ';
    append_number(text, value);
    text += '\n';
}

double resident_bytes() {
    std::ifstream file("/proc/self/statm");
    double all = 0, resident = 0;
    file >> all >> resident;
    return resident * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

std::string model_label(const std::string& name) { return "model=" + label_text(name); }

void histogram(std::string& text, const std::string& name, const std::string& labels, const Histogram& of) {
    std::uint64_t below = 0;
    for (std::size_t k = 0; k < of.buckets.size(); ++k) {
        below += of.buckets[k];
        const std::string bound = k < of.bounds.size() ? short_number(of.bounds[k]) : "+Inf";
        line(text, name + "_bucket", labels + ",le=\"" + bound + "\"", static_cast<double>(below));
    }
    line(text, name + "_sum", labels, of.seconds);
    line(text, name + "_count", labels, static_cast<double>(below));
}

// One line for each model.
template <class Value>
void by_model(std::string& text, std::string_view name, std::string_view kind, std::string_view help,
              const Models& models, const Value& value) {
    head(text, name, kind, help);
    for (const auto& [model, served] : models)
        line(text, name, model_label(model), static_cast<double>(value(*served)));
}

void add_models(std::string& text, const Models& models) {
    by_model(text, "model_rows", "gauge", "Rows that the model has learned, by weight.", models,
             [](const Served& served) { return served.now()->model.seen().rows; });
    by_model(text, "model_sequence", "gauge", "Number of the last change in the log.", models,
             [](const Served& served) { return served.now()->sequence; });
    by_model(text, "model_reloads_total", "counter", "Times that a changed file took the place of the model.", models,
             [](const Served& served) { return served.reloads.load(); });
    by_model(text, "model_refused_total", "counter", "Changed files that were refused.", models,
             [](const Served& served) { return served.refused.load(); });
    by_model(text, "log_bytes", "gauge", "Bytes of the log behind the last snapshot.", models,
             [](const Served& served) { return served.journal ? served.journal->bytes() : 0; });
    by_model(text, "snapshots_failed_total", "counter", "Snapshots that could not be written; the log goes on.", models,
             [](const Served& served) { return served.snapshots_failed.load(); });
}

// What is asked beside what was learned.
void add_asked(std::string& text, const Models& models) {
    std::map<std::string, AskedShares> all;
    for (const auto& [name, served] : models) all[name] = served->asked.shares();
    head(text, "asked_rows_total", "counter", "Rows that the model was asked about.");
    for (const auto& [name, asked] : all)
        line(text, "asked_rows_total", model_label(name), static_cast<double>(asked.rows));
    head(text, "asked_class_share", "gauge", "Mean posterior of each class over rows asked lately.");
    for (const auto& [name, asked] : all) {
        const auto version = models.find(name)->second->now();
        for (std::size_t c = 0; c < std::min(asked.classes.size(), version->model.classes().size()); ++c)
            line(text, "asked_class_share", model_label(name) + ",class=" + label_text(version->model.classes()[c]),
                 asked.classes[c]);
    }
    head(text, "asked_novel_share", "gauge", "Share of rows asked lately that are odder than 1 % of the usual ones.");
    for (const auto& [name, asked] : all)
        if (asked.novel_share) line(text, "asked_novel_share", model_label(name), *asked.novel_share);
}

// How far what is asked has moved away from what was learned.
void add_drift(std::string& text, const Models& models) {
    constexpr std::size_t most = 100;  // columns of a model, those that changed most
    std::map<std::string, std::shared_ptr<const Drift>> all;
    for (const auto& [name, served] : models)
        if (auto drift = served->asked.drift()) all[name] = std::move(drift);
    head(text, "asked_class_divergence", "gauge",
         "Divergence of the classes of rows asked lately from those learned, of Jensen and Shannon in nats.");
    for (const auto& [name, drift] : all)
        if (drift->classes) line(text, "asked_class_divergence", model_label(name), drift->classes->divergence);
    const auto by_column = [&](std::string_view metric, std::string_view help, const auto& value) {
        head(text, metric, "gauge", help);
        for (const auto& [name, drift] : all)
            for (std::size_t k = 0; k < std::min(most, drift->columns.size()); ++k)
                line(text, metric, model_label(name) + ",column=" + label_text(drift->columns[k].column),
                     value(drift->columns[k]));
    };
    by_column("asked_divergence", "Divergence of a column in rows asked lately from what was learned, in nats.",
              [](const ColumnDrift& column) { return column.change.divergence; });
    by_column("asked_p_value", "How often chance alone moves one of the columns so far.",
              [](const ColumnDrift& column) { return column.adjusted_p_value; });
}

void add_process(std::string& text, const Load& load, double uptime) {
    const auto gauge = [&](std::string_view name, std::string_view help, double value) {
        head(text, name, "gauge", help);
        line(text, name, "", value);
    };
    gauge("queue", "Long requests that wait or run.", static_cast<double>(load.waiting.load()));
    gauge("connections", "Open connections.", static_cast<double>(load.connections.load()));
    gauge("body_bytes", "Room that bodies have or were promised.", static_cast<double>(load.body_bytes.load()));
    gauge("resident_memory_bytes", "Memory of the process.", resident_bytes());
    gauge("uptime_seconds", "Seconds since the start.", uptime);
}

}  // namespace

void Histogram::add(double value) {
    ++buckets[static_cast<std::size_t>(std::ranges::lower_bound(bounds, value) - bounds.begin())];
    seconds += value;
}

void Histogram::add(const Histogram& other) {
    for (std::size_t k = 0; k < buckets.size(); ++k) buckets[k] += other.buckets[k];
    seconds += other.seconds;
}

Metrics::Shard& Metrics::own() {
    static std::atomic<std::size_t> next{0};
    thread_local const std::size_t mine = next++;
    return shards_[mine % shards_.size()];
}

void Metrics::count(const Request& request, const Response& response, double seconds) {
    const bool known = response.status != 404;
    Shard& shard = own();
    const std::scoped_lock lock(shard.guard);
    Route& route = shard.counted.routes[{response.model, known ? std::string(route_of(request)) : "other"}];
    ++route.by_status[response.status];
    route.time.add(seconds);
    route.rows += response.rows;
    for (const auto& [phase, time] : response.phases)
        shard.counted.phases[{response.model, std::string(phase_names[static_cast<std::size_t>(phase)])}].add(time);
}

void Metrics::count_sent(const std::string& model, double seconds) {
    if (model.empty()) return;
    Shard& shard = own();
    const std::scoped_lock lock(shard.guard);
    shard.counted.phases[{model, std::string(phase_names[static_cast<std::size_t>(Phase::send)])}].add(seconds);
}

Metrics::Counted Metrics::all() const {
    Counted all;
    for (const auto& shard : shards_) {
        const std::scoped_lock lock(shard.guard);
        for (const auto& [key, route] : shard.counted.routes) {
            Route& sum = all.routes[key];
            for (const auto& [status, count] : route.by_status) sum.by_status[status] += count;
            sum.time.add(route.time);
            sum.rows += route.rows;
        }
        for (const auto& [key, time] : shard.counted.phases) all.phases[key].add(time);
    }
    return all;
}

std::string Metrics::text(const Models& models, const Load& load) const {
    std::string text;
    const Counted counted = all();
    const auto labels = [](const Key& key, const char* second = ",route=") {
        return model_label(key.first) + second + label_text(key.second);
    };
    head(text, "requests_total", "counter", "Requests answered.");
    for (const auto& [key, route] : counted.routes)
        for (const auto& [status, count] : route.by_status)
            line(text, "requests_total", labels(key) + ",status=\"" + std::to_string(status) + "\"",
                 static_cast<double>(count));
    head(text, "rows_total", "counter", "Rows in requests that were answered.");
    for (const auto& [key, route] : counted.routes)
        line(text, "rows_total", labels(key), static_cast<double>(route.rows));
    head(text, "request_seconds", "histogram", "Time from the last byte read to the answer.");
    for (const auto& [key, route] : counted.routes) histogram(text, "request_seconds", labels(key), route.time);
    head(text, "phase_seconds", "histogram", "What the time of requests about models went to.");
    for (const auto& [key, time] : counted.phases) histogram(text, "phase_seconds", labels(key, ",phase="), time);
    add_models(text, models);
    add_asked(text, models);
    add_drift(text, models);
    add_process(text, load, std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count());
    return text;
}

}  // namespace suffice::server
