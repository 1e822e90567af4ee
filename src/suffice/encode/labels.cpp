// Numbers the names of classes.
#include "suffice/encode/labels.hpp"

#include <algorithm>

#include "suffice/encode/names.hpp"
#include "suffice/encode/vocabulary.hpp"

namespace suffice {
namespace {

bool is_whole_number(const std::string& name) {
    const std::string_view digits = std::string_view(name).substr(name.starts_with('-') ? 1 : 0);
    return !digits.empty() && digits.size() < 19 && (digits[0] != '0' || name == "0") &&
           std::ranges::all_of(digits, [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

EncodedLabels encode_labels(const std::vector<std::string>& labels) {
    EncodedLabels made;
    made.codes.reserve(labels.size());
    Vocabulary names;
    for (const auto& label : labels)
        made.codes.push_back(label.empty() ? -1 : static_cast<std::int32_t>(names.add(label)));
    for (std::size_t c = 0; c < names.size(); ++c) made.classes.emplace_back(names.word(c));
    const CodeMap sorted = leave_names(made.classes, [](std::size_t) { return true; }, true);
    for (std::int32_t& code : made.codes)
        if (code >= 0) code = static_cast<std::int32_t>(sorted.to[static_cast<std::size_t>(code)]);
    return made;
}

std::vector<std::int32_t> codes_of_labels(const std::vector<std::string>& labels,
                                          const std::vector<std::string>& classes) {
    const Vocabulary names{std::span<const std::string>(classes)};
    std::vector<std::int32_t> codes;
    codes.reserve(labels.size());
    for (const auto& label : labels) {
        const std::uint32_t code = label.empty() ? Vocabulary::unknown : names.find(label);
        codes.push_back(code == Vocabulary::unknown ? -1 : static_cast<std::int32_t>(code));
    }
    return codes;
}

bool all_whole_numbers(const std::vector<std::string>& names) { return std::ranges::all_of(names, is_whole_number); }

}  // namespace suffice
