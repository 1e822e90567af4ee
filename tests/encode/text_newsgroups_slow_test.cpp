// Holds the counts of every document of 20 Newsgroups to scikit-learn's CountVectorizer, by a digest per group.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>

#include "suffice/encode/text_count.hpp"

namespace suffice {
namespace {

namespace fs = std::filesystem;

fs::path archive() {
    const char* data = std::getenv("SUFFICE_DATA");
    return fs::path(data != nullptr ? data : SUFFICE_SOURCE_DIR "/../shared/data") /
           "20newsgroups/20news-bydate.tar.xz";
}

struct Documents {
    std::vector<std::string> texts, groups;

    explicit Documents(const fs::path& folder) {
        std::vector<fs::path> files;
        for (const auto& entry : fs::recursive_directory_iterator(folder))
            if (entry.is_regular_file()) files.push_back(entry.path());
        std::sort(files.begin(), files.end(), [](const fs::path& a, const fs::path& b) {
            const auto key = [](const fs::path& p) {
                return std::pair(p.parent_path().filename().string(), p.filename().string());
            };
            return key(a) < key(b);
        });
        for (const fs::path& path : files) {
            std::ifstream file(path, std::ios::binary);
            texts.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
            groups.push_back(path.parent_path().filename().string());
        }
    }
    std::vector<std::string_view> views() const { return {texts.begin(), texts.end()}; }
};

// FNV-1a over each document's words in alphabetical order, each followed by its count.
std::map<std::string, std::string> digests(const Documents& documents, const TokenCounts& counts,
                                           const Vocabulary& vocabulary) {
    std::map<std::string, std::uint64_t> digest;
    for (std::size_t row = 0; row < documents.texts.size(); ++row) {
        std::vector<std::pair<std::string_view, double>> words;
        for (auto k = static_cast<std::size_t>(counts.row_start[row]);
             k < static_cast<std::size_t>(counts.row_start[row + 1]); ++k)
            words.emplace_back(vocabulary.word(counts.column[k]), counts.value[k]);
        std::sort(words.begin(), words.end());
        std::string text;
        for (const auto& [word, count] : words)
            text += std::string(word) + ' ' + std::to_string(static_cast<long>(count)) + '\n';
        auto& value = digest.try_emplace(documents.groups[row], 0xCBF29CE484222325u).first->second;
        for (const char byte : text + '\n') value = (value ^ static_cast<unsigned char>(byte)) * 0x100000001B3u;
    }
    std::map<std::string, std::string> hex;
    for (const auto& [group, value] : digest) {
        char digits[17];
        std::snprintf(digits, sizeof digits, "%016lx", static_cast<unsigned long>(value));
        hex[group] = digits;
    }
    return hex;
}

TEST(TextNewsgroups, HaveTheCountsOfScikitLearnInEveryDocument) {
    if (!fs::exists(archive())) GTEST_SKIP() << "no 20 Newsgroups; set SUFFICE_DATA to the folder of data sets";
    const fs::path folder = fs::temp_directory_path() / ("suffice_newsgroups_" + std::to_string(getpid()));
    fs::create_directories(folder);
    ASSERT_EQ(std::system(("tar -xJf '" + archive().string() + "' -C '" + folder.string() + "'").c_str()), 0);
    const Documents train(folder / "20news-bydate-train"), test(folder / "20news-bydate-test");
    fs::remove_all(folder);

    const Tokenizer tokenizer = Tokenizer::make({.encoding = TextEncoding::latin_1}).value();
    Vocabulary vocabulary;
    std::map<std::string, std::map<std::string, std::string>> found;
    found["train"] = digests(train, count_documents(train.views(), tokenizer, vocabulary).value(), vocabulary);
    found["test"] = digests(test, count_known_documents(test.views(), tokenizer, vocabulary).value(), vocabulary);
    EXPECT_EQ(vocabulary.size(), 130107u);

    std::ifstream golden(SUFFICE_SOURCE_DIR "/tests/encode/newsgroups_golden.txt");
    std::size_t checked = 0;
    for (std::string line; std::getline(golden, line);) {
        std::stringstream words(line);
        std::string part, group, digest;
        words >> part >> group >> digest;
        if (part == "vocabulary") continue;
        EXPECT_EQ(found[part][group], digest) << part << ' ' << group;
        ++checked;
    }
    EXPECT_EQ(checked, 40u);
}

}  // namespace
}  // namespace suffice
