// Reads text options and refuses those that make no sense together.
#include "suffice/encode/text_options.hpp"

#include "suffice/encode/stem.hpp"
#include "suffice/encode/stop_words.hpp"

namespace suffice {

std::string SettingCodec<NgramRange>::form(const Range&) { return "N or M-N"; }

std::optional<NgramRange> SettingCodec<NgramRange>::read(const SettingValue& value, const Range&) {
    const auto whole = [](const SettingValue& given) {
        return SettingCodec<std::uint32_t>::read(given, at_least(1)).value_or(0);
    };
    NgramRange range;
    if (const auto* both = value.list(); both != nullptr && both->size() == 2) {
        range = {whole((*both)[0]), whole((*both)[1])};
    } else if (const auto text = value.word(); text && text->find('-') != std::string::npos) {
        const auto dash = text->find('-');
        range = {whole({Written{text->substr(0, dash)}}), whole({Written{text->substr(dash + 1)}})};
    } else {
        range.most = whole(value);
    }
    return range.least > 0 && range.least <= range.most ? std::optional(range) : std::nullopt;
}

SettingValue SettingCodec<NgramRange>::write(const NgramRange& value) {
    if (value.least == 1) return {static_cast<double>(value.most)};
    return {std::to_string(value.least) + "-" + std::to_string(value.most)};
}

std::vector<SettingValue> SettingCodec<NgramRange>::examples(const Range&) { return {{2.0}, {std::string("2-3")}}; }

std::string SettingCodec<StopWords>::form(const Range&) {
    return "a language, such as english, or words with commas between them";
}

std::optional<StopWords> SettingCodec<StopWords>::read(const SettingValue& value, const Range&) {
    if (const auto language = value.word()) {
        auto words = stop_words(*language);
        return words ? std::optional(StopWords{std::move(*words)}) : std::nullopt;
    }
    auto words = SettingCodec<std::vector<std::string>>::read(value, {});
    return words ? std::optional(StopWords{std::move(*words)}) : std::nullopt;
}

SettingValue SettingCodec<StopWords>::write(const StopWords& value) {
    return SettingCodec<std::vector<std::string>>::write(value.words);
}

std::vector<SettingValue> SettingCodec<StopWords>::examples(const Range&) { return {{std::string("english")}}; }

Result<void> check(const TextOptions& options) {
    if (options.ngrams.least == 0 || options.ngrams.least > options.ngrams.most)
        return Error(ErrorKind::usage, "the n-gram range (" + std::to_string(options.ngrams.least) + ", " +
                                           std::to_string(options.ngrams.most) +
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
