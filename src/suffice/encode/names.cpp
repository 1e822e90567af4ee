// Sorts, unites and finds names.
#include "suffice/encode/names.hpp"

#include <algorithm>
#include <charconv>
#include <unordered_map>

#include "suffice/encode/byte_order.hpp"
#include "suffice/encode/vocabulary.hpp"

namespace suffice {
namespace {

bool as_number(const std::string& name, double& value) {
    const char* end = name.data() + name.size();
    const auto [stopped, fault] = std::from_chars(name.data(), end, value);
    return fault == std::errc{} && stopped == end;
}

// By value if all are numbers, else by UTF-8 bytes.
void sort_codes(const std::vector<std::string>& names, std::vector<std::uint32_t>& codes) {
    std::vector<std::pair<double, std::uint32_t>> valued;
    double value = 0;
    for (const std::uint32_t code : codes) {
        if (!as_number(names[code], value))
            return sort_by_bytes(codes, [&](std::uint32_t each) { return std::string_view(names[each]); });
        valued.emplace_back(value, code);
    }
    std::ranges::sort(valued, [&](const auto& a, const auto& b) {
        return a.first != b.first ? a.first < b.first : names[a.second] < names[b.second];
    });
    for (std::size_t k = 0; k < codes.size(); ++k) codes[k] = valued[k].second;
}

std::vector<std::string> unite_names(const std::vector<std::string>& left, const std::vector<std::string>& right) {
    if (left == right && std::ranges::is_sorted(left)) return left;
    std::vector<std::string> all = left;
    all.insert(all.end(), right.begin(), right.end());
    std::ranges::sort(all);
    all.erase(std::unique(all.begin(), all.end()), all.end());
    sort_names(all);
    return all;
}

// A vocabulary is too long to be sorted at every merge: the words that only the right has follow those of the left.
void unite_vocabularies(const std::vector<std::string>& left, const std::vector<std::string>& right,
                        std::vector<std::string>& both, United& all) {
    CodeMap mine, theirs;  // `both` is the left already
    if (left == right) {
        theirs.to.resize(right.size());
        std::iota(theirs.to.begin(), theirs.to.end(), 0u);
    } else {
        Vocabulary words(left);
        theirs.to.reserve(right.size());
        for (const auto& word : right) {
            theirs.to.push_back(words.add(word));
            if (theirs.to.back() == both.size()) both.push_back(word);
        }
    }
    mine.to.resize(left.size());
    std::iota(mine.to.begin(), mine.to.end(), 0u);
    mine.count = theirs.count = static_cast<std::uint32_t>(both.size());
    all.left.levels.push_back(std::move(mine));
    all.right.levels.push_back(std::move(theirs));
}

std::size_t edits(const std::string& a, const std::string& b) {
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t corner = row[0]++;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t above = row[j];
            row[j] = std::min({row[j] + 1, row[j - 1] + 1, corner + (a[i - 1] == b[j - 1] ? 0 : 1)});
            corner = above;
        }
    }
    return row[b.size()];
}

}  // namespace

bool all_numbers(const std::vector<std::string>& names) {
    double value = 0;
    return !names.empty() &&
           std::ranges::all_of(names, [&](const std::string& name) { return as_number(name, value); });
}

void sort_names(std::vector<std::string>& names) {
    leave_names(names, [](std::size_t) { return true; }, true);
}

CodeMap leave_names(std::vector<std::string>& names, const std::function<bool(std::size_t)>& kept, bool sorted) {
    std::vector<std::uint32_t> order;
    for (std::uint32_t k = 0; k < names.size(); ++k)
        if (kept(k)) order.push_back(k);
    if (sorted) sort_codes(names, order);
    if (order.size() == names.size() && std::ranges::is_sorted(order)) {  // all stay where they are
        const auto count = static_cast<std::uint32_t>(order.size());
        return {std::move(order), count};
    }
    CodeMap map{std::vector<std::uint32_t>(names.size(), CodeMap::dropped), static_cast<std::uint32_t>(order.size())};
    std::vector<std::string> left(order.size());
    for (std::uint32_t k = 0; k < order.size(); ++k) {
        map.to[order[k]] = k;
        left[k] = std::move(names[order[k]]);
    }
    names = std::move(left);
    return map;
}

CodeMap map_codes(const std::vector<std::string>& from, const std::vector<std::string>& into) {
    CodeMap map{std::vector<std::uint32_t>(from.size()), static_cast<std::uint32_t>(into.size())};
    if (from == into) {
        std::iota(map.to.begin(), map.to.end(), 0u);
        return map;
    }
    std::unordered_map<std::string_view, std::uint32_t> place;
    for (std::uint32_t k = 0; k < into.size(); ++k) place.emplace(into[k], k);
    for (std::size_t k = 0; k < from.size(); ++k) {
        const auto found = place.find(from[k]);
        map.to[k] = found == place.end() ? CodeMap::dropped : found->second;
    }
    return map;
}

Result<United> unite(const Schema& left, const Schema& right) {
    if (left.columns.size() != right.columns.size())
        return Error("one side has " + std::to_string(left.columns.size()) + " columns and the other " +
                     std::to_string(right.columns.size()));
    United all;
    all.schema = left;
    all.schema.classes = unite_names(left.classes, right.classes);
    all.schema.integer_classes = left.integer_classes && right.integer_classes;
    all.left.classes = map_codes(left.classes, all.schema.classes);
    all.right.classes = map_codes(right.classes, all.schema.classes);
    for (std::size_t k = 0; k < left.columns.size(); ++k) {
        const Column &mine = left.columns[k], &theirs = right.columns[k];
        if (mine.name != theirs.name)
            return Error("the column " + mine.name + " of one side stands where the other has " + theirs.name);
        if (mine.kind != theirs.kind) return Error("one side holds other kinds of values").in_column(mine.name);
        Column& both = all.schema.columns[k];
        if (mine.text != theirs.text) return Error("one side cuts text into other words").in_column(mine.name);
        if (mine.kind == ColumnKind::text) {
            unite_vocabularies(mine.levels, theirs.levels, both.levels, all);
            continue;
        }
        both.levels = unite_names(mine.levels, theirs.levels);
        both.declared_levels = std::max(mine.declared_levels, theirs.declared_levels);
        all.left.levels.push_back(map_codes(mine.levels, both.levels));
        all.right.levels.push_back(map_codes(theirs.levels, both.levels));
    }
    return all;
}

std::string nearest_name(const std::string& wanted, const std::vector<std::string>& names) {
    std::string best;
    std::size_t least = std::max<std::size_t>(2, wanted.size() / 3) + 1;
    for (const auto& name : names)
        if (const std::size_t distance = edits(wanted, name); distance < least) {
            least = distance;
            best = name;
        }
    return best;
}

}  // namespace suffice
