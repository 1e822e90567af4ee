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

std::vector<TellingWord> telling_words(const TokenTable& table, const Settings& settings, std::size_t word_count,
                                       std::size_t of_class, std::optional<std::size_t> versus, std::size_t most) {
    std::vector<TellingWord> words(word_count);
    std::vector<double> other(word_count);
    double own_total = 0, other_total = 0;
    table.for_each([&](const TokenTable::Entry& each) {
        if (each.of_class == of_class) {
            words[each.word].count = each.count;
            words[each.word].documents = each.documents;
        } else if (!versus || each.of_class == *versus) {
            other[each.word] += each.count;
        }
    });
    for (std::uint32_t k = 0; k < word_count; ++k) {
        words[k].word = k;
        own_total += words[k].count;
        other_total += other[k];
    }
    const double a = settings.estimate == Estimate::likelihood ? 0 : settings.smoothing;
    const double all = a * static_cast<double>(word_count);
    for (std::size_t k = 0; k < word_count; ++k) {
        const double log_own = log_kept((words[k].count + a) / (own_total + all));
        words[k].log_odds = log_own - log_kept((other[k] + a) / (other_total + all));
        words[k].bits = -log_own / std::log(2.0);
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
