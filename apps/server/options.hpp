// The options of the server, written once for the command and for Python.
#pragma once
#include <array>
#include <string>
#include <string_view>

#include "suffice/base/result.hpp"

namespace suffice::server {

struct ServerOptions;

struct OptionText {
    std::string_view name;   // as the command has it; Python: without the dashes before it, others lowered
    std::string_view value;  // empty: a switch
    std::string_view help;
};

inline constexpr std::array option_texts{
    OptionText{"--host", "H", "the address to listen on (default 127.0.0.1); others need tokens"},
    OptionText{"--port", "P", "the port (default 8080); 0: any that is free"},
    OptionText{"--learn", "", "models learn from :learn, :forget, :decay and :merge"},
    OptionText{"--log", "FOLDER", "where what is learned is kept (default: MODEL.log beside each model)"},
    OptionText{"--fsync", "WHEN", "the log reaches the disk: always before an answer, interval (default) or never"},
    OptionText{"--snapshot-after", "BYTES", "of changes in the log a snapshot takes their place (default 67108864)"},
    OptionText{"--token-file", "F", "who may do what: lines TOKEN read|learn|admin (else SUFFICE_TOKENS)"},
    OptionText{"--certificate", "F", "PEM file of the certificate and its chain: the server speaks TLS"},
    OptionText{"--key", "F", "PEM file of the certificate's key"},
    OptionText{"--access-log", "F", "a line of JSON for each request; -: standard error"},
    OptionText{"--max-body", "BYTES", "longest body of a request (default 67108864)"},
    OptionText{"--max-rows", "N", "most rows of a request (default 1000000)"},
    OptionText{"--timeout", "SECONDS", "for a request to come in, and an answer to go out (default 30)"},
    OptionText{"--max-connections", "N", "open at once (default 4096)"},
    OptionText{"--max-queue", "N", "long requests that wait or run before others get 429 (default 256)"},
};

// Sets one of them; an Error goes on behind the option's name ("takes a number from 0 to 65535").
Result<void> set_option(ServerOptions& options, std::string_view name, const std::string& value);

}  // namespace suffice::server
