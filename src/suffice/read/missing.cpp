// Prepares missing marks for quick look-up.
#include "suffice/read/missing.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "suffice/kernel/decimal.hpp"
#include "suffice/read/table.hpp"

namespace suffice {

MissingMarks::MissingMarks(const std::vector<std::string>& marks)
    : marks_(marks), usual_(marks == ReadOptions().missing) {
    for (const std::string& mark : marks_) {
        if (mark.empty()) continue;
        lengths_[static_cast<unsigned char>(mark.front())] |= std::uint64_t{1}
                                                              << std::min<std::size_t>(mark.size(), 63);
        double number = 0;
        if (kernel::parse_decimal(mark.data(), mark.data() + mark.size(), number) && !std::isnan(number))
            numbers_.push_back(number);
    }
}

// What people, spreadsheets, databases and Python write where a number should be.
bool MissingMarks::is_no_number(std::string_view word) {
    constexpr std::array<std::string_view, 24> words{"-",       "--",      "---",     ".",       "..",     "\\N",
                                                     "None",    "none",    "NONE",    "nil",     "NIL",    "unknown",
                                                     "Unknown", "UNKNOWN", "missing", "Missing", "n.a.",   "k.A.",
                                                     "#DIV/0!", "#VALUE!", "#REF!",   "#NUM!",   "#NULL!", "#NAME?"};
    return std::ranges::find(words, word) != words.end();
}

bool MissingMarks::is_mark(std::string_view word) const { return std::ranges::find(marks_, word) != marks_.end(); }

}  // namespace suffice
