// Reads the names of text options and refuses those that make no sense together.
#include "suffice/encode/text_options.hpp"

#include <string_view>
#include <utility>

#include "suffice/encode/stem.hpp"

namespace suffice {
namespace {

template <class Value, std::size_t count>
Result<Value> named(std::string_view what, std::string_view name,
                    const std::pair<std::string_view, Value> (&known)[count]) {
    std::string allowed;
    for (const auto& [each, value] : known) {
        if (each == name) return value;
        if (!each.empty()) allowed += (allowed.empty() ? "" : ", ") + std::string(each);
    }
    return Error(ErrorKind::usage,
                 std::string(what) + " '" + std::string(name) + "' is not known; it is one of " + allowed + ".");
}

}  // namespace

Result<TextEncoding> text_encoding(std::string_view name) {
    return named<TextEncoding>("encoding", name,
                               {{"utf-8", TextEncoding::utf_8},
                                {"utf8", TextEncoding::utf_8},
                                {"latin-1", TextEncoding::latin_1},
                                {"latin1", TextEncoding::latin_1},
                                {"iso-8859-1", TextEncoding::latin_1}});
}

Result<Analyzer> analyzer(std::string_view name) {
    return named<Analyzer>(
        "analyzer", name,
        {{"word", Analyzer::word}, {"char", Analyzer::characters}, {"char_wb", Analyzer::characters_in_words}});
}

Result<Accents> accents(std::string_view name) {
    return named<Accents>(
        "strip_accents", name,
        {{"", Accents::keep}, {"none", Accents::keep}, {"ascii", Accents::ascii}, {"unicode", Accents::unicode}});
}

Result<void> check(const TextOptions& options) {
    if (options.ngram_min == 0 || options.ngram_min > options.ngram_max)
        return Error(ErrorKind::usage, "the n-gram range (" + std::to_string(options.ngram_min) + ", " +
                                           std::to_string(options.ngram_max) +
                                           ") must start at 1 or more and not end before it starts.");
    if (options.minimum_length == 0) return Error(ErrorKind::usage, "the minimum length of a word is at least 1.");
    if (options.hash_features > 0x7FFFFFFF)
        return Error(ErrorKind::usage, "hashed features number at most 2147483647.");
    if (options.stemmer.empty()) return {};
    if (options.analyzer != Analyzer::word)
        return Error(ErrorKind::usage, "stemming needs the word analyzer, since characters have no stems.");
    if (auto stemmer = Stemmer::make(options.stemmer); !stemmer) return stemmer.error();
    return {};
}

}  // namespace suffice
