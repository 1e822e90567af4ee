// POST /v1/models/NAME:explain and :sample, as the verbs of the same names answer.
#include "suffice/flow/explain.hpp"

#include "server/explained.hpp"
#include "server/predict.hpp"
#include <nlohmann/json.hpp>

#include "suffice/flow/sample.hpp"

namespace suffice::server {
namespace {

Result<std::size_t> count_member(const Json& asked, const char* name, std::size_t otherwise) {
    const auto found = asked.find(name);
    if (found == asked.end()) return otherwise;
    if (!found->is_number_unsigned()) return Error(std::string(name) + " is a whole number");
    return found->get<std::size_t>();
}

}  // namespace

Response explain_route(const Served& served, const Request& request, std::size_t most_rows) {
    const auto version = served.now();
    const auto type = answer_type(request);
    if (type.empty()) return no_such_answer();
    const auto body = read_body(request);
    if (!body) return problem(body.error());
    std::string csv;
    if (body->asked) {
        const Json& rows = (*body->asked)["rows"];
        if (rows.size() > most_rows) return too_many_rows(most_rows);
        // Types are refused here as in :predict, where rows are not read as files are.
        if (auto scored = score_json(served, version, rows, false); !scored) return problem(scored.error());
        auto made = csv_of(rows, version->model.schema(), false);
        if (!made) return problem(made.error());
        csv = std::move(*made);
    }
    const auto file = MemoryFile::of(body->asked ? std::string_view(csv) : request.body);
    if (!file) return problem(file.error());
    Explanations told(version->model.schema(), type);
    const auto add = [&](const ExplainedRow& row) -> Result<void> {
        if (told.rows() >= most_rows) return Error("a request has at most " + std::to_string(most_rows) + " rows");
        told.add(row);
        return {};
    };
    Context alone;
    alone.thread_count = 1;
    if (!body->asked || !(*body->asked)["rows"].empty())
        if (auto done = explain(version->model, {file->path()}, {}, add, alone); !done)
            return problem(about_body(done.error(), body->is_csv));
    Response made{200, std::string(type), told.take()};
    made.rows = told.rows();
    return made;
}

Response sample_route(const Served& served, const Request& request, std::size_t most_rows) {
    const auto version = served.now();
    const auto asked = request.body.empty() ? Result<Json>(Json::object()) : parse_json(request.body);
    if (!asked) return problem(asked.error());
    if (!asked->is_object()) return problem(400, "the body is a record such as {\"count\": 10, \"seed\": 1}");
    const auto count = count_member(*asked, "count", 1), seed = count_member(*asked, "seed", 0);
    if (!count) return problem(count.error());
    if (!seed) return problem(seed.error());
    if (*count > most_rows) return too_many_rows(most_rows);
    SampleOptions options{*count, {}, *seed};
    if (const auto name = asked->find("class"); name != asked->end()) {
        const auto& classes = version->model.classes();
        const auto found = std::ranges::find(classes, name->is_string() ? name->get<std::string>() : name->dump());
        if (found == classes.end()) return problem(400, "the model has no class " + name->dump());
        options.of_class = static_cast<std::size_t>(found - classes.begin());
    }
    Response made{200, std::string(csv_type)};
    const auto done = sample(version->model, options, [&](std::string_view lines) -> Result<void> {
        made.body += lines;
        return {};
    });
    if (!done) return problem(done.error());
    made.rows = *count;
    return made;
}

}  // namespace suffice::server
