// Scores, explains and draws documents word after word.
#include "suffice/score/ngram_scorer.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "suffice/encode/ngram_counts.hpp"

namespace suffice {

ClassShares::ClassShares(std::vector<Share> unordered, std::size_t item_count)
    : start(item_count + 1), share(unordered.size()) {
    for (const Share& each : unordered) ++start[each.item + 1];
    std::partial_sum(start.begin(), start.end(), start.begin());
    std::vector<std::uint32_t> next(start.begin(), start.end() - 1);
    for (const Share& each : unordered) share[next[each.item]++] = each;
}

void NgramLevel::group() {
    std::vector<std::uint32_t> history(grams.size());
    start.assign(histories.size() + 1, 0);
    for (std::size_t k = 0; k < grams.size(); ++k) {
        history[k] = histories.find(grams[k].first(grams.length() - 1));
        ++start[history[k] + 1];
    }
    std::partial_sum(start.begin(), start.end(), start.begin());
    after.resize(grams.size());
    std::vector<std::uint32_t> next(start.begin(), start.end() - 1);
    for (std::uint32_t k = 0; k < grams.size(); ++k) after[next[history[k]]++] = k;
}

namespace {

constexpr std::size_t longest_draw = 100'000;  // words, where no end comes

struct SequenceScratch {
    std::vector<std::uint32_t> text;
    std::vector<double> probability, product, sum;
};

double share_of(std::span<const ClassShares::Share> shares, std::size_t c, double otherwise) {
    for (const auto& each : shares)
        if (each.of_class == c) return each.value;
    return otherwise;
}

class NgramScorer final : public Scorer {
public:
    explicit NgramScorer(NgramWeights weights) : weights_(std::move(weights)) {}

    void add(const Block& tile, kernel::Tile joint, Exactness, Workspace& workspace) const override {
        auto& scratch = workspace.of<SequenceScratch>();
        for (std::size_t row = 0; row < joint.row_count; ++row) {
            if (is_missing(tile, row, weights_.column)) continue;
            score(tile, row, scratch);
            for (std::size_t c = 0; c < joint.class_count; ++c) joint.of_class(c)[row] += scratch.sum[c];
        }
    }
    Result<void> add_row(const Block& block, std::size_t row, std::span<long double> joint) const override {
        if (is_missing(block, row, weights_.column)) return {};
        SequenceScratch scratch;
        score(block, row, scratch);
        for (std::size_t c = 0; c < joint.size(); ++c) joint[c] += scratch.sum[c];
        return {};
    }
    double add_sequence(const Block& block, std::size_t row, std::span<double> by_class) const override {
        if (is_missing(block, row, weights_.column)) return 0;
        SequenceScratch scratch;
        score(block, row, scratch);
        for (std::size_t c = 0; c < by_class.size(); ++c) by_class[c] += scratch.sum[c];
        return static_cast<double>(scratch.text.size() - 1);
    }
    // A word that comes several times is one term; the end and unknown words belong to no word of the vocabulary.
    void explain(const Block& block, std::size_t row, Explanation& into) const override {
        if (is_missing(block, row, weights_.column)) return;
        SequenceScratch scratch;
        read(block, row, scratch);
        std::map<std::uint32_t, std::size_t> term_of;
        for (std::size_t k = 1; k < scratch.text.size(); ++k) {
            find_probabilities(scratch.text, k, scratch.probability);
            const std::uint32_t word = scratch.text[k];
            std::vector<double>* to = &into.intercept;
            if (word < weights_.vocabulary_size) {
                const auto [found, is_new] = term_of.try_emplace(word, into.terms.size());
                if (is_new) into.terms.emplace_back(weights_.column, word, std::vector<double>(weights_.class_count));
                to = &into.terms[found->second].by_class;
            }
            for (std::size_t c = 0; c < weights_.class_count; ++c) (*to)[c] += std::log(scratch.probability[c]);
        }
    }
    void sample(std::size_t c, Rng& rng, SampledRow& into) const override {
        auto& words = into.tokens[weights_.column];
        std::vector<std::uint32_t> text = {NgramCounts::begin};
        while (text.size() < longest_draw) {
            const std::uint32_t word = draw(text, c, rng);
            if (word == NgramCounts::end) break;
            text.push_back(word);
        }
        words.assign(text.begin() + 1, text.end());
    }
    bool next_words(std::uint32_t column, std::span<const std::uint32_t> history, std::size_t c,
                    std::vector<double>& into) const override {
        if (column != weights_.column) return false;
        into.assign(weights_.vocabulary_size, uniform());
        for (std::size_t length = 0; length < weights_.levels.size() && length <= history.size(); ++length) {
            const NgramLevel& level = weights_.levels[length];
            const std::uint32_t seen = level.histories.find(history.last(length));
            if (seen == NgramTable::none) break;
            const double gamma = share_of(level.gamma.of(seen), c, -1);
            if (gamma < 0) break;
            for (double& each : into) each *= gamma;
            for_each_after(level, seen, c, [&](std::uint32_t word, double alpha) {
                if (word < into.size()) into[word] += alpha;
                return true;
            });
        }
        return true;
    }
    void describe(Description& into) const override {
        auto& column = into.columns.emplace_back(weights_.column, "ngrams");
        for (std::size_t c = 0; c < weights_.class_count; ++c)
            column.by_class.push_back(
                {{{"order", static_cast<double>(weights_.levels.size())}, {"mean_length", weights_.length[c]}}});
    }

