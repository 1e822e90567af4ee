// The scan by vectors finds what the scan byte by byte finds.
#include "suffice/kernel/byte_scan.hpp"

#include <random>
#include <string>
#include <vector>

#include "kernel/every_target.hpp"
#include <gtest/gtest.h>

namespace suffice::kernel {
namespace {

struct Found {
    std::vector<std::uint32_t> positions;
    FieldScan scan;
};

template <class Scan>
Found scan_in_pieces(const std::string& text, std::size_t piece, FieldScan state, Scan&& scan) {
    const std::string padded = std::string(text_padding, '"') + text + std::string(text_padding, '"');
    std::vector<std::uint32_t> out(text.size() + 128);
    std::uint32_t* end = out.data();
    for (std::size_t from = 0; from < text.size(); from += piece)
        end = scan(state, padded.data() + text_padding, from, std::min(from + piece, text.size()), end);
    out.resize(static_cast<std::size_t>(end - out.data()));
    return {out, state};
}

void expect_same(const std::string& text, const FieldScan& state) {
    on_every_target([&] {
        const Found plain = scan_in_pieces(text, 1 << 20, state, scan_fields_plainly);
        for (const std::size_t piece : {std::size_t{64}, std::size_t{192}, std::size_t{1} << 20}) {
            const Found vectors = scan_in_pieces(text, piece, state, scan_fields);
            EXPECT_EQ(vectors.scan.malformed, plain.scan.malformed) << text;
            EXPECT_EQ(vectors.scan.any_quote, plain.scan.any_quote);
            EXPECT_EQ(vectors.scan.non_ascii, plain.scan.non_ascii);
            EXPECT_EQ(vectors.scan.doubled, plain.scan.doubled) << text;
            if (plain.scan.malformed) continue;
            EXPECT_EQ(vectors.positions, plain.positions) << text;
            EXPECT_EQ(vectors.scan.terminators, plain.scan.terminators);
            EXPECT_EQ(vectors.scan.hidden_terminators, plain.scan.hidden_terminators);
            EXPECT_EQ(vectors.scan.in_quote, plain.scan.in_quote);
        }
    });
}

TEST(ByteScan, RandomBytesGiveTheSamePositions) {
    std::mt19937_64 random(1);
    for (int round = 0; round < 2000; ++round) {
        const std::string alphabet = round % 3 == 0 ? "ab,\n" : round % 3 == 1 ? "abcdefghi,\n\"\xC3\r" : "ab,\n\"";
        std::string text;
        for (std::size_t k = random() % 300; k > 0; --k) text += alphabet[random() % alphabet.size()];
        expect_same(text, {});
    }
}

TEST(ByteScan, WellFormedQuotesGiveTheSamePositions) {
    std::mt19937_64 random(2);
    for (int round = 0; round < 2000; ++round) {
        std::string text;
        for (std::size_t fields = random() % 40; fields > 0; --fields) {
            const bool quoted = random() % 2 == 0;
            if (quoted) text += '"';
            for (std::size_t k = random() % 30; k > 0; --k) {
                const char* const inner[] = {"a", "bc", ",", "\n", "\"\"", "\r\n"};
                text += quoted ? inner[random() % 6] : inner[random() % 2];
            }
            if (quoted) text += '"';
            text += random() % 3 == 0 ? (random() % 2 ? "\n" : "\r\n") : ",";
        }
        FieldScan state;
        expect_same(text, state);
        state.quote = 0;
        expect_same(text, state);
    }
}

TEST(ByteScan, OtherDelimitersAndLineEndsAreFound) {
    FieldScan state;
    state.delimiter = ';';
    state.terminator = '\r';
    expect_same("a;b\r\"x;y\";2\r\n,;\r", state);
}

}  // namespace
}  // namespace suffice::kernel
