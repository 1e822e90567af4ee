// Nothing but the page's own files may run in it, and it may ask nobody but this server.
#include "server/page.hpp"

#include "page_text.hpp"

namespace suffice::server {

std::optional<Response> page_file(std::string_view path) {
    const bool is_page = path == "/";
    if (!is_page && path != "/page.css" && path != "/page.js") return {};
    Response made{200, is_page              ? "text/html; charset=utf-8"
                       : path == "/page.js" ? "text/javascript; charset=utf-8"
                                            : "text/css; charset=utf-8"};
    made.body = is_page ? page_html : path == "/page.js" ? page_script : page_style;
    made.headers.emplace_back("Content-Security-Policy",
                              "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src "
                              "data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
    made.headers.emplace_back("Referrer-Policy", "no-referrer");
    made.headers.emplace_back("Cache-Control", "no-cache");
    return made;
}

}  // namespace suffice::server
