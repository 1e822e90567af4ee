// What is told of columns, those that are alike in one note.
#pragma once
#include <string>
#include <vector>

#include "suffice/base/remedy.hpp"

namespace suffice {

// "the column a" ONE[0] EXAMPLE ONE[1], or "the columns a, b" MANY[0] EXAMPLE MANY[1] with the example of the first.
struct ColumnWords {
    std::string head, tail;
    bool operator==(const ColumnWords&) const = default;
};

class ColumnNotes {
public:
    void add(const std::string& column, const std::string& example, ColumnWords one, ColumnWords many);
    std::vector<Note> notes() const;

private:
    struct Kind {
        ColumnWords one, many;
        std::string example;
        std::vector<std::string> columns;
    };
    std::vector<Kind> kinds_;
};

}  // namespace suffice
