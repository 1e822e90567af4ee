// A document before it has a format: sections of headlines, paragraphs, tables, figures and quotes.
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
    std::size_t folded_after = 0;  // rows shown at first; 0: all
};

// A few numbers that are read first.
struct Headline {
    std::string value, label, note;
};
struct Headlines {
    std::vector<Headline> cards;
};

// What a threshold on the posterior of each class gives, for a reader who moves it.
struct Thresholds {
    struct OfClass {
        std::string name;
        double of_class = 0, of_others = 0;           // rows, by weight
        std::vector<double> threshold, right, wrong;  // falling thresholds; rows at or above them
    };
    std::vector<OfClass> classes;
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
    std::string truth = {}, answer = {};  // of a mistake
};
struct Cards {
    std::vector<Card> cards;
    bool filtered = false;  // by truth and answer
};

using DocumentPart = std::variant<Paragraph, DocumentTable, Headlines, Thresholds, Figures, Quotes, Cards>;

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
