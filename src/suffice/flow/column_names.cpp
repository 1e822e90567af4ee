// Finds columns by name, by number and in lists.
#include "suffice/flow/column_names.hpp"

#include <algorithm>
#include <numeric>

#include "suffice/encode/names.hpp"
#include "suffice/report/number_text.hpp"

namespace suffice {

std::optional<std::uint32_t> find_column(const std::vector<FoundColumn>& found, std::string_view name) {
    const auto at = std::ranges::find(found, name, &FoundColumn::name);
    if (at != found.end()) return static_cast<std::uint32_t>(at - found.begin());
    const bool number = !name.empty() && std::ranges::all_of(name, [](char c) { return c >= '0' && c <= '9'; });
    if (!number) return std::nullopt;
    const auto numbered = std::ranges::find(found, "c" + std::string(name), &FoundColumn::name);
    if (numbered == found.end() || std::to_string(numbered - found.begin() + 1) != name) return std::nullopt;
    return static_cast<std::uint32_t>(numbered - found.begin());
}

namespace {

// Only the last star is ever tried again: names are a stranger's, and may be long.
bool matches(std::string_view glob, std::string_view name) {
    std::size_t g = 0, n = 0, star = std::string_view::npos, from = 0;
    while (n < name.size()) {
        if (g < glob.size() && glob[g] == '*') {
            star = g++;
            from = n;
        } else if (g < glob.size() && (glob[g] == '?' || glob[g] == name[n])) {
            ++g, ++n;
        } else if (star != std::string_view::npos) {
            g = star + 1;
            n = ++from;
        } else {
            return false;
        }
    }
    return glob.find_first_not_of('*', g) == std::string_view::npos;
}

}  // namespace

std::vector<std::uint32_t> columns_like(const std::vector<FoundColumn>& found, const std::string& wish) {
    if (const auto at = find_column(found, wish)) return {*at};
    for (std::size_t cut = wish.find_first_of(":-"); cut != std::string::npos;
         cut = wish.find_first_of(":-", cut + 1)) {
        const auto first = find_column(found, wish.substr(0, cut)), last = find_column(found, wish.substr(cut + 1));
        if (!first || !last || *first > *last) continue;
        std::vector<std::uint32_t> range(*last - *first + 1);
        std::iota(range.begin(), range.end(), *first);
        return range;
    }
    std::vector<std::uint32_t> alike;
    if (wish.find_first_of("*?") != std::string::npos)
        for (std::uint32_t k = 0; k < found.size(); ++k)
            if (matches(wish, found[k].name)) alike.push_back(k);
    return alike;
}

Error no_column(const std::string& wanted, const std::vector<FoundColumn>& found, const std::string& file,
                bool tell_others) {
    std::vector<std::string> names;
    for (const auto& column : found) names.push_back(column.name);
    const std::string near = nearest_name(wanted, names);
    std::string why = "there is no column " + wanted;
    const auto mark = names.size() == 1 ? names[0].find_first_of(":;|,\t ^~/") : std::string::npos;
    const std::string_view begin = names.empty() ? std::string_view() : std::string_view(names[0]);
    if (near.empty() && (begin.starts_with('#') || begin.starts_with('%')))
        return Error(why + "; the first line is " + names[0] + (names.size() > 1 ? ", ..." : "") + ": is it a comment?")
            .in_file(file)
            .advise({"comment", std::string(begin.substr(0, 1)), "leave such lines out with"});
    if (names.size() == 1 && (near.empty() || mark != std::string::npos)) {
        why += "; only one column was found, " + names[0] + ": is the delimiter right?";
        std::string delimiter;
        if (mark != std::string::npos) delimiter = names[0][mark] == '\t' ? "tab" : names[0].substr(mark, 1);
        return Error(why).in_file(file).advise({"delimiter", delimiter});
    }
    if (!near.empty())
        why += "; did you mean " + near + "?";
    else if (tell_others)
        why += "; those that are there: " + listed(names, 8);
    return Error(why).in_file(file);
}

Result<std::vector<std::uint32_t>> find_columns(const std::vector<FoundColumn>& found,
                                                const std::vector<std::string>& wishes, const std::string& file) {
    std::vector<std::uint32_t> columns;
    for (const auto& wish : wishes) {
        if (const auto whole = find_column(found, wish)) {
            columns.push_back(*whole);
            continue;
        }
        for (const auto& name : split_list(wish)) {
            const auto alike = columns_like(found, name);
            if (alike.empty()) return no_column(name, found, file);
            columns.insert(columns.end(), alike.begin(), alike.end());
        }
    }
    return columns;
}

}  // namespace suffice
