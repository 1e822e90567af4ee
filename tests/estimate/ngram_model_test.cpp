// Holds n-gram models to the law of total probability, to numbers worked out by other means, and to held-out text.
#include "suffice/estimate/ngram_model.hpp"

#include <cmath>
#include <fstream>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "suffice/encode/vocabulary.hpp"
#include "suffice/family/concepts.hpp"

namespace suffice {
namespace {

static_assert(RemovableStatistic<NgramCounts> && DecayableStatistic<NgramCounts>);

using Codes = std::vector<std::uint32_t>;

// A chain in which the next word depends on the two before.
std::vector<Codes> chain(std::size_t count, std::uint64_t state, std::uint32_t words) {
    std::vector<Codes> documents(count);
    const auto draw = [&state](std::uint64_t below) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        return static_cast<std::uint32_t>((state >> 33) % below);
    };
    for (Codes& document : documents) {
        std::uint32_t before = 0, last = 1;
        for (std::size_t left = 5 + draw(40); left > 0; --left) {
            const std::uint32_t next = draw(4) != 0 ? (before * 3 + last * 5 + draw(2)) % words : draw(words);
            document.push_back(next);
            before = last, last = next;
        }
    }
    return documents;
}

NgramModel fitted(const std::vector<Codes>& documents, std::size_t order, NgramSmoothing smoothing, std::size_t words) {
    NgramCounts counts(order);
    for (const Codes& document : documents) counts.observe(document);
    return NgramModel::estimate(counts, words, smoothing).value();
}

constexpr NgramSmoothing smoothings[] = {NgramSmoothing::witten_bell, NgramSmoothing::kneser_ney};

TEST(NgramModel, ProbabilitiesSumToOneAfterAnyHistory) {
    const auto documents = chain(80, 9, 23);
    const std::vector<Codes> histories = {{},
                                          {NgramCounts::begin},
                                          {NgramCounts::begin, 4},
                                          {4},
                                          {4, 7},
                                          {22, 22, 22, 22},
                                          {1, 2, 3, 4, 5, 6},
                                          {NgramCounts::unknown},
                                          {3, NgramCounts::unknown, 5},
                                          {NgramCounts::begin, 0, 1, 2}};
    for (const NgramSmoothing smoothing : smoothings)
        for (std::size_t order = 1; order <= 5; ++order) {
            const NgramModel model = fitted(documents, order, smoothing, 25);
            std::vector<Codes> all = histories;
            for (const Codes& document : documents) all.push_back(document);
            for (const Codes& history : all) {
                const auto p = model.distribution(history);
                EXPECT_NEAR(std::accumulate(p.begin(), p.end(), 0.0), 1, 1e-12);
                for (const double each : p) EXPECT_GT(each, 0);
            }
        }
}

TEST(NgramModel, WithoutTextIsUniform) {
    for (const NgramSmoothing smoothing : smoothings)
        for (const double each : fitted({}, 3, smoothing, 8).distribution(Codes{1, 2})) EXPECT_DOUBLE_EQ(each, 0.1);
}

// "a b a c" as one document, order 2, worked out by hand: V = 3 words + end + unknown.
TEST(NgramModel, IsWittenBellByHand) {
    const NgramModel model = fitted({{0, 1, 0, 2}}, 2, NgramSmoothing::witten_bell, 3);
    const double a = (2 + 4 * 0.2) / 9, b = (1 + 4 * 0.2) / 9, unknown = 4 * 0.2 / 9;  // 5 events, 4 kinds
    EXPECT_NEAR(model.probability({}, 0), a, 1e-15);
    EXPECT_NEAR(model.probability({}, NgramCounts::unknown), unknown, 1e-15);
    EXPECT_NEAR(model.probability(Codes{0}, 1), (1 + 2 * b) / 4, 1e-15);  // after a: b and c
    EXPECT_NEAR(model.probability(Codes{0}, 0), 2 * a / 4, 1e-15);
    EXPECT_NEAR(model.probability(Codes{NgramCounts::begin}, 0), (1 + a) / 2, 1e-15);
    EXPECT_NEAR(model.log_probability(Codes{0}), std::log((1 + a) / 2) + std::log(2 * b / 4),
                1e-14);  // the end is as rare as b
}

// The same, with the fixed discounts of a text this small: a follows begin and b; b, c follow a; the end follows c.
TEST(NgramModel, IsKneserNeyByHand) {
    const NgramModel model = fitted({{0, 1, 0, 2}}, 2, NgramSmoothing::kneser_ney, 3);
    const double rest = (1 + 3 * 0.5) / 5 * 0.2;  // 5 different pairs; discounts 1 of a, 0.5 of each other
    const double a = (2 - 1) / 5.0 + rest, b = (1 - 0.5) / 5 + rest;
    EXPECT_NEAR(model.probability({}, 0), a, 1e-15);
    EXPECT_NEAR(model.probability({}, NgramCounts::unknown), rest, 1e-15);
    EXPECT_NEAR(model.probability(Codes{0}, 1), (1 - 0.5) / 2 + 0.5 * b, 1e-15);
    EXPECT_NEAR(model.probability(Codes{1}, 0), 0.5 + 0.5 * a, 1e-15);
}

// ngram_golden.txt: a text and every log10 p(last word | the others) that kenlm 0.3.0 (lmplz -o 3) gives for it.
TEST(NgramModel, IsKneserNeyByKenlm) {
    std::ifstream golden(SUFFICE_SOURCE_DIR "/tests/estimate/ngram_golden.txt");
    Vocabulary vocabulary;
    NgramCounts counts(3);
    std::vector<std::pair<double, Codes>> expected;
    for (std::string line, kind, word; std::getline(golden, line);) {
        std::stringstream words(line);
        words >> kind;
        Codes codes;
        double log_probability = 0;
        if (kind == "gram") words >> log_probability;
        while (words >> word)
            codes.push_back(word == "<s>"     ? NgramCounts::begin
                            : word == "</s>"  ? NgramCounts::end
                            : word == "<unk>" ? NgramCounts::unknown
                                              : vocabulary.add(word));
        if (kind == "text")
            counts.observe(codes);
        else
            expected.emplace_back(log_probability, codes);
    }
    const NgramModel model = NgramModel::estimate(counts, vocabulary.size(), NgramSmoothing::kneser_ney).value();
    EXPECT_GT(expected.size(), 1000u);
    for (const auto& [log_probability, codes] : expected)
        EXPECT_NEAR(std::log10(model.probability(std::span(codes).first(codes.size() - 1), codes.back())),
                    log_probability, 1e-6);
}

TEST(NgramModel, PerplexityOfHeldOutTextFallsWithTheOrderThatTheTextHas) {
    const auto train = chain(3000, 1, 30), test = chain(300, 2, 30);
    for (const NgramSmoothing smoothing : smoothings) {
        std::vector<double> perplexity;
        for (std::size_t order = 1; order <= 3; ++order) {
            const NgramModel model = fitted(train, order, smoothing, 30);
            double log_probability = 0, events = 0;
            for (const Codes& document : test)
                log_probability += model.log_probability(document), events += static_cast<double>(document.size() + 1);
            perplexity.push_back(std::exp(-log_probability / events));
        }
        EXPECT_LT(perplexity[1], perplexity[0]);
        EXPECT_LT(perplexity[2], 0.7 * perplexity[1]);
    }
}

TEST(NgramModel, RefusesKneserNeyOfDecayedCountsAndNegativeCounts) {
    NgramCounts counts(2), more(2);
    counts.observe(Codes{1, 2});
    more.observe(Codes{1, 2, 3});
    NgramCounts decayed = counts;
    decayed.scale(0.5);
    EXPECT_FALSE(NgramModel::estimate(decayed, 5, NgramSmoothing::kneser_ney));
    EXPECT_TRUE(NgramModel::estimate(decayed, 5, NgramSmoothing::witten_bell));
    counts.remove(more);
    EXPECT_FALSE(NgramModel::estimate(counts, 5, NgramSmoothing::witten_bell));
}

}  // namespace
}  // namespace suffice
