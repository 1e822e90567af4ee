// Cuts lists apart.
#include "suffice/base/split_list.hpp"

namespace suffice {

std::vector<std::string> split_list(std::string_view text, char mark) {
    std::vector<std::string> pieces(1);
    std::size_t depth = 0, kept = 0;  // open parentheses; letters of the last piece that stood in quotes
    const auto end_piece = [&] {
        std::string& piece = pieces.back();
        while (piece.size() > kept && piece.back() == ' ') piece.pop_back();
    };
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char letter = text[at];
        if (letter == '"') {
            for (++at; at < text.size(); ++at) {
                if (text[at] == '"' && (at + 1 == text.size() || text[at + 1] != '"')) break;
                if (text[at] == '"') ++at;
                pieces.back() += text[at];
            }
            kept = pieces.back().size();
        } else if (letter == mark && depth == 0) {
            end_piece();
            pieces.emplace_back();
            kept = 0;
        } else if (letter != ' ' || !pieces.back().empty()) {
            if (letter == '(') ++depth;
            if (letter == ')' && depth > 0) --depth;
            pieces.back() += letter;
        }
    }
    end_piece();
    return pieces;
}

std::vector<std::vector<std::string>> split_lists(std::string_view text) {
    std::vector<std::vector<std::string>> lists;
    bool quoted = false;
    for (std::size_t start = 0, at = 0; at <= text.size(); ++at) {
        if (at < text.size() && text[at] == '"') quoted = !quoted;  // a doubled quote changes it twice
        if (at < text.size() && (text[at] != ';' || quoted)) continue;
        lists.push_back(split_list(text.substr(start, at - start)));
        start = at + 1;
    }
    return lists;
}

}  // namespace suffice
