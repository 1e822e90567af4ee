// Documents as Markdown: tables and words; a figure is told by its description.
#include <algorithm>

#include "suffice/report/document.hpp"

namespace suffice {
namespace {

// One cell on one line, with nothing that ends it early.
std::string cell_text(const std::string& words) {
    std::string safe;
    for (const char letter : words) {
        if (letter == '|') safe += '\\';
        safe += letter == '\n' ? ' ' : letter;
    }
    return safe;
}

struct MarkdownWriter {
    std::string& out;

    void operator()(const Paragraph& part) const { out += part.text + "\n\n"; }
    void operator()(const DocumentTable& part) const {
        if (!part.caption.empty()) out += part.caption + "\n\n";
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
            out += "- **" + each.value + "** " + each.label + (each.note.empty() ? "" : " (" + each.note + ")") + "\n";
        out += "\n";
    }
    void operator()(const Thresholds&) const {}  // is for hands
    void operator()(const Figures& part) const {
        for (const auto& figure : part.figures) out += "*" + figure.title + ".* " + figure.description + "\n\n";
    }
    void operator()(const Quotes& part) const {
        out += "### " + part.caption + "\n\n";
        for (const auto& quote : part.quotes) {
            out += "- **" + quote.head + "** " + quote.note + "\n";
            for (const auto& [before, word, after] : quote.places)
                out += "    - \xE2\x80\xA6" + before + "**" + word + "**" + after + "\xE2\x80\xA6\n";
        }
        out += "\n";
    }
    void operator()(const Cards& part) const {
        for (const auto& card : part.cards) {
            out += "- **" + card.head + "** " + card.words;
            for (const auto& figure : card.figures) out += " " + figure.description;
            out += "\n";
        }
        out += "\n";
    }
};

}  // namespace

std::string markdown_page(const Document& document) {
    std::string out = "# " + document.title + "\n\n" + document.subtitle + "\n\n";
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
