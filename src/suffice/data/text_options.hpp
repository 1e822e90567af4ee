// How documents become tokens, as a Schema keeps it. Names and defaults follow scikit-learn's vectorizers.
#pragma once
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "suffice/base/fields.hpp"

namespace suffice {

enum class TextEncoding : std::uint8_t { utf_8, latin_1 };
enum class InvalidBytes : std::uint8_t { replace, ignore, refuse };  // by U+FFFD; by nothing; not at all
enum class Accents : std::uint8_t { keep, ascii, unicode };          // ascii drops all that has no ASCII form
enum class Analyzer : std::uint8_t { word, characters, characters_in_words };

struct TextOptions {
    TextEncoding encoding = TextEncoding::utf_8;
    InvalidBytes invalid_bytes = InvalidBytes::replace;
    bool lowercase = true;
    Accents accents = Accents::keep;
    Analyzer analyzer = Analyzer::word;
    std::uint32_t minimum_length = 2;  // of a word, in code points: 2 is (?u)\b\w\w+\b
    std::uint32_t ngram_min = 1, ngram_max = 1;
    std::vector<std::string> stop_words = {};  // left out before stemming and n-grams; words only
    std::string stemmer = {};                  // a Snowball language; empty: none
    bool binary = false;                       // presence instead of counts
    std::uint32_t hash_features = 0;           // buckets; 0: a vocabulary
    bool alternate_sign = true;                // of hashed counts
    bool in_order = false;                     // models see the words in the order of the text, not counts of them

    bool operator==(const TextOptions&) const = default;
    static constexpr auto fields = std::tuple{field("encoding", &TextOptions::encoding),
                                              field("invalid_bytes", &TextOptions::invalid_bytes),
                                              field("lowercase", &TextOptions::lowercase),
                                              field("accents", &TextOptions::accents),
                                              field("analyzer", &TextOptions::analyzer),
                                              field("minimum_length", &TextOptions::minimum_length),
                                              field("ngram_min", &TextOptions::ngram_min),
                                              field("ngram_max", &TextOptions::ngram_max),
                                              field("stop_words", &TextOptions::stop_words),
                                              field("stemmer", &TextOptions::stemmer),
                                              field("binary", &TextOptions::binary),
                                              field("hash_features", &TextOptions::hash_features),
                                              field("alternate_sign", &TextOptions::alternate_sign),
                                              field("in_order", &TextOptions::in_order)};
};

}  // namespace suffice
