// Holds the scan for words and the sums of rows to plain loops, on every instruction set of this machine.
#include "suffice/kernel/text_scan.hpp"

#include <cctype>
#include <string>
#include <vector>

#define HWY_WANT_AVX3_DL 1  // the scan has a form of its own there
#include "kernel/every_target.hpp"
#include <gtest/gtest.h>

#include "suffice/kernel/text_rows.hpp"

namespace suffice::kernel {
namespace {

std::uint64_t draw(std::uint64_t& state) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return state >> 33;
}

struct Scanned {
    std::string text;
    std::vector<std::uint32_t> begin, end;
    std::size_t read = 0;
    bool inside = false;
    bool operator==(const Scanned&) const = default;
};

Scanned plainly(const std::string& bytes, bool lower, bool inside) {
    Scanned scanned;
    for (const char each : bytes) {
        const auto byte = static_cast<unsigned char>(each);
        if (byte >= 0x80) break;
        const bool is_word = std::isalnum(byte) != 0 || byte == '_';
        if (is_word && !inside) scanned.begin.push_back(static_cast<std::uint32_t>(scanned.read));
        if (!is_word && inside) scanned.end.push_back(static_cast<std::uint32_t>(scanned.read));
        inside = is_word;
        scanned.text += lower ? static_cast<char>(std::tolower(byte)) : each;
        ++scanned.read;
    }
    scanned.inside = inside;
    return scanned;
}

Scanned by_kernel(const std::string& bytes, bool lower, bool inside) {
    std::vector<char> text(bytes.size() + scan_slack);
    std::vector<std::uint32_t> begin(bytes.size() + scan_slack), end(bytes.size() + scan_slack);
    WordScan scan{text.data(), begin.data(), end.data()};
    scan.inside = inside;
    Scanned scanned;
    scanned.read = scan_words(bytes.data(), bytes.size(), lower, scan);
    scanned.text.assign(text.data(), scan.text_size);
    scanned.begin.assign(begin.data(), begin.data() + scan.begin_count);
    scanned.end.assign(end.data(), end.data() + scan.end_count);
    scanned.inside = scan.inside;
    return scanned;
}

TEST(TextScan, FindsTheWordsThatAPlainLoopFinds) {
    on_every_target([] {
        std::uint64_t state = 11;
        for (int round = 0; round < 600; ++round) {
            std::string bytes(draw(state) % 300, ' ');
            const std::uint64_t kind = draw(state) % 4;
            for (std::size_t k = 0; k < bytes.size(); ++k)
                bytes[k] = kind == 0   ? static_cast<char>(draw(state) % 128)
                           : kind == 1 ? "aZ _9."[draw(state) % 6]
                           : kind == 2 ? "a "[k % 2]
                                       : static_cast<char>(draw(state) % 50 == 0 ? 0xC3 : 'A' + draw(state) % 60);
            for (const bool lower : {false, true})
                for (const bool inside : {false, true})
                    ASSERT_EQ(by_kernel(bytes, lower, inside), plainly(bytes, lower, inside)) << bytes;
        }
    });
}

TEST(TextRows, AddUpAsInAPlainLoop) {
    on_every_target([] {
        std::uint64_t state = 5;
        for (const std::size_t width : {1u, 2u, 3u, 7u, 8u, 9u, 16u, 20u, 30u, 32u, 37u, 40u, 100u, 104u}) {
            const std::size_t words = 50;
            std::vector<double> rows(words * width), weight(70), sums(width), expected(width), weighted(width),
                expected_weighted(width);
            for (double& value : rows)
                value = static_cast<double>(draw(state) % 1000);  // whole, so that any order is exact
            std::vector<std::uint32_t> code(70);
            for (std::size_t k = 0; k < code.size(); ++k) {
                code[k] = static_cast<std::uint32_t>(draw(state) % words);
                weight[k] = static_cast<double>(draw(state) % 9);
                for (std::size_t j = 0; j < width; ++j) {
                    expected[j] += rows[code[k] * width + j];
                    expected_weighted[j] += weight[k] * rows[code[k] * width + j];
                }
            }
            add_rows(rows.data(), width, code, {}, sums.data());
            add_rows(rows.data(), width, code, weight, weighted.data());
            EXPECT_EQ(sums, expected);
            EXPECT_EQ(weighted, expected_weighted);
        }
    });
}

}  // namespace
}  // namespace suffice::kernel
