// Holds hashing to scikit-learn's murmurhash3_32 and HashingVectorizer (tools/text_goldens.py).
#include "suffice/encode/hashing.hpp"

#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "suffice/encode/text_count.hpp"

namespace suffice {
namespace {

std::string from_hex(const std::string& hex) {
    std::string bytes;
    for (std::size_t k = 0; k + 1 < hex.size(); k += 2)
        bytes += static_cast<char>(std::stoi(hex.substr(k, 2), nullptr, 16));
    return bytes;
}

std::ifstream golden() { return std::ifstream(SUFFICE_SOURCE_DIR "/tests/encode/tokenizer_golden.txt"); }

TEST(Hashing, IsMurmurHash3) {
    auto file = golden();
    std::size_t checked = 0;
    for (std::string line; std::getline(file, line);) {
        if (!line.starts_with("murmur ")) continue;
        const std::size_t space = line.find(' ', 7);
        std::stringstream numbers(line.substr(space));
        std::uint32_t plain = 0, seeded = 0;
        numbers >> plain >> seeded;
        const std::string bytes = from_hex(line.substr(7, space - 7));
        EXPECT_EQ(murmur_hash_3(bytes, 0), plain);
        EXPECT_EQ(murmur_hash_3(bytes, 42), seeded);
        ++checked;
    }
    EXPECT_GT(checked, 50u);
}

TEST(Hashing, GivesTheRowsOfHashingVectorizer) {
    auto file = golden();
    std::vector<std::string> documents;
    std::size_t checked = 0;
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with("document")) documents.push_back(line.size() > 9 ? from_hex(line.substr(9)) : "");
        if (!line.starts_with("hashed ")) continue;
        std::stringstream parts(line.substr(7));
        std::uint32_t size = 0;
        int sign = 0;
        std::size_t document = 0;
        std::string entries, entry;
        parts >> size >> sign >> document >> entries;
        std::map<std::uint32_t, double> expected;
        for (std::stringstream list(entries); std::getline(list, entry, ',');)
            expected[static_cast<std::uint32_t>(std::stoul(entry))] = std::stod(entry.substr(entry.find(':') + 1));
        const Tokenizer tokenizer = Tokenizer::make({.hash_features = size, .alternate_sign = sign == 1}).value();
        const std::vector<std::string_view> one = {documents[document]};
        const TokenCounts row = hash_documents(one, tokenizer).value();
        std::map<std::uint32_t, double> found;
        for (std::size_t k = 0; k < row.column.size(); ++k) found[row.column[k]] = row.value[k];
        EXPECT_EQ(found, expected) << line;
        ++checked;
    }
    EXPECT_GT(checked, 100u);
}

}  // namespace
}  // namespace suffice
