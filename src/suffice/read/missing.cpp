// Prepares missing marks for quick look-up.
#include "suffice/read/missing.hpp"

#include <algorithm>
#include <cmath>

#include "suffice/kernel/decimal.hpp"

namespace suffice {

MissingMarks::MissingMarks(const std::vector<std::string>& marks) : marks_(marks) {
    for (const std::string& mark : marks_) {
        if (mark.empty()) continue;
        lengths_[static_cast<unsigned char>(mark.front())] |= std::uint64_t{1}
                                                              << std::min<std::size_t>(mark.size(), 63);
        double number = 0;
        if (kernel::parse_decimal(mark.data(), mark.data() + mark.size(), number) && !std::isnan(number))
            numbers_.push_back(number);
    }
}

bool MissingMarks::is_mark(std::string_view word) const { return std::ranges::find(marks_, word) != marks_.end(); }

}  // namespace suffice
