// Reads JSON as a list of its values.
#include "suffice/persist/tree_text.hpp"

#include <cstdint>

#include <nlohmann/json.hpp>

namespace suffice {
namespace {

using Kind = TreeEntry::Kind;

// Called by the parser for each value; false stops it.
class TreeWriter {
public:
    std::vector<TreeEntry> entries;

    bool null() { return add(Kind::other); }
    bool boolean(bool) { return add(Kind::other); }
    bool number_integer(std::int64_t value) { return number(static_cast<double>(value)); }
    bool number_unsigned(std::uint64_t value) {
        if (!add(Kind::whole)) return false;
        entries.back().whole = value;
        entries.back().number = static_cast<double>(value);
        return true;
    }
    bool number_float(double value, const std::string&) { return number(value); }
    bool string(std::string& value) {
        if (!add(Kind::text)) return false;
        entries.back().text = std::move(value);
        return true;
    }
    bool binary(std::vector<std::uint8_t>&) { return false; }
    bool key(std::string& name) {
        name_ = std::move(name);
        return true;
    }
    bool start_object(std::size_t) { return open(Kind::record); }
    bool start_array(std::size_t) { return open(Kind::list); }
    bool end_object() { return close(); }
    bool end_array() { return close(); }
    bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) { return false; }

private:
    bool add(Kind kind) {
        if (entries.size() >= largest_tree) return false;
        if (!open_.empty()) ++entries[open_.back()].child_count;
        TreeEntry& entry = entries.emplace_back();
        entry.kind = kind;
        entry.name = std::move(name_);
        entry.end = entries.size();
        name_.clear();
        return true;
    }
    bool number(double value) {
        if (!add(Kind::number)) return false;
        entries.back().number = value;
        return true;
    }
    bool open(Kind kind) {
        if (open_.size() >= deepest_tree || !add(kind)) return false;
        open_.push_back(entries.size() - 1);
        return true;
    }
    bool close() {
        entries[open_.back()].end = entries.size();
        open_.pop_back();
        return true;
    }

    std::string name_;
    std::vector<std::size_t> open_;
};

}  // namespace

std::optional<std::vector<TreeEntry>> read_tree(std::string_view text) {
    TreeWriter writer;
    if (!nlohmann::json::sax_parse(text, &writer)) return std::nullopt;
    return std::move(writer.entries);
}

const TreeEntry* find_field(const std::vector<TreeEntry>& tree, std::size_t place, std::string_view name) {
    if (place >= tree.size() || tree[place].kind != Kind::record) return nullptr;
    for (std::size_t child = place + 1; child < tree[place].end; child = tree[child].end)
        if (tree[child].name == name) return &tree[child];
    return nullptr;
}

}  // namespace suffice
