// Who may do what: tokens of a file, each with a right.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "suffice/base/result.hpp"

namespace suffice::server {

enum class Right : std::uint8_t { none, read, learn, admin };  // each holds those before it

class Tokens {
public:
    explicit Tokens(Right without) : without_(without) {}
    // Lines `TOKEN read|learn|admin`; empty lines and those that start with # are skipped.
    static Result<Tokens> from_file(const std::string& path);
    // The same lines, or with semicolons between them; `name` is where they come from, for messages.
    static Result<Tokens> from_text(std::string text, const std::string& name);

    bool empty() const { return all_.empty(); }
    // Takes as long for a wrong token as for a right one.
    Right right_of(std::string_view authorization) const;

private:
    struct Token {
        std::string word;
        Right right;
    };
    Right without_;  // what may be done without a token
    std::vector<Token> all_;
};

}  // namespace suffice::server
