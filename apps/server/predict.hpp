// POST /v1/models/NAME:predict, :explain and :sample.
#pragma once
#include "server/message.hpp"
#include "server/rows.hpp"

namespace suffice::server {

Response predict_route(const Served& served, const Request& request, std::size_t most_rows);
Response explain_route(const Served& served, const Request& request, std::size_t most_rows);
Response sample_route(const Served& served, const Request& request, std::size_t most_rows);

inline constexpr std::string_view json_type = "application/json", csv_type = "text/csv",
                                  lines_type = "application/x-ndjson",
                                  arrow_type = "application/vnd.apache.arrow.stream";

// The names of classes as they are told in JSON: whole numbers where labels were such.
Json label_json(const Schema& schema, std::size_t code);

// What the body holds: rows of JSON, and what stands beside them; or the bytes as they are for readers of files.
struct Body {
    std::shared_ptr<Json> asked;  // null: CSV or Arrow
    bool is_csv = false;
};
Result<Body> read_body(const Request& request);

// The type of the answer: what was asked for, else what was sent. Empty: what was asked for is none that there is.
std::string_view answer_type(const Request& request);
Response no_such_answer();

}  // namespace suffice::server
