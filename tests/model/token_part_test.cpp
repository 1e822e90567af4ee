// Text models held to scikit-learn and SciPy on a small table of counts, and to the laws of statistics.
#include "suffice/part/token_part.hpp"

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "suffice/model/recipe.hpp"

namespace suffice {
namespace {

// Six documents over five words in three classes.
struct TokenCorpus {
    std::vector<std::int64_t> row_start = {0, 3, 5, 7, 9, 13, 15};
    std::vector<std::uint32_t> word = {0, 1, 4, 0, 2, 1, 3, 2, 3, 0, 1, 2, 3, 3, 4};
    std::vector<double> count = {2, 1, 1, 1, 3, 2, 1, 1, 4, 1, 1, 1, 1, 2, 1};
    std::vector<std::int32_t> label = {0, 0, 1, 1, 1, 2};
    Schema schema;

    TokenCorpus() {
        Column text{"text", ColumnKind::text, {"a", "b", "c", "d", "e"}};
        text.text = {TextOptions{}};
        schema.columns = {text};
        schema.classes = {"x", "y", "z"};
    }
    SparseBlock rows() const { return {row_start, word, count, 5}; }
    ModelState seen(const Recipe& recipe, std::size_t first, std::size_t last,
                    std::span<const double> weight = {}) const {
        ModelState state = make_state(recipe, schema).value();
        Workspace workspace;
        const auto labels = std::span(label).subspan(first, last - first);
        state.statistic.observe(slice(rows(), first, last - first), {3, labels, weight}, workspace);
        return state;
    }
    Classifier fit(const Recipe& recipe) const { return Classifier::from(seen(recipe, 0, 6)).value(); }
};

Recipe recipe(std::string model, double smoothing) {
    Recipe made;
    made.model = std::move(model);
    made.settings.smoothing = smoothing;
    return made;
}

struct Questions {
    std::vector<std::int64_t> row_start = {0, 3, 5};
    std::vector<std::uint32_t> word = {0, 2, 3, 1, 4};
    std::vector<double> count = {1, 2, 1, 3, 1};
    SparseBlock rows() const { return {row_start, word, count, 5}; }
};

using Rows = std::vector<std::vector<double>>;

Rows scores(const Classifier& model, const Block& rows, ScoreSink::Form form) {
    std::vector<double> flat(row_count(rows) * model.class_count());
    ScoreSink sink;
    sink.form = form;
    sink.scores = flat.data();
    sink.stride = static_cast<std::ptrdiff_t>(model.class_count());
    model.score(rows, sink, Context{}).value();
    Rows made;
    for (std::size_t row = 0; row < row_count(rows); ++row)
        made.emplace_back(flat.begin() + static_cast<std::ptrdiff_t>(row * model.class_count()),
                          flat.begin() + static_cast<std::ptrdiff_t>((row + 1) * model.class_count()));
    return made;
}

void expect_near(const Rows& found, const Rows& wanted, double tolerance = 1e-11) {
    ASSERT_EQ(found.size(), wanted.size());
    for (std::size_t row = 0; row < wanted.size(); ++row)
        for (std::size_t c = 0; c < wanted[row].size(); ++c)
            EXPECT_NEAR(found[row][c], wanted[row][c], tolerance) << "row " << row << ", class " << c;
}

TEST(TokenPart, MultinomialIsScikitLearns) {
    const Questions z;
    expect_near(
        scores(TokenCorpus().fit(recipe("multinomial_nb", 1)), z.rows(), ScoreSink::Form::log_posterior),
        {{-0.776239200881, -0.76643121556, -2.587625913006}, {-1.249207422225, -0.530503899375, -2.079764881338}});
    expect_near(
        scores(TokenCorpus().fit(recipe("multinomial_nb", 0.1)), z.rows(), ScoreSink::Form::log_posterior),
        {{-1.434595423644, -0.275927839821, -5.835968999933}, {-0.510220748297, -0.937025041175, -4.847840967248}});
}

TEST(TokenPart, ComplementIsScikitLearns) {
    const Questions z;
    expect_near(
        scores(TokenCorpus().fit(recipe("complement_nb", 1)), z.rows(), ScoreSink::Form::log_posterior),
        {{-0.506513393021, -1.568986635073, -1.665209852477}, {-1.489422386625, -0.70802015831, -1.266278835311}});
    Recipe normalized = recipe("complement_nb", 0.1);
    normalized.settings.normalize_weights = true;
    expect_near(
        scores(TokenCorpus().fit(normalized), z.rows(), ScoreSink::Form::log_posterior),
        {{-1.028730594717, -1.119404810248, -1.15180576305}, {-1.226220045606, -0.964535742355, -1.122576048375}});
}

TEST(TokenPart, BernoulliIsScikitLearns) {
    const Questions z;
    expect_near(
        scores(TokenCorpus().fit(recipe("bernoulli_nb", 1)), z.rows(), ScoreSink::Form::log_joint),
        {{-4.85203026392, -3.482841370703, -5.898526551449}, {-4.85203026392, -5.849964984834, -5.205379370889}});
    expect_near(
        scores(TokenCorpus().fit(recipe("bernoulli_nb", 0.1)), z.rows(), ScoreSink::Form::log_joint),
        {{-6.315616299341, -3.313539302268, -9.420502172571}, {-6.315616299341, -9.534886546313, -7.022606899773}});
}

TEST(TokenPart, MultinomialDensitiesAndLikelihoodAreSciPys) {
    const Classifier model = TokenCorpus().fit(recipe("multinomial_nb", 1));
    expect_near(scores(model, Questions().rows(), ScoreSink::Form::log_joint),
                {{-4.714619985366584, -4.704812000045331, -6.526006697491287},
                 {-7.199526635154585, -6.480823112305247, -8.030084094267561}});
    EXPECT_NEAR(model.log_likelihood(), -24.649839849301237, 1e-11);
}

TEST(TokenPart, PredictiveIsTheDirichletMultinomialOfSciPy) {
    Recipe predictive = recipe("multinomial_nb", 0.5);
    predictive.settings.estimate = Estimate::predictive;
    expect_near(
        scores(TokenCorpus().fit(predictive), Questions().rows(), ScoreSink::Form::log_joint),
        {{-5.219390107958, -4.84246948058, -7.102910793756}, {-6.654474633248, -6.618961477678, -7.102910793756}});
}

TEST(TokenPart, MergingPiecesGivesTheWholeAndRemovingUndoesIt) {
    const TokenCorpus corpus;
    const Recipe plain = recipe("multinomial_nb", 1);
    const auto whole = corpus.seen(plain, 0, 6).statistic;
    for (std::size_t cut = 0; cut <= 6; ++cut) {
        auto first = corpus.seen(plain, 0, cut).statistic;
        const auto second = corpus.seen(plain, cut, 6).statistic;
        const auto alone = first;
        first.merge(second);
        EXPECT_EQ(first.class_weight, whole.class_weight);
        EXPECT_EQ(first.parts[0].as<TokenPart>()->table, whole.parts[0].as<TokenPart>()->table) << "cut at " << cut;
        first.remove(second);
        EXPECT_EQ(first.parts[0].as<TokenPart>()->table, alone.parts[0].as<TokenPart>()->table) << "cut at " << cut;
        EXPECT_TRUE(first.valid());
    }
}

TEST(TokenPart, RemovingWhatWasNeverThereIsNotValid) {
    const TokenCorpus corpus;
    auto few = corpus.seen(recipe("multinomial_nb", 1), 0, 2).statistic;
    few.remove(corpus.seen(recipe("multinomial_nb", 1), 0, 4).statistic);
    EXPECT_FALSE(few.valid());
}

TEST(TokenPart, WeightTwoIsTwoDocumentsAndWeightZeroIsNone) {
    const TokenCorpus corpus;
    const Recipe plain = recipe("multinomial_nb", 1);
    const std::vector<double> twice{2, 2, 0, 0, 0, 0};
    auto doubled = corpus.seen(plain, 0, 6, twice).statistic, pair = corpus.seen(plain, 0, 2).statistic;
    pair.merge(corpus.seen(plain, 0, 2).statistic);
    EXPECT_EQ(doubled, pair);
}

TEST(TokenPart, VocabulariesUniteByName) {
    TokenCorpus left, right;
    right.schema.columns[0].levels = {"e", "d", "c", "b", "new"};
    right.schema.classes = {"z", "w", "x"};
    const Recipe plain = recipe("multinomial_nb", 1);
    auto one = left.seen(plain, 0, 6).statistic, other = right.seen(plain, 0, 6).statistic;
    auto turned = other;
    turned.merge(one);
    one.merge(other);
    one.tidy();
    turned.tidy();
    EXPECT_EQ(one.schema.columns[0].levels, (std::vector<std::string>{"a", "b", "c", "d", "e", "new"}));
    EXPECT_EQ(one.schema, turned.schema);
    EXPECT_EQ(one.parts[0].as<TokenPart>()->table, turned.parts[0].as<TokenPart>()->table);
    std::vector<double> of_word(6);
    one.parts[0].as<TokenPart>()->table.for_each([&](const auto& each) { of_word[each.word] += each.count; });
    EXPECT_EQ(of_word, (std::vector<double>{4, 4 + 8, 5 + 5, 8 + 4, 2 + 4, 2}));
}

TEST(TokenPart, UnknownWordsTellNothing) {
    const Classifier model = TokenCorpus().fit(recipe("multinomial_nb", 1));
    Questions known, unknown;
    known.row_start = {0, 3, 4};
    unknown.word[4] = 17;
    SparseBlock rows = unknown.rows();
    rows.column_count = 18;
    expect_near(scores(model, rows, ScoreSink::Form::log_joint),
                scores(model, known.rows(), ScoreSink::Form::log_joint), 1e-13);
}

TEST(TokenPart, WordsOfTooFewOrTooManyDocumentsTellNothing) {
    Recipe bounded = recipe("multinomial_nb", 1);
    bounded.settings.min_df = 3;  // d: 4, a, b, c: 3, e: 2
    bounded.settings.max_df = 0.5;
    const Classifier model = TokenCorpus().fit(bounded);
    Questions z;
    z.word = {0, 2, 3, 1, 4};
    const auto found = scores(model, z.rows(), ScoreSink::Form::log_joint);
    z.row_start = {0, 2, 3};
    z.word = {0, 2, 1};
    z.count = {1, 2, 3};
    expect_near(found, scores(model, z.rows(), ScoreSink::Form::log_joint), 1e-13);
    EXPECT_EQ(model.parameter_count(), 2u + 3u * 2u);
    bounded.settings.max_features = 1;  // of a (4), b (4) and c (5)
    EXPECT_EQ(TokenCorpus().fit(bounded).parameter_count(), 2u);
    bounded.settings.min_df = 7;
    EXPECT_FALSE(Classifier::from(TokenCorpus().seen(bounded, 0, 6)));
}

TEST(TokenPart, ExplanationsAddUpToTheLogJoint) {
    for (const char* name : {"multinomial_nb", "complement_nb", "bernoulli_nb", "predictive"}) {
        Recipe wanted = recipe(std::string(name) == "predictive" ? "multinomial_nb" : name, 0.3);
        wanted.settings.estimate = std::string(name) == "predictive" ? Estimate::predictive : Estimate::map;
        const Classifier model = TokenCorpus().fit(wanted);
        const Questions z;
        const auto joint = scores(model, z.rows(), ScoreSink::Form::log_joint);
        for (std::size_t row = 0; row < 2; ++row) {
            const Explanation why = model.explain(z.rows(), row).value();
            EXPECT_EQ(why.terms.size(), row == 0 ? 3u : 2u);
            for (std::size_t c = 0; c < 3; ++c) {
                double sum = why.intercept[c];
                for (const auto& term : why.terms) sum += term.by_class[c];
                EXPECT_NEAR(sum, joint[row][c], 1e-12) << name;
            }
        }
    }
}

TEST(TokenPart, SampledDocumentsHaveTheWordsAndLengthOfTheirClass) {
    Recipe wanted = recipe("multinomial_nb", 1);
    for (const Estimate estimate : {Estimate::map, Estimate::predictive}) {
        wanted.settings.estimate = estimate;
        const Classifier model = TokenCorpus().fit(wanted);
        Rng rng(7, "documents");
        std::vector<double> seen(5);
        double words = 0;
        constexpr int documents = 20000;
        for (int k = 0; k < documents; ++k) {
            const SampledRow drawn = model.sample(0, rng);
            for (const auto word : drawn.tokens[0]) ++seen[word];
            words += static_cast<double>(drawn.tokens[0].size());
        }
        EXPECT_NEAR(words / documents, 4, 0.1);
        const std::vector<double> share{4. / 13, 2. / 13, 4. / 13, 1. / 13, 2. / 13};
        for (std::size_t k = 0; k < 5; ++k) EXPECT_NEAR(seen[k] / words, share[k], 0.01);
    }
}

TEST(TokenPart, RepeatedWordsAreLikelierUnderThePredictive) {
    Recipe plain = recipe("multinomial_nb", 1), predictive = plain;
    predictive.settings.estimate = Estimate::predictive;
    const std::vector<std::int64_t> start{0, 1};
    const std::vector<std::uint32_t> word{1};
    const std::vector<double> count{6};
    const SparseBlock same{start, word, count, 5};
    EXPECT_GT(scores(TokenCorpus().fit(predictive), same, ScoreSink::Form::log_joint)[0][0],
              scores(TokenCorpus().fit(plain), same, ScoreSink::Form::log_joint)[0][0] + 1);
}

TEST(TokenPart, VeryManyWordsSuggestABoundOnThem) {
    Schema schema = TokenCorpus().schema;
    auto& words = schema.columns[0].levels;
    const auto notes = [&] {
        TokenPart part(schema, 0);
        part.document_weight = {1, 1, 1};
        for (std::uint32_t c = 0; c < 3; ++c) part.table.add(c, c, 1, 1);
        return part.estimate(Settings{}, schema).value().notes;
    };
    EXPECT_TRUE(notes().empty());
    for (std::size_t k = words.size(); k <= std::size_t{2} << 20; ++k) words.push_back(std::to_string(k));
    const auto told = notes();
    ASSERT_EQ(told.size(), 1u);
    EXPECT_NE(told[0].sentence.find("2097153 words"), std::string::npos);
    ASSERT_EQ(told[0].remedies.size(), 2u);
    EXPECT_EQ(told[0].remedies[0].setting, "max_features");
    EXPECT_EQ(told[0].remedies[1].setting, "hash_features");
}

TEST(TokenPart, CountsBelowZeroAreRefused) {
    TokenCorpus corpus;
    corpus.count[3] = -1;
    const auto refused = Classifier::from(corpus.seen(recipe("multinomial_nb", 1), 0, 6));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().column, "text");
}

}  // namespace
}  // namespace suffice
