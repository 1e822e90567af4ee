// Results of text models from raw files, held to scikit-learn's: 20 Newsgroups by date, Reuters R8, SMS spam.
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <unistd.h>

#include <gtest/gtest.h>

#include "suffice/flow/evaluate.hpp"
#include "suffice/part/token_part.hpp"
#include "suffice/suffice.hpp"

namespace suffice {
namespace {

namespace fs = std::filesystem;

fs::path data_folder() {
    const char* folder = std::getenv("SUFFICE_DATA");
    return folder != nullptr ? folder : SUFFICE_SOURCE_DIR "/../shared/data";
}

// Unpacked archives, gone at the end.
struct Unpacked {
    fs::path folder = fs::temp_directory_path() / ("suffice_unpacked_" + std::to_string(::getpid()));
    explicit Unpacked(const fs::path& archive) {
        fs::create_directories(folder);
        const std::string command = "tar -xf '" + archive.string() + "' -C '" + folder.string() + "'";
        if (std::system(command.c_str()) != 0) throw std::runtime_error(command);
    }
    ~Unpacked() { fs::remove_all(folder); }
};

double accuracy(const Model& model, const std::string& data, const ReadOptions& read) {
    ApplyOptions apply;
    apply.read = read;
    return evaluate(model, {data}, apply).value().scores.accuracy.value();
}

TEST(Newsgroups, HaveThePublishedVocabularyAndAccuracies) {
    const fs::path archive = data_folder() / "20newsgroups/20news-bydate.tar.xz";
    if (!fs::exists(archive)) GTEST_SKIP() << "there is no " << archive;
    const Unpacked unpacked(archive);
    const std::string train = (unpacked.folder / "20news-bydate-train").string(),
                      test = (unpacked.folder / "20news-bydate-test").string();
    FitOptions options;
    options.read.latin1 = true;
    options.model = "multinomial_nb";
    const auto model = fit({train}, options).value();
    EXPECT_EQ(model.schema().columns[0].levels.size(), 130107u);
    EXPECT_EQ(model.seen().rows, 11314);
    struct Published {
        const char* model;
        double smoothing, accuracy;
    };
    for (const auto& [name, smoothing, wanted] :
         {Published{"multinomial_nb", 1, .7728}, Published{"multinomial_nb", .1, .8062},
          Published{"multinomial_nb", .01, .8039}, Published{"complement_nb", 1, .8267},
          Published{"complement_nb", .1, .8182}, Published{"complement_nb", .01, .8001},
          Published{"bernoulli_nb", 1, .6308}, Published{"bernoulli_nb", .1, .7281},
          Published{"bernoulli_nb", .01, .7521}}) {
        options.model = name;
        options.settings.smoothing = smoothing;
        const auto derived = derive(model, options).value();
        EXPECT_NEAR(accuracy(derived, test, options.read), wanted, 0.5e-4) << name << " smoothing " << smoothing;
    }
}

TEST(Reuters, HaveTheAccuraciesOfScikitLearn) {
    const fs::path folder = data_folder() / "r8";
    if (!fs::exists(folder / "train.txt")) GTEST_SKIP() << "there is no " << folder;
    FitOptions options{.target = "c1", .model = "multinomial_nb"};
    options.read.header = false;
    options.read.delimiter = '\t';
    const auto model = fit({(folder / "train.txt").string()}, options).value();
    EXPECT_EQ(model.schema().columns[0].levels.size(), 19956u);
    for (const auto& [smoothing, wanted] : {std::pair{1.0, .9534}, {0.1, .9612}, {0.01, .9575}}) {
        options.settings.smoothing = smoothing;
        const auto derived = derive(model, options).value();
        EXPECT_NEAR(accuracy(derived, (folder / "test.txt").string(), options.read), wanted, 0.5e-4) << smoothing;
    }
    FitOptions short_words = options;  // as the published .9607, which keeps words of one letter
    short_words.text.minimum_length = 1;
    short_words.settings.smoothing = 1;
    EXPECT_NEAR(accuracy(fit({(folder / "train.txt").string()}, short_words).value(), (folder / "test.txt").string(),
                         options.read),
                .9539, 0.5e-4);
}

TEST(SmsSpam, HasTheAccuraciesOfScikitLearn) {
    const fs::path file = data_folder() / "smsspam/SMSSpamCollection";
    if (!fs::exists(file)) GTEST_SKIP() << "there is no " << file;
    const fs::path folder = fs::temp_directory_path() / ("suffice_sms_" + std::to_string(::getpid()));
    fs::create_directories(folder);
    std::ifstream all(file, std::ios::binary);
    std::ofstream first(folder / "first", std::ios::binary), rest(folder / "rest", std::ios::binary);
    std::string line;
    for (int k = 0; std::getline(all, line); ++k) (k < 4000 ? first : rest) << line << '\n';
    first.close();
    rest.close();
    FitOptions options{.target = "c1", .model = "multinomial_nb"};
    options.read.header = false;
    options.read.delimiter = '\t';
    options.read.quoting = false;
    const auto model = fit({(folder / "first").string()}, options).value();
    EXPECT_EQ(model.schema().columns[0].levels.size(), 7331u);
    for (const auto& [name, wanted] :
         {std::pair{"multinomial_nb", .9854}, {"complement_nb", .9797}, {"bernoulli_nb", .9765}}) {
        options.model = name;
        EXPECT_NEAR(accuracy(derive(model, options).value(), (folder / "rest").string(), options.read), wanted, 0.5e-4)
            << name;
    }
    fs::remove_all(folder);
}

}  // namespace
}  // namespace suffice
