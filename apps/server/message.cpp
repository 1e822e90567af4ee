// Errors as answers.
#include "server/message.hpp"

#include "suffice/read/utf8.hpp"
#include "suffice/report/json_text.hpp"

namespace suffice::server {
namespace {

std::string_view title_of(unsigned status) {
    switch (status) {
        case 400:
            return "Bad Request";
        case 401:
            return "Unauthorized";
        case 403:
            return "Forbidden";
        case 404:
            return "Not Found";
        case 405:
            return "Method Not Allowed";
        case 406:
            return "Not Acceptable";
        case 408:
            return "Request Timeout";
        case 409:
            return "Conflict";
        case 413:
            return "Content Too Large";
        case 415:
            return "Unsupported Media Type";
        case 429:
            return "Too Many Requests";
        case 431:
            return "Request Header Fields Too Large";
        case 503:
            return "Service Unavailable";
        default:
            return "Internal Server Error";
    }
}

}  // namespace

Response problem(unsigned status, std::string_view detail) {
    JsonText json;
    json.open_record();
    json.text("type", "about:blank");
    json.text("title", title_of(status));
    json.whole("status", status);
    json.text("detail", as_utf8(detail));  // it may tell of what was sent
    json.text("error", as_utf8(detail));   // where clients of the Open Inference Protocol look for it
    json.close();
    return {status, "application/problem+json", json.take()};
}

Response problem(const Error& error) {
    const bool ours = error.kind == ErrorKind::io || error.kind == ErrorKind::internal;
    Error told = error;
    told.remedies.clear();  // settings of reading and fitting, which no request can give
    return problem(ours ? 500 : error.kind == ErrorKind::cancelled ? 503 : 400, told.sentence());
}

Response too_many_rows(std::size_t most) {
    return problem(413, "a request has at most " + std::to_string(most) + " rows");
}

std::string_view media_type(std::string_view header) {
    header = header.substr(0, header.find(';'));
    while (header.ends_with(' ')) header.remove_suffix(1);
    return header;
}

}  // namespace suffice::server
