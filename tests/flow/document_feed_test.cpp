// Documents in memory, held to counting them word by word with a map.
#include "suffice/flow/document_feed.hpp"

#include <map>
#include <string>

#include <gtest/gtest.h>

#include "suffice/base/random.hpp"
#include "suffice/model/document_score.hpp"
#include "suffice/model/recipe.hpp"
#include "suffice/part/token_part.hpp"

namespace suffice {
namespace {

// Enough text for several units and lanes, with words that some of them lack.
struct Corpus {
    std::vector<std::string> text;
    std::vector<std::string_view> views;
    std::vector<std::int32_t> label;
    std::map<std::pair<std::int32_t, std::string>, std::pair<double, double>> expected;  // count, documents

    Corpus() {
        Rng rng(5, "documents");
        for (int d = 0; d < 600; ++d) {
            label.push_back(d % 7 == 0 ? -1 : d * 3 / 600);
            std::map<std::string, double> counts;
            std::string& document = text.emplace_back();
            for (int k = 0; k < 300; ++k) {
                const std::uint64_t rank = rng.below(1 + rng.below(3000));
                std::string word = (rank % 2 == 0 ? "w" : "averylongword") + std::to_string(rank + (rank > 2000) * d);
                document += word + " ";
                counts[std::move(word)] += 1;
            }
            if (label.back() < 0) continue;
            for (const auto& [word, count] : counts) {
                auto& sum = expected[{label.back(), word}];
                sum.first += count;
                sum.second += 1;
            }
        }
        views.assign(text.begin(), text.end());
    }
    ModelState blank() const {
        Column column{"text", ColumnKind::text};
        column.text = {TextOptions{}};
        Recipe recipe;
        recipe.model = "multinomial_nb";
        return make_state(recipe, {{column}, {"a", "b", "c"}}).value();
    }
    ModelState fed(unsigned thread_count) const {
        Context context;
        context.thread_count = thread_count;
        DocumentStream stream({views, label, {}}, blank().statistic.schema, true);
        return feed_documents(blank(), stream, context).value();
    }
};

TEST(DocumentFeed, CountsEveryWordOfEveryLabelledDocument) {
    const Corpus corpus;
    const ModelState state = corpus.fed(2);
    const auto& words = state.statistic.schema.columns[0].levels;
    EXPECT_TRUE(std::ranges::is_sorted(words));
    const auto entries = state.statistic.parts[0].as<TokenPart>()->table.sorted();
    ASSERT_EQ(entries.size(), corpus.expected.size());
    for (const auto& each : entries) {
        const auto& [count, documents] =
            corpus.expected.at({static_cast<std::int32_t>(each.of_class), words[each.word]});
        EXPECT_EQ(each.count, count);
        EXPECT_EQ(each.documents, documents);
    }
    EXPECT_EQ(state.statistic.unlabeled_weight, 86);
}

TEST(DocumentFeed, HasTheSameBitsForAnyNumberOfThreads) {
    const Corpus corpus;
    const ModelState alone = corpus.fed(1);
    for (const unsigned threads : {2u, 3u, 5u}) EXPECT_EQ(corpus.fed(threads), alone);
}

TEST(DocumentFeed, AddsToAModelThatKnowsOtherWords) {
    const Corpus corpus;
    const std::size_t half = corpus.views.size() / 2;
    ModelState state = corpus.blank();
    for (const auto& [first, count] : {std::pair{std::size_t{0}, half}, {half, corpus.views.size() - half}}) {
        const auto views = std::span(corpus.views).subspan(first, count);
        const auto labels = std::span(corpus.label).subspan(first, count);
        DocumentStream stream({views, labels, {}}, corpus.blank().statistic.schema, true);
        ModelState fresh = corpus.blank();
        fresh = feed_documents(std::move(fresh), stream, {}).value();
        state.statistic.merge(fresh.statistic);
        state.statistic.tidy();
    }
    const ModelState whole = corpus.fed(1);
    EXPECT_EQ(state.statistic.schema, whole.statistic.schema);
    EXPECT_EQ(state.statistic.parts[0].as<TokenPart>()->table, whole.statistic.parts[0].as<TokenPart>()->table);
}

TEST(DocumentScore, HasTheSameBitsForAnyNumberOfThreads) {
    const Corpus corpus;
    const auto model = Classifier::from(corpus.fed(1)).value();
    const Vocabulary words(model.schema().columns[0].levels);
    const auto scores = [&](unsigned thread_count) {
        Context context;
        context.thread_count = thread_count;
        std::vector<double> all(corpus.views.size() * 3);
        const auto sink = [&](std::size_t first) {
            ScoreSink made;
            made.form = ScoreSink::Form::log_joint;
            made.scores = all.data() + first * 3;
            made.stride = 3;
            return made;
        };
        score_documents(model, words, corpus.views, sink, context).value();
        return all;
    };
    const auto alone = scores(1);
    for (const unsigned threads : {2u, 4u}) EXPECT_EQ(scores(threads), alone);
}

TEST(DocumentFeed, DocumentsWithoutALabelTakePartByEm) {
    const std::vector<std::string_view> documents = {"red apple", "blue sky",  "apple pear",
                                                     "pear plum", "sky cloud", "cloud rain"};
    const std::vector<std::int32_t> label = {0, 1, -1, -1, -1, -1};
    Column column{"text", ColumnKind::text};
    column.text = {TextOptions{}};
    Recipe recipe;
    recipe.model = "multinomial_nb";
    const ModelState blank = make_state(recipe, {{column}, {"fruit", "weather"}}).value();
    const auto fit = fit_semi_supervised(blank, {documents, label, {}}, 1, {}).value();
    const auto& names = fit.schema().columns[0].levels;
    EXPECT_EQ(names, (std::vector<std::string>{"apple", "blue", "cloud", "pear", "plum", "rain", "red", "sky"}));
    const Vocabulary words(names);
    std::vector<double> posterior(4);
    const std::vector<std::string_view> asked = {"plum", "rain"};  // in no labelled document
    const auto sink = [&](std::size_t first) {
        ScoreSink made;
        made.scores = posterior.data() + first * 2;
        made.stride = 2;
        return made;
    };
    score_documents(fit, words, asked, sink, {}).value();
    EXPECT_NEAR(posterior[0], 0.5532749, 1e-4);  // scikit-learn's MultinomialNB, iterated to the fixed point
    EXPECT_NEAR(posterior[3], 0.5532749, 1e-4);
}

}  // namespace
}  // namespace suffice
