// How documents become tokens, as a Schema keeps it. Names and defaults follow scikit-learn's vectorizers.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "suffice/base/enum_names.hpp"
#include "suffice/base/fields.hpp"

namespace suffice {

enum class TextEncoding : std::uint8_t { utf_8, latin_1 };
template <>
inline constexpr std::array<std::string_view, 2> enum_names<TextEncoding>{"utf-8", "latin-1"};
enum class InvalidBytes : std::uint8_t { replace, ignore, refuse };  // by U+FFFD; by nothing; not at all
template <>
inline constexpr std::array<std::string_view, 3> enum_names<InvalidBytes>{"replace", "ignore", "refuse"};
enum class Accents : std::uint8_t { keep, ascii, unicode };  // ascii drops all that has no ASCII form
template <>
inline constexpr std::array<std::string_view, 3> enum_names<Accents>{"none", "ascii", "unicode"};
enum class Analyzer : std::uint8_t { word, characters, characters_in_words };
template <>
inline constexpr std::array<std::string_view, 3> enum_names<Analyzer>{"word", "char", "char_wb"};

// Runs of words (or letters) that are counted.
struct NgramRange {
    std::uint32_t least = 1, most = 1;
    static constexpr auto fields = FieldTuple{field("least", &NgramRange::least), field("most", &NgramRange::most)};
    bool operator==(const NgramRange&) const = default;
};

struct StopWords {
    std::vector<std::string> words = {};
    static constexpr auto fields = FieldTuple{field("words", &StopWords::words)};
    bool operator==(const StopWords&) const = default;
};

struct TextOptions {
    TextEncoding encoding = TextEncoding::utf_8;
    InvalidBytes invalid_bytes = InvalidBytes::replace;
    bool lowercase = true;
    Accents accents = Accents::keep;
    Analyzer analyzer = Analyzer::word;
    std::uint32_t minimum_length = 2;  // of a word, in code points: 2 is (?u)\b\w\w+\b
    NgramRange ngrams = {};
    StopWords stop_words = {};        // left out before stemming and n-grams; words only
    std::string stemmer = {};         // a Snowball language; empty: none
    bool binary = false;              // presence instead of counts
    std::uint32_t hash_features = 0;  // buckets; 0: a vocabulary
    bool alternate_sign = false;      // of hashed counts
    bool in_order = false;            // models see the words in the order of the text, not counts of them

    bool operator==(const TextOptions&) const = default;
    static constexpr auto fields = FieldTuple{
        setting("ngrams", &TextOptions::ngrams, "text: runs of up to N words, or from M to N written M-N"),
        setting("analyzer", &TextOptions::analyzer, "text: what is counted: words, letters, or letters within words"),
        setting("lowercase", &TextOptions::lowercase, "text: capital letters are made small"),
        setting("strip_accents", &TextOptions::accents, "text: letters without their accents"),
        setting("minimum_length", &TextOptions::minimum_length, "text: the least letters of a word", at_least(1)),
        setting("stop_words", &TextOptions::stop_words, "text: words that are left out"),
        setting("stemmer", &TextOptions::stemmer, "text: cut words to their stems by Snowball, such as english"),
        setting("binary", &TextOptions::binary, "text: a word counts once a document"),
        setting("hash_features", &TextOptions::hash_features,
                "text: words fall into so many buckets, so that the vocabulary stops growing; 0: a vocabulary",
                between(0, 0x7FFFFFFF)),
        field("encoding", &TextOptions::encoding),
        field("invalid_bytes", &TextOptions::invalid_bytes),
        field("alternate_sign", &TextOptions::alternate_sign),
        field("in_order", &TextOptions::in_order)};
};

}  // namespace suffice
