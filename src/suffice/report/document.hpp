// A document before it has a format: sections of paragraphs, tables, figures and quotes.
#pragma once
#include <array>
#include <string>
#include <variant>
#include <vector>

#include "suffice/report/figure.hpp"
#include "suffice/report/text_table.hpp"

namespace suffice {

struct Paragraph {
    std::string text;
};

struct DocumentTable {
    std::string caption;
    std::vector<std::string> head;
    std::vector<TextTable::Side> sides;
    std::vector<std::vector<std::string>> rows = {};
};

// Side by side where there is room.
struct Figures {
    std::vector<Figure> figures;
};

// A word as it stands in a text.
struct Quote {
    std::string head, note;                          // the word and what is to be said of it
    std::vector<std::array<std::string, 3>> places;  // before, the word, after
};
struct Quotes {
    std::string caption;
    std::vector<Quote> quotes;
};

// One of several things told alike: a heading, words, a figure.
struct Card {
    std::string head, words;
    std::vector<Figure> figures;
};
struct Cards {
    std::vector<Card> cards;
};

using DocumentPart = std::variant<Paragraph, DocumentTable, Figures, Quotes, Cards>;

struct Section {
    std::string id, title;
    std::vector<DocumentPart> parts = {};
};

struct Document {
    std::string title, subtitle;
    std::vector<Section> sections;
};

std::string html_page(const Document& document);      // one self-contained file
std::string markdown_page(const Document& document);  // figures as their descriptions

}  // namespace suffice
