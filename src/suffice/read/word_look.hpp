// What the words of a column are, by the first of them: the same whether they come from a text, a table in memory, or
// an Arrow array.
#pragma once
#include <string>
#include <string_view>
#include <unordered_map>

#include "suffice/read/table.hpp"

namespace suffice {

bool is_date(std::string_view word);
std::string in_quotes(std::string_view word);                   // the beginning of a long one
std::string_view text_at(const Cells& cells, std::size_t row);  // of words; without memory: missing

class WordLook {
public:
    // So many rows hold this value; views must stay until it is told.
    void add(std::string_view value, std::uint64_t rows = 1);
    // Kind, distinct, mean_words, numbers, looks_like_date and example. `declared`: they are names, however long.
    void tell(FoundColumn& found, bool declared = false) const;

private:
    struct Value {
        std::uint64_t words = 0;
        bool is_number = false;
    };
    std::uint64_t seen_ = 0, words_ = 0, numbers_ = 0;
    bool dates_ = true;
    std::unordered_map<std::string_view, Value> distinct_;
    std::string_view example_, no_number_, telling_date_;  // the first of each; null data(): there is none
};

}  // namespace suffice
