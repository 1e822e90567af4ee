// Compares the smoothed counts of a class with those of others.
#include "suffice/part/telling_words.hpp"

#include <algorithm>
#include <cmath>

#include "suffice/family/probability.hpp"
#include "suffice/part/ngram_part.hpp"
#include "suffice/part/token_part.hpp"

namespace suffice {

const TokenTable* word_table(const Part& part, TokenTable& room) {
    if (const auto* tokens = part.as<TokenPart>()) return &tokens->table;
    const auto* grams = part.as<NgramPart>();
    if (grams == nullptr) return nullptr;
    room = grams->word_counts();
    return &room;
}

std::span<const double> document_weight(const Part& part, const Settings& settings) {
    const auto* tokens = part.as<TokenPart>();
    return tokens != nullptr && settings.presence ? std::span<const double>(tokens->document_weight)
                                                  : std::span<const double>{};
}

std::vector<TellingWord> telling_words(const TokenTable& table, std::span<const double> documents,
                                       const Settings& settings, std::size_t word_count, std::size_t of_class,
                                       std::optional<std::size_t> versus, std::size_t most) {
    std::vector<TellingWord> words(word_count);
    std::vector<double> other(word_count);
    double own_total = 0, other_total = 0;
    table.for_each([&](const TokenTable::Entry& each) {
        if (each.of_class == of_class) {
            words[each.word].count = each.count;
            words[each.word].documents = each.documents;
        } else if (!versus || each.of_class == *versus) {
            other[each.word] += documents.empty() ? each.count : each.documents;
        }
    });
    for (std::uint32_t k = 0; k < word_count; ++k) {
        words[k].word = k;
        if (!documents.empty()) continue;
        own_total += words[k].count;
        other_total += other[k];
    }
    for (std::size_t c = 0; c < documents.size(); ++c) {
        if (c == of_class)
            own_total = documents[c];
        else if (!versus || c == *versus)
            other_total += documents[c];
    }
    const double a = settings.by_likelihood() ? 0 : settings.smoothing;
    const double all = a * (documents.empty() ? static_cast<double>(word_count) : 2);  // there or not
    for (std::size_t k = 0; k < word_count; ++k) {
        const double seen = documents.empty() ? words[k].count : words[k].documents;
        const double own = kept((seen + a) / (own_total + all)), others = kept((other[k] + a) / (other_total + all));
        words[k].log_odds = std::log(own) - std::log(others);
        if (!documents.empty()) words[k].log_odds += log_complement(others) - log_complement(own);
        words[k].bits = -std::log2(own);
    }
    const std::size_t count = std::min(most, word_count);
    const auto before = [](const TellingWord& left, const TellingWord& right) {
        return left.log_odds != right.log_odds ? left.log_odds > right.log_odds : left.word < right.word;
    };
    std::ranges::partial_sort(words, words.begin() + static_cast<std::ptrdiff_t>(count), before);
    words.resize(count);
    return words;
}

}  // namespace suffice
