// Finds columns by name, by number and in lists.
#include "suffice/flow/column_names.hpp"

#include <algorithm>

#include "suffice/encode/names.hpp"

namespace suffice {

std::optional<std::uint32_t> find_column(const std::vector<FoundColumn>& found, std::string_view name) {
    const auto at = std::ranges::find(found, name, &FoundColumn::name);
    if (at != found.end()) return static_cast<std::uint32_t>(at - found.begin());
    const bool number = !name.empty() && std::ranges::all_of(name, [](char c) { return c >= '0' && c <= '9'; });
    if (!number) return std::nullopt;
    const auto numbered = std::ranges::find(found, "c" + std::string(name), &FoundColumn::name);
    if (numbered == found.end() || std::to_string(numbered - found.begin() + 1) != name) return std::nullopt;
    return static_cast<std::uint32_t>(numbered - found.begin());
}

Error no_column(const std::string& wanted, const std::vector<FoundColumn>& found, const std::string& file) {
    std::vector<std::string> names;
    for (const auto& column : found) names.push_back(column.name);
    const std::string near = nearest_name(wanted, names);
    std::string why = "there is no column " + wanted;
    const auto mark = names.size() == 1 ? names[0].find_first_of(":;|,\t ^~/") : std::string::npos;
    if (names.size() == 1 && (near.empty() || mark != std::string::npos)) {
        why += "; only one column was found, " + names[0] + ": is the delimiter right? (--delimiter";
        if (mark != std::string::npos) why += names[0][mark] == '\t' ? " tab" : " '" + names[0].substr(mark, 1) + "'";
        why += ")";
    } else if (!near.empty()) {
        why += "; did you mean " + near + "?";
    }
    return Error(why).in_file(file);
}

Result<std::vector<std::uint32_t>> find_columns(const std::vector<FoundColumn>& found,
                                                const std::vector<std::string>& wishes, const std::string& file) {
    std::vector<std::uint32_t> columns;
    for (const auto& wish : wishes) {
        if (const auto whole = find_column(found, wish)) {
            columns.push_back(*whole);
            continue;
        }
        for (const auto& name : split_list(wish)) {
            const auto at = find_column(found, name);
            if (!at) return no_column(name, found, file);
            columns.push_back(*at);
        }
    }
    return columns;
}

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
