// Finds the words of a text where they stand and colours them.
#include "suffice/report/marked_text.hpp"

#include <algorithm>
#include <cmath>

#include "suffice/base/visible.hpp"
#include "suffice/encode/tokenizer.hpp"
#include "suffice/encode/unicode.hpp"

namespace suffice {
namespace {

constexpr std::size_t longest = 4000;                                               // bytes
constexpr std::string_view green = "\x1b[32m", red = "\x1b[31m", bold = "\x1b[1m";  // SGR sequences of ECMA-48
constexpr std::string_view plain = "\x1b[0m";

bool is_word(char32_t code) { return (unicode::properties(code).flags & unicode::word) != 0; }

}  // namespace

std::string marked_text(std::string_view text, const TextOptions& options,
                        const std::map<std::string, double, std::less<>>& pull) {
    TextOptions single = options;  // n-grams have no place of their own in the text
    single.ngrams = {};
    const auto tokenizer = Tokenizer::make(single);
    double strongest = 0;
    for (const auto& [word, value] : pull) strongest = std::max(strongest, std::abs(value));
    std::string marked;
    const std::string_view all = text.substr(0, longest);
    const auto put = [&](std::string_view piece) { marked += visible_lines(piece); };  // only our own colours
    for (std::size_t at = 0; at < all.size();) {
        unicode::Decoded read = unicode::decode(all.data() + at, all.size() - at);
        std::size_t end = at + read.size;
        const bool word = is_word(read.code);
        while (end < all.size()) {
            read = unicode::decode(all.data() + end, all.size() - end);
            if (is_word(read.code) != word) break;
            end += read.size;
        }
        const std::string_view piece = all.substr(at, end - at);
        at = end;
        double value = 0;
        if (word && tokenizer)
            (void)tokenizer->tokens(piece, [&](std::string_view token) {
                if (const auto found = pull.find(token); found != pull.end()) value = found->second;
            });
        if (value == 0) {
            put(piece);
            continue;
        }
        if (std::abs(value) > strongest / 2) marked += bold;
        marked += value > 0 ? green : red;
        put(piece);
        marked += plain;
    }
    return all.size() < text.size() ? marked + " ..." : marked;
}

}  // namespace suffice
