// Names get their order here: classes, categories and vocabularies of one source sorted, of two sources united.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "suffice/base/result.hpp"
#include "suffice/data/schema.hpp"

namespace suffice {

// By value if all are numbers, else by UTF-8 bytes.
bool all_numbers(const std::vector<std::string>& names);
void sort_names(std::vector<std::string>& names);

// Leaves the names whose codes are kept, in the order of sort_names where asked, and tells where each went.
CodeMap leave_names(std::vector<std::string>& names, const std::function<bool(std::size_t)>& kept, bool sorted);

// Where each name of `from` stands in `into`; names that are not there are dropped.
CodeMap map_codes(const std::vector<std::string>& from, const std::vector<std::string>& into);

struct United {
    Schema schema;
    Recoding left, right;
};
// One schema for two sources that named things apart, and how each side's codes move into it. Columns are matched by
// position and must agree in name and kind.
Result<United> unite(const Schema& left, const Schema& right);

// "did you mean ...": the nearest of the names by edits, if near at all; empty otherwise.
std::string nearest_name(const std::string& wanted, const std::vector<std::string>& names);

}  // namespace suffice
