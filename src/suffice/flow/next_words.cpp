// Weighs the classes by the text so far and mixes what each foretells.
#include "suffice/flow/next_words.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "suffice/encode/text_count.hpp"
#include "suffice/math/log_sum_exp.hpp"

namespace suffice {
namespace {

// The language model of a text column: its scorer and column.
struct LanguageModel {
    const Scorer* scorer = nullptr;
    std::uint32_t column = 0;
};

Result<LanguageModel> find_language_model(const Model& model) {
    std::vector<double> unused;
    if (const auto* classifier = model.as<Classifier>())
        for (const auto& scorer : classifier->scorers())
            for (std::uint32_t k = 0; k < model.schema().columns.size(); ++k)
                if (model.schema().columns[k].kind == ColumnKind::text && scorer->next_words(k, {}, 0, unused))
                    return LanguageModel{scorer.get(), k};
    return Error(ErrorKind::usage, "the model has no probabilities of words; fit ngram or multinomial_nb to text");
}

}  // namespace

Result<std::vector<NextWord>> next_words(const Model& model, std::string_view text, std::size_t most,
                                         std::optional<std::size_t> of_class) {
    const auto found = find_language_model(model);
    if (!found) return found.error();
    const Column& column = model.schema().columns[found->column];
    const auto tokenizer = Tokenizer::make(column.text.empty() ? TextOptions{} : column.text[0]);
    if (!tokenizer) return tokenizer.error();
    const Vocabulary vocabulary(column.levels);
    DocumentReader reader(*tokenizer);
    const auto words = reader.sequence(text, vocabulary);
    if (!words) return words.error();

    const std::size_t classes = model.classes().size();
    std::vector<double> log_weight = model.predictor().log_prior(), foretold;
    for (std::size_t c = 0; c < classes && !of_class; ++c)
        for (std::size_t k = 0; k < words->size(); ++k) {
            const std::uint32_t word = (*words)[k];
            if (word == Vocabulary::unknown) continue;
            found->scorer->next_words(found->column, words->first(k), c, foretold);
            if (foretold[word] > 0) log_weight[c] += std::log(foretold[word]);
        }
    const double all = log_sum_exp(std::span<const double>(log_weight));
    std::vector<double> mixed(column.levels.size());
    for (std::size_t c = 0; c < classes; ++c) {
        if (of_class && c != *of_class) continue;
        const double share = of_class ? 1 : std::exp(log_weight[c] - all);
        found->scorer->next_words(found->column, *words, c, foretold);
        for (std::size_t word = 0; word < mixed.size(); ++word) mixed[word] += share * foretold[word];
    }
    std::vector<std::uint32_t> order(mixed.size());
    std::iota(order.begin(), order.end(), 0u);
    const auto last = order.begin() + static_cast<std::ptrdiff_t>(std::min(most, order.size()));
    std::partial_sort(order.begin(), last, order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return mixed[a] != mixed[b] ? mixed[a] > mixed[b] : a < b;
    });
    std::vector<NextWord> next;
    for (auto at = order.begin(); at != last; ++at) next.push_back({column.levels[*at], mixed[*at]});
    return next;
}

}  // namespace suffice
