// Asks a module of the page as its worker does, without the browser.
#pragma once
#include <stdexcept>
#include <string>

#include "session.hpp"

namespace suffice::page {

inline Json ask(Session& session, const Json& request) {
    for (const auto& [name, call] : calls())
        if (name == request.at("do").get<std::string>()) return call(session, request);
    throw std::runtime_error("there is no such call");
}

}  // namespace suffice::page
