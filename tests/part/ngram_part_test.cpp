// N-gram models by class held to the single model of each class, and to the laws of statistics and of probability.
#include "suffice/part/ngram_part.hpp"

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "suffice/estimate/ngram_model.hpp"

namespace suffice {
namespace {

// Documents over seven words in two classes, the words in their order.
struct Corpus {
    std::vector<std::int64_t> row_start = {0};
    std::vector<std::uint32_t> word;
    std::vector<std::int32_t> label;
    Schema schema;

    explicit Corpus(std::size_t documents) {
        Column text{"text", ColumnKind::text, {"a", "b", "c", "d", "e", "f", "g"}};
        text.text = {TextOptions{}};
        text.text[0].in_order = true;
        schema.columns = {text};
        schema.classes = {"x", "y"};
        std::uint64_t state = 7;
        const auto draw = [&state](std::uint64_t below) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            return static_cast<std::uint32_t>((state >> 33) % below);
        };
        for (std::size_t k = 0; k < documents; ++k) {
            label.push_back(static_cast<std::int32_t>(draw(2)));
            std::uint32_t last = 0;
            for (std::uint32_t left = draw(12); left > 0; --left)
                word.push_back(last = (last + (label.back() == 0 ? 1 : 3) + draw(2)) % 7);
            row_start.push_back(static_cast<std::int64_t>(word.size()));
        }
    }
    Block rows() const { return SparseBlock{row_start, word, {}, 7}; }
    NgramPart seen(std::uint32_t order, std::size_t first, std::size_t last) const {
        NgramPart part(schema, 0, order);
        Workspace workspace;
        part.observe(slice(rows(), first, last - first), {2, std::span(label).subspan(first, last - first), {}},
                     workspace);
        return part;
    }
};

Settings smoothed(NgramSmoothing smoothing) {
    Settings settings;
    settings.ngram_smoothing = smoothing;
    return settings;
}

constexpr NgramSmoothing smoothings[] = {NgramSmoothing::witten_bell, NgramSmoothing::kneser_ney};

TEST(NgramPart, ScoresEachClassByItsOwnModel) {
    const Corpus corpus(60);
    for (const auto smoothing : smoothings)
        for (std::uint32_t order = 1; order <= 5; ++order) {
            const NgramPart part = corpus.seen(order, 0, 60);
            const auto estimated = part.estimate(smoothed(smoothing), corpus.schema).value();
            double log_likelihood = 0;
            for (std::size_t row = 0; row < 60; ++row) {
                std::vector<double> found(2);
                const auto first = static_cast<std::size_t>(corpus.row_start[row]),
                           last = static_cast<std::size_t>(corpus.row_start[row + 1]);
                EXPECT_EQ(estimated.scorers[0]->add_sequence(corpus.rows(), row, found),
                          static_cast<double>(last - first + 1));
                for (std::size_t c = 0; c < 2; ++c) {
                    const auto model = NgramModel::estimate(part.counts[c], 7, smoothing).value();
                    const double wanted = model.log_probability(std::span(corpus.word).subspan(first, last - first));
                    EXPECT_NEAR(found[c], wanted, 1e-10 * std::abs(wanted));
                    if (static_cast<std::size_t>(corpus.label[row]) == c) log_likelihood += wanted;
                }
            }
            EXPECT_NEAR(estimated.log_likelihood, log_likelihood, 1e-9 * std::abs(log_likelihood));
        }
}

TEST(NgramPart, NextWordsAndTheTwoOtherOutcomesSumToOneAfterAnyHistory) {
    const Corpus corpus(60);
    const std::vector<std::vector<std::uint32_t>> histories = {
        {}, {2}, {2, 3}, {6, 6, 6, 6}, {NgramCounts::unknown, 1}};
    for (const auto smoothing : smoothings)
        for (std::uint32_t order = 1; order <= 5; ++order) {
            const NgramPart part = corpus.seen(order, 0, 60);
            const auto estimated = part.estimate(smoothed(smoothing), corpus.schema).value();
            for (const auto& history : histories)
                for (std::size_t c = 0; c < 2; ++c) {
                    const auto model = NgramModel::estimate(part.counts[c], 7, smoothing).value();
                    std::vector<double> next;
                    ASSERT_TRUE(estimated.scorers[0]->next_words(0, history, c, next));
                    const double rest =
                        model.probability(history, NgramCounts::end) + model.probability(history, NgramCounts::unknown);
                    EXPECT_NEAR(std::accumulate(next.begin(), next.end(), rest), 1, 1e-12);
                    for (std::uint32_t w = 0; w < 7; ++w) EXPECT_NEAR(next[w], model.probability(history, w), 1e-14);
                }
        }
}

TEST(NgramPart, PiecesMergedAreTheWholeAndCanBeTakenOutAgain) {
    const Corpus corpus(60);
    const NgramPart whole = corpus.seen(3, 0, 60), left = corpus.seen(3, 0, 25), right = corpus.seen(3, 25, 60);
    NgramPart both = left;
    both.merge(right);
    EXPECT_EQ(both, whole);
    both.remove(right);
    EXPECT_EQ(both, left);
    Recoding swapped;
    swapped.classes = {{1, 0}, 2};
    swapped.levels.push_back({{6, 5, 4, 3, 2, 1, 0}, 7});
    NgramPart there = whole;
    there.recode(swapped);
    EXPECT_FALSE(there == whole);
    there.recode(swapped);
    EXPECT_EQ(there, whole);
    EXPECT_TRUE(there.valid(corpus.schema));
}

TEST(NgramPart, DrawsWordsAsOftenAsTheyAreProbable) {
    const Corpus corpus(200);
    const NgramPart part = corpus.seen(2, 0, 200);
    const auto estimated = part.estimate(smoothed(NgramSmoothing::kneser_ney), corpus.schema).value();
    const auto model = NgramModel::estimate(part.counts[1], 7, NgramSmoothing::kneser_ney).value();
    std::vector<double> first(8), wanted(8);
    const std::vector<std::uint32_t> begin = {NgramCounts::begin};
    for (std::uint32_t w = 0; w < 7; ++w) wanted[w] = model.probability(begin, w);
    wanted[7] = model.probability(begin, NgramCounts::end);
    const Rng source(1, "draws");
    const double draws = 20000;
    for (std::uint64_t k = 0; k < 20000; ++k) {
        SampledRow row{{0}, {{}}};
        Rng rng = source.fork(k);
        estimated.scorers[0]->sample(1, rng, row);
        first[row.tokens[0].empty() ? 7 : row.tokens[0][0]] += 1;
    }
    for (std::size_t k = 0; k < 8; ++k) EXPECT_NEAR(first[k] / draws, wanted[k], 5 * std::sqrt(0.25 / draws));
}

TEST(NgramPart, WeightsThatAreNotWholeNeedWittenBell) {
    const Corpus corpus(20);
    NgramPart part = corpus.seen(2, 0, 20);
    part.scale(0.5);
    EXPECT_FALSE(part.estimate(smoothed(NgramSmoothing::kneser_ney), corpus.schema));
    EXPECT_TRUE(part.estimate(smoothed(NgramSmoothing::witten_bell), corpus.schema));
}

}  // namespace
}  // namespace suffice
