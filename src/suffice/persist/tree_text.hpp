// The readable part of a model file, JSON, as a list of its values in the order written. Made without recursion and
// without objects, so that no text makes it deep or slow.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace suffice {

struct TreeEntry {
    enum class Kind : unsigned char { record, list, number, whole, text, other };
    Kind kind = Kind::other;
    std::string name;     // of a field
    std::size_t end = 0;  // behind all that is inside it
    std::size_t child_count = 0;
    double number = 0;
    std::uint64_t whole = 0;
    std::string text;
};

inline constexpr std::size_t deepest_tree = 64;         // far deeper than any model
inline constexpr std::size_t largest_tree = 1'000'000;  // values; a model with more of them packs its lists

// Nothing: it is not JSON, or deeper or larger than any model's.
std::optional<std::vector<TreeEntry>> read_tree(std::string_view text);

// The entry of this name right inside the record at `place`; nothing: there is none.
const TreeEntry* find_field(const std::vector<TreeEntry>& tree, std::size_t place, std::string_view name);

}  // namespace suffice
