// Tokens are compared letter by letter to the end, so that time tells nothing about them.
#include "server/tokens.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>

namespace suffice::server {
namespace {

bool same(std::string_view left, std::string_view right) {
    unsigned different = left.size() == right.size() ? 0 : 1;
    for (std::size_t k = 0; k < left.size(); ++k)
        different |= static_cast<unsigned char>(left[k]) ^ static_cast<unsigned char>(k < right.size() ? right[k] : 0);
    return different == 0;
}

}  // namespace

Result<Tokens> Tokens::from_file(const std::string& path) {
    std::ifstream file(path);
    if (!file) return Error(ErrorKind::usage, "the file of tokens cannot be read").in_file(path);
    std::ostringstream text;
    text << file.rdbuf();
    return from_text(text.str(), path);
}

Result<Tokens> Tokens::from_text(std::string text, const std::string& name) {
    std::ranges::replace(text, ';', '\n');
    std::istringstream lines(text);
    Tokens tokens(Right::none);
    std::string line;
    for (std::uint64_t number = 1; std::getline(lines, line); ++number) {
        std::istringstream words(line);
        std::string token, right, more;
        if (!(words >> token) || token.starts_with('#')) continue;
        words >> right;
        const Right found = right == "read"    ? Right::read
                            : right == "learn" ? Right::learn
                            : right == "admin" ? Right::admin
                                               : Right::none;
        if (found == Right::none || words >> more)
            return Error(ErrorKind::usage, "a line is a token, a space and read, learn or admin")
                .in_file(name)
                .at_row(number);
        tokens.all_.push_back({token, found});
    }
    if (tokens.empty()) return Error(ErrorKind::usage, "the file holds no token").in_file(name);
    return tokens;
}

Right Tokens::right_of(std::string_view authorization) const {
    if (all_.empty()) return without_;
    constexpr std::string_view scheme = "bearer ";  // in letters of any size
    const bool bears = std::ranges::equal(authorization.substr(0, scheme.size()), scheme, {}, [](char letter) {
        return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter + ('a' - 'A')) : letter;
    });
    const std::string_view given = bears ? authorization.substr(scheme.size()) : std::string_view{};
    Right right = Right::none;
    for (const auto& token : all_)
        if (same(token.word, given)) right = std::max(right, token.right);
    return right;
}

}  // namespace suffice::server
