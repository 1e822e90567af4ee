// Documents as Markdown: tables and words; a figure is told by its description.
#include <algorithm>

#include "suffice/base/visible.hpp"
#include "suffice/report/document.hpp"

namespace suffice {
namespace {

// Words, never markup: what a name begins with < is no tag, and no link or picture of it is followed.
std::string plain_words(std::string_view words) {
    std::string safe;
    const std::string seen = visible(words);
    for (std::size_t k = 0; k < seen.size(); ++k) {
        if (seen[k] == '<' || (seen[k] == '(' && k > 0 && seen[k - 1] == ']')) safe += '\\';
        safe += seen[k];
    }
    return safe;
}

// One cell on one line, with nothing that ends it early.
std::string cell_text(const std::string& words) {
    std::string safe;
    for (const char letter : plain_words(words)) {
        if (letter == '|') safe += '\\';
        safe += letter;
    }
    return safe;
}

struct MarkdownWriter {
    std::string& out;

    void operator()(const Paragraph& part) const { out += plain_words(part.text) + "\n\n"; }
    void operator()(const DocumentTable& part) const {
        if (!part.caption.empty()) out += plain_words(part.caption) + "\n\n";
        out += "|";
        for (const auto& name : part.head) out += " " + cell_text(name) + " |";
        out += "\n|";
        for (std::size_t k = 0; k < part.head.size(); ++k)
            out += k < part.sides.size() && part.sides[k] == TextTable::Side::right ? " ---: |" : " --- |";
        for (const auto& row : part.rows) {
            out += "\n|";
            for (const auto& cell : row) out += " " + cell_text(cell) + " |";
        }
        out += "\n\n";
    }
    void operator()(const Headlines& part) const {
        for (const auto& each : part.cards)
            out += "- **" + plain_words(each.value) + "** " + plain_words(each.label) +
                   (each.note.empty() ? "" : " (" + plain_words(each.note) + ")") + "\n";
        out += "\n";
    }
    void operator()(const Thresholds&) const {}  // is for hands
    void operator()(const Figures& part) const {
        for (const auto& figure : part.figures)
            out += "*" + plain_words(figure.title) + ".* " + plain_words(figure.description) + "\n\n";
    }
    void operator()(const Quotes& part) const {
        out += "### " + part.caption + "\n\n";
        for (const auto& quote : part.quotes) {
            out += "- **" + plain_words(quote.head) + "** " + plain_words(quote.note) + "\n";
            for (const auto& [before, word, after] : quote.places)
                out += "    - \xE2\x80\xA6" + plain_words(before) + "**" + plain_words(word) + "**" +
                       plain_words(after) + "\xE2\x80\xA6\n";
        }
        out += "\n";
    }
    void operator()(const Cards& part) const {
        for (const auto& card : part.cards) {
            out += "- **" + plain_words(card.head) + "** " + plain_words(card.words);
            for (const auto& figure : card.figures) out += " " + plain_words(figure.description);
            out += "\n";
        }
        out += "\n";
    }
};

}  // namespace

std::string markdown_page(const Document& document) {
    std::string out = "# " + plain_words(document.title) + "\n\n" + plain_words(document.subtitle) + "\n\n";
    const auto for_hands = [](const DocumentPart& part) { return std::holds_alternative<Thresholds>(part); };
    for (const auto& section : document.sections) {
        if (std::ranges::all_of(section.parts, for_hands)) continue;
        out += "## " + section.title + "\n\n";
        for (const auto& part : section.parts) std::visit(MarkdownWriter{out}, part);
    }
    while (out.ends_with("\n\n")) out.pop_back();
    return out;
}

}  // namespace suffice