    Result<void> express(ScoreExpression&) const override {
        return Error(ErrorKind::usage, "an n-gram model backs off from word to word and has no formula to export");
    }

private:
    double uniform() const { return 1 / static_cast<double>(weights_.vocabulary_size + 2); }

    void read(const Block& block, std::size_t row, SequenceScratch& scratch) const {
        const SparseBlock rows = tokens_of(block, weights_.column);
        const auto first = static_cast<std::size_t>(rows.row_start[row]);
        const auto words = rows.column.subspan(first, static_cast<std::size_t>(rows.row_start[row + 1]) - first);
        scratch.text.assign(1, NgramCounts::begin);
        for (const std::uint32_t word : words)
            scratch.text.push_back(word < weights_.vocabulary_size ? word : NgramCounts::unknown);
        scratch.text.push_back(NgramCounts::end);
    }

    // p(text[k] | what stands before it, class) of every class.
    void find_probabilities(const std::vector<std::uint32_t>& text, std::size_t k, std::vector<double>& into) const {
        into.assign(weights_.class_count, uniform());
        const std::span all(text);
        for (std::size_t length = 0; length < weights_.levels.size() && length <= k; ++length) {
            const NgramLevel& level = weights_.levels[length];
            const std::uint32_t seen = level.histories.find(all.subspan(k - length, length));
            if (seen == NgramTable::none) return;  // then no longer history was seen either
            for (const auto& each : level.gamma.of(seen)) into[each.of_class] *= each.value;
            const std::uint32_t gram = level.grams.find(all.subspan(k - length, length + 1));
            if (gram == NgramTable::none) continue;
            for (const auto& each : level.alpha.of(gram)) into[each.of_class] += each.value;
        }
    }

    // Probabilities are multiplied up before their logarithm is taken: the logarithms would be most of the work.
    void score(const Block& block, std::size_t row, SequenceScratch& scratch) const {
        constexpr double low = 1e-200;
        read(block, row, scratch);
        scratch.sum.assign(weights_.class_count, 0);
        scratch.product.assign(weights_.class_count, 1);
        for (std::size_t k = 1; k < scratch.text.size(); ++k) {
            find_probabilities(scratch.text, k, scratch.probability);
            for (std::size_t c = 0; c < weights_.class_count; ++c) {
                scratch.product[c] *= scratch.probability[c];
                if (scratch.product[c] > low) continue;
                scratch.sum[c] += std::log(scratch.product[c]);
                scratch.product[c] = 1;
            }
        }
        for (std::size_t c = 0; c < weights_.class_count; ++c) scratch.sum[c] += std::log(scratch.product[c]);
    }

    // visit(word, alpha) for the words that class c had after a history; false ends it.
    template <class Visit>
    void for_each_after(const NgramLevel& level, std::uint32_t history, std::size_t c, Visit&& visit) const {
        for (std::uint32_t at = level.start[history]; at < level.start[history + 1]; ++at) {
            const std::uint32_t gram = level.after[at];
            const double alpha = share_of(level.alpha.of(gram), c, 0);
            if (alpha > 0 && !visit(level.grams[gram].back(), alpha)) return;
        }
    }

    // From the longest history that the class has seen: one of its words, or with chance gamma from the next shorter.
    std::uint32_t draw(const std::vector<std::uint32_t>& text, std::size_t c, Rng& rng) const {
        const std::span all(text);
        for (std::size_t length = std::min(weights_.levels.size() - 1, text.size());; --length) {
            const NgramLevel& level = weights_.levels[length];
            const std::uint32_t seen = level.histories.find(all.last(length));
            if (seen != NgramTable::none && share_of(level.gamma.of(seen), c, -1) >= 0) {
                double left = rng.uniform();
                std::uint32_t drawn = NgramCounts::absent;
                for_each_after(level, seen, c, [&](std::uint32_t word, double alpha) {
                    left -= alpha;
                    if (left < 0) drawn = word;
                    return left >= 0;
                });
                if (drawn != NgramCounts::absent) return drawn;
            }
            if (length == 0) break;
        }
        // An unknown word cannot be written, so the rest is shared by the words and the end.
        const std::uint64_t any = rng.below(weights_.vocabulary_size + 1);
        return any == weights_.vocabulary_size ? NgramCounts::end : static_cast<std::uint32_t>(any);
    }

    NgramWeights weights_;
};

}  // namespace

std::unique_ptr<Scorer> ngram_scorer(NgramWeights weights) { return std::make_unique<NgramScorer>(std::move(weights)); }

}  // namespace suffice
