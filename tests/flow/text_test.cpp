// Text from files to models: columns of text beside others, folders per class, vocabularies that grow and unite.
#include <cmath>
#include <filesystem>
#include <fstream>
#include <unistd.h>

#include <gtest/gtest.h>

#include "suffice/flow/evaluate.hpp"
#include "suffice/flow/sample.hpp"
#include "suffice/flow/update.hpp"
#include "suffice/part/token_part.hpp"
#include "suffice/persist/bytes.hpp"
#include "suffice/suffice.hpp"

namespace suffice {
namespace {

namespace fs = std::filesystem;

// A folder of its own for each test, gone at the end.
class Text : public testing::Test {
protected:
    Text()
        : folder_(fs::temp_directory_path() / ("suffice_text_" + std::to_string(::getpid()) + "_" +
                                               testing::UnitTest::GetInstance()->current_test_info()->name())) {
        fs::create_directories(folder_);
    }
    ~Text() override { fs::remove_all(folder_); }
    std::string write(const std::string& name, const std::string& text) const {
        const fs::path path = folder_ / name;
        fs::create_directories(path.parent_path());
        std::ofstream(path, std::ios::binary) << text;
        return path.string();
    }
    std::string path(const std::string& name) const { return (folder_ / name).string(); }

private:
    fs::path folder_;
};

const std::string head = "kind,message,length,from\n";
const std::string some =
    "ham,see you at the station tomorrow,30,home\nspam,\"Win a prize, win it now!\",90,shop\n"
    "ham,\"tomorrow, or the day after\",25,home\nspam,prize money waiting for you now,120,shop\n";
const std::string more =
    "spam,claim your free prize now,100,bank\nham,the train leaves the station at noon,35,work\n"
    "ham,,12,home\nspam,free money for you,80,shop\n";

const TokenPart& tokens(const Model& model) {
    for (const Part& part : model.as<Classifier>()->state().statistic.parts)
        if (const auto* found = part.as<TokenPart>()) return *found;
    throw std::logic_error("no tokens");
}

TEST_F(Text, AColumnOfTextIsModelledBesideNumbersAndCategories) {
    const auto model = fit({write("all.csv", head + some + more)}, {.target = "kind"}).value();
    ASSERT_EQ(model.choices().size(), 3u);
    EXPECT_EQ(model.choices()[0].family, "tokens");
    EXPECT_EQ(model.choices()[1].family, "gaussian");
    EXPECT_EQ(model.choices()[2].family, "categorical");
    const Column& text = model.schema().columns[0];
    EXPECT_EQ(text.kind, ColumnKind::text);
    EXPECT_TRUE(std::ranges::is_sorted(text.levels));
    EXPECT_EQ(std::ranges::count(text.levels, "prize"), 1);
    EXPECT_EQ(std::ranges::count(text.levels, "a"), 0);
    EXPECT_EQ(tokens(model).document_weight, (std::vector<double>{3, 4}));  // an empty message is missing
    const auto answer = evaluate(model, {write("new.csv", head + "spam,unheard prize words,85,shop\n")}, {}).value();
    EXPECT_EQ(answer.scores.accuracy, 1);
}

TEST_F(Text, PiecesMergedAreTheWholeAndDocumentsCanBeForgotten) {
    const auto one = write("one.csv", head + some), two = write("two.csv", head + more),
               all = write("all.csv", head + some + more);
    const FitOptions options{.target = "kind", .exclude = {"length"}};
    const auto whole = fit({all}, options).value(), left = fit({one}, options).value(),
               right = fit({two}, options).value();
    const auto merged = merge(left, right).value();
    EXPECT_EQ(merged.schema(), whole.schema());
    EXPECT_EQ(tokens(merged).table, tokens(whole).table);
    EXPECT_EQ(tokens(update(left, {two}, {}).value()).table, tokens(whole).table);
    const auto rest = forget(whole, {two}, {}).value();
    EXPECT_EQ(rest.schema(), left.schema());
    EXPECT_EQ(tokens(rest).table, tokens(left).table);
}

TEST_F(Text, AModelOfTextIsSavedWithItsWordsAndItsOptions) {
    FitOptions options{.target = "kind", .model = "multinomial_nb", .exclude = {"length", "from"}};
    options.text.ngrams.most = 2;
    const auto model = fit({write("all.csv", head + some + more)}, options).value();
    save(model, path("text.suf")).value();
    const auto back = load(path("text.suf")).value();
    EXPECT_EQ(back.file(), model.file());
    EXPECT_EQ(back.schema().columns[0].text[0].ngrams.most, 2u);
    const auto& words = back.schema().columns[0].levels;
    EXPECT_EQ(std::ranges::count(words, "the station"), 1);
    EXPECT_EQ(back.predictor().log_likelihood(), model.predictor().log_likelihood());
    FitOptions plain = options;
    plain.text.ngrams.most = 1;
    EXPECT_FALSE(merge(model, fit({path("all.csv")}, plain).value()));
}

TEST_F(Text, OneStatisticGivesEveryTextModel) {
    const FitOptions multinomial{.target = "kind", .model = "multinomial_nb", .exclude = {"length", "from"}};
    const auto model = fit({write("all.csv", head + some + more)}, multinomial).value();
    for (const char* name : {"complement_nb", "bernoulli_nb"}) {
        FitOptions other = multinomial;
        other.model = name;
        const auto derived = derive(model, other).value(), fitted = fit({path("all.csv")}, other).value();
        EXPECT_EQ(to_bytes(derived.file()), to_bytes(fitted.file())) << name;
    }
}

TEST_F(Text, AFolderPerClassNeedsNoTarget) {
    write("mail/ham/1.txt", "see you at the station");
    write("mail/ham/2.txt", "the train leaves at noon");
    write("mail/spam/1.txt", "win a prize now");
    write("mail/spam/2.txt", "");
    write("mail/spam/3.txt", "caf\xE9 prize");
    write("mail/Summary.txt", "what this is");
    const auto model = fit({path("mail")}, {.model = "multinomial_nb"}).value();
    EXPECT_EQ(model.classes(), (std::vector<std::string>{"ham", "spam"}));
    EXPECT_EQ(model.seen().files, std::vector<std::string>{"mail"});
    EXPECT_EQ(tokens(model).document_weight, (std::vector<double>{2, 3}));  // an empty file is a document
    EXPECT_EQ(std::ranges::count(model.schema().columns[0].levels, "caf"), 1);
    FitOptions latin{.model = "multinomial_nb"};
    latin.read.latin1 = true;
    EXPECT_EQ(std::ranges::count(fit({path("mail")}, latin).value().schema().columns[0].levels, "caf\xC3\xA9"), 1);
    EXPECT_EQ(evaluate(model, {path("mail")}, {}).value().scores.accuracy, 1);
}

TEST_F(Text, DrawnDocumentsCanBeFittedAgain) {
    const auto model =
        fit({write("all.csv", head + some + more)}, {.target = "kind", .exclude = {"length", "from"}}).value();
    std::string drawn;
    SampleOptions options;
    options.count = 300;
    sample(model, options, [&](std::string_view text) -> Result<void> {
        drawn += text;
        return {};
    }).value();
    const auto again =
        fit({write("drawn.csv", drawn)}, {.target = "kind", .families = {{"message", "tokens"}}}).value();
    EXPECT_EQ(again.classes(), model.classes());
    for (const auto& word : again.schema().columns[0].levels)
        EXPECT_EQ(std::ranges::count(model.schema().columns[0].levels, word), 1) << word;
    const auto complement =
        fit({path("all.csv")}, {.target = "kind", .model = "complement_nb", .exclude = {"length", "from"}}).value();
    EXPECT_FALSE(sample(complement, options, [](std::string_view) { return Result<void>{}; }));
}

}  // namespace
}  // namespace suffice
