// Where rows come from: files by their names, or a table in memory, which is read as a file of its columns would be.
#pragma once
#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "suffice/encode/table.hpp"

namespace suffice {

// Whatever takes files takes a table as well. Its columns are found by name: those of the model, the one of the
// classes, weights.
class Data {
public:
    Data(std::vector<std::string> files) : files_(std::move(files)) {}
    Data(std::initializer_list<std::string> files) : files_(files) {}
    Data(const Table& table) : table_(std::shared_ptr<const Table>(), &table) {}  // which must live as long
    Data(Table&& table) : table_(std::make_shared<const Table>(std::move(table))) {}

    const std::vector<std::string>& files() const { return files_; }  // none: the rows are in memory
    const Table* table() const { return table_.get(); }               // null: they are in files

private:
    std::vector<std::string> files_;
    std::shared_ptr<const Table> table_;
};

}  // namespace suffice
