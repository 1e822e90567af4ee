// The words that mean "no value here".
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace suffice {

class MissingMarks {
public:
    explicit MissingMarks(const std::vector<std::string>& marks);

    // An empty cell is always missing. Most words are told from marks by their first byte and length alone.
    bool contains(std::string_view word) const {
        if (word.empty()) return true;
        const std::uint64_t lengths = lengths_[static_cast<unsigned char>(word.front())];
        const bool may_be = ((lengths >> (word.size() < 63 ? word.size() : 63)) & 1) != 0;
        return may_be && (word.size() == 1 || is_mark(word));
    }
    // Among numbers these say too that there is none, such as - or #DIV/0!; not where the user has said what does.
    bool means_no_number(std::string_view word) const { return usual_ && is_no_number(word); }
    // Marks that are numbers, such as -999: they mean missing in number columns however they are written.
    const std::vector<double>& numbers() const { return numbers_; }

private:
    bool is_mark(std::string_view word) const;
    static bool is_no_number(std::string_view word);
    std::vector<std::string> marks_;
    bool usual_;
    std::vector<double> numbers_;
    std::array<std::uint64_t, 256> lengths_{};  // per first byte: bit n for a mark of n bytes (63: or more)
};

}  // namespace suffice
