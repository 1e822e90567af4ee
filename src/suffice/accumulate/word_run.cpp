// Sums by code; whether a word is new cannot be foretold, so nothing branches on it.
#include "suffice/accumulate/word_run.hpp"

namespace suffice {

void WordRun::add(std::span<const std::uint32_t> words, std::span<const double> counts, double weight) {
    WordSum* const sum = sum_.data();
    std::uint32_t* const met = met_.data();
    std::size_t count = met_count_;
    for (std::size_t k = 0; k < words.size(); ++k) {
        const double x = counts.empty() ? 1.0 : counts[k];
        if (!(x > 0)) continue;
        WordSum& of_word = sum[words[k]];
        met[count] = words[k];
        count += of_word.documents == 0;
        of_word.count += weight * x;
        of_word.documents += weight;
    }
    met_count_ = count;
}

void WordRun::pour(TokenTable::Words& into) {
    into.add({met_.data(), met_count_}, sum_.data());
    met_count_ = 0;
}

}  // namespace suffice
