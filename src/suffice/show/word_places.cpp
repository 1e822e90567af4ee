// Looks for words in documents.
#include "suffice/show/word_places.hpp"

#include <algorithm>

#include "suffice/part/telling_words.hpp"

namespace suffice {
namespace {

constexpr std::size_t around = 44;  // bytes shown on each side

char lower(char letter) { return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter; }

bool in_word(char letter) {
    return (lower(letter) >= 'a' && lower(letter) <= 'z') || (letter >= '0' && letter <= '9') || letter == '_' ||
           static_cast<unsigned char>(letter) >= 0x80;
}

// Blanks and line ends as one blank; nothing cut inside a letter of several bytes.
std::string one_line(std::string_view text) {
    std::string line;
    for (const char letter : text) {
        const bool blank = static_cast<unsigned char>(letter) <= ' ';
        if (!blank)
            line += letter;
        else if (line.empty() || line.back() != ' ')
            line += ' ';
    }
    const auto inside = [](char letter) { return (static_cast<unsigned char>(letter) & 0xC0) == 0x80; };
    line.erase(line.begin(), std::ranges::find_if_not(line, inside));
    return line;
}

std::string_view whole_letters(std::string_view text) {  // without the first bytes of a letter cut at the end
    std::size_t end = text.size();
    while (end > 0 && (static_cast<unsigned char>(text[end - 1]) & 0xC0) == 0x80) --end;
    if (end > 0 && static_cast<unsigned char>(text[end - 1]) >= 0xC0) --end;
    return end + 4 > text.size() && end < text.size() ? text.substr(0, end) : text;
}

}  // namespace

std::vector<WordInContext> telling_words_of(const Model& whole, std::size_t most) {
    std::vector<WordInContext> words;
    const auto* kept = whole.as<Classifier>();
    if (kept == nullptr) return words;
    const Classifier& model = *kept;
    for (const Part& part : model.state().statistic.parts) {
        TokenTable room;
        const TokenTable* table = word_table(part, room);
        if (table == nullptr) continue;
        const std::uint32_t column = part.columns()[0];
        for (std::size_t c = 0; c < model.class_count(); ++c)
            for (const auto& each :
                 telling_words(*table, document_weight(part, model.state().settings), model.state().settings,
                               model.schema().columns[column].levels.size(), c, std::nullopt, most))
                words.push_back({c, column, each.word, each.log_odds, each.count});
    }
    return words;
}

std::optional<WordInContext::Place> place_of(std::string_view document, std::string_view word, bool stemmed) {
    const auto same = [](char a, char b) { return lower(a) == lower(b); };
    auto from = document.begin();
    while (!word.empty()) {
        const auto found = std::search(from, document.end(), word.begin(), word.end(), same);
        if (found == document.end()) break;
        const auto end = found + static_cast<std::ptrdiff_t>(word.size());
        const bool starts = found == document.begin() || !in_word(found[-1]);
        if (starts && (stemmed || end == document.end() || !in_word(*end))) {
            const auto at = static_cast<std::size_t>(found - document.begin());
            const std::size_t first = at > around ? at - around : 0;
            return WordInContext::Place{one_line(document.substr(first, at - first)),
                                        std::string(document.substr(at, word.size())),
                                        one_line(whole_letters(document.substr(at + word.size(), around)))};
        }
        from = found + 1;
    }
    return std::nullopt;
}

std::string beginning_of(std::string_view document, std::size_t most) {
    std::string line = one_line(whole_letters(document.substr(0, most)));
    if (line.starts_with(' ')) line.erase(0, 1);
    return document.size() > most ? line + "\xE2\x80\xA6" : line;
}

}  // namespace suffice
