// Reads words by the rules of number columns in files.
#include "suffice/read/number_words.hpp"

#include <limits>

#include "suffice/kernel/decimal.hpp"
#include "suffice/read/missing.hpp"
#include "suffice/read/table.hpp"

namespace suffice {

Result<std::vector<double>> read_number_words(const std::vector<std::string>& words) {
    const MissingMarks marks(ReadOptions{}.missing);
    std::vector<double> numbers(words.size(), std::numeric_limits<double>::quiet_NaN());
    for (std::size_t k = 0; k < words.size(); ++k) {
        std::string_view word = words[k];
        while (word.starts_with(' ')) word.remove_prefix(1);
        while (word.ends_with(' ')) word.remove_suffix(1);
        if (!marks.contains(word) && !kernel::parse_decimal(word.data(), word.data() + word.size(), numbers[k]))
            return Error(words[k] + " is no number").at_row(k + 1);
    }
    return numbers;
}

}  // namespace suffice
