// The door of a module: requests in JSON, answers in JSON, rows and grids as arrays. A WASI reactor.
#include "session.hpp"

namespace suffice::page {
namespace {

Session session;
std::string text;  // the request, then the answer

Json answer_to(const Json& request) {
    const std::string name = request.at("do");
    for (const auto& [known, call] : calls())
        if (known == name) return call(session, request);
    return {{"error", "there is no call " + name}};
}

}  // namespace
}  // namespace suffice::page

#define EXPORT(name) extern "C" __attribute__((export_name(#name), used))

using namespace suffice::page;

EXPORT(room_for_text) char* room_for_text(std::size_t size) {
    text.assign(size, ' ');
    return text.data();
}
EXPORT(room_for_rows) double* room_for_rows(std::size_t rows, std::size_t columns) {
    session.column_count = columns;
    session.values.assign(rows * columns, 0);
    return session.values.data();
}
EXPORT(room_for_codes) std::int32_t* room_for_codes(std::size_t rows) {
    session.codes.assign(rows, -1);
    return session.codes.data();
}
EXPORT(plane) const double* plane() { return session.plane.data(); }
EXPORT(plane_size) std::size_t plane_size() { return session.plane.size(); }
EXPORT(text_size) std::size_t text_size() { return text.size(); }

// The request stands in the text; the answer takes its place. Where something went wrong it has only an "error".
EXPORT(call) const char* call() {
    Json answer;
    try {
        answer = answer_to(Json::parse(text));
    } catch (const std::exception& problem) {
        answer = {{"error", problem.what()}};
    }
    text = answer.dump(-1, ' ', false, Json::error_handler_t::replace);
    return text.data();
}
