// Reads tables out of strings for tests, and writes them down plainly for comparison.
#pragma once
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>
#include <unistd.h>
#include <vector>

#include "suffice/read/csv_reader.hpp"

namespace suffice::testing {

// A file that goes away with its owner.
class TemporaryFile {
public:
    explicit TemporaryFile(const std::string& content) {
        const int file = ::mkstemp(name_.data());
        std::ofstream(name_, std::ios::binary).write(content.data(), static_cast<std::streamsize>(content.size()));
        ::close(file);
    }
    ~TemporaryFile() { ::unlink(name_.c_str()); }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    const std::string& name() const { return name_; }

private:
    std::string name_ = "/tmp/suffice-test-XXXXXX";
};

inline std::string written(const Cells& cells, std::size_t row) {
    if (cells.kind == ColumnKind::number || cells.kind == ColumnKind::flag) {
        char text[40];
        std::snprintf(text, sizeof text, "%.17g", cells.numbers[row]);
        return std::isnan(cells.numbers[row]) ? "<missing>" : text;
    }
    return cells.words[row].data() == nullptr ? "<missing>" : std::string(cells.words[row]);
}

using Rows = std::vector<std::vector<std::string>>;

inline Result<Rows> rows_of(TableReader& reader) {
    Rows rows;
    TableUnit unit;
    for (;;) {
        auto drawn = reader.draw(unit);
        if (!drawn) return drawn.error();
        if (!*drawn) return rows;
        if (auto decoded = reader.decode(unit); !decoded) return decoded.error();
        for (std::size_t row = 0; row < unit.row_count; ++row) {
            rows.emplace_back();
            for (const Cells& cells : unit.columns)
                if (!cells.numbers.empty() || !cells.words.empty()) rows.back().push_back(written(cells, row));
        }
    }
}

inline Result<std::unique_ptr<TableReader>> open_text(const TemporaryFile& file, const ReadOptions& options = {},
                                                      std::size_t unit_bytes = csv_unit_bytes) {
    return open_csv({file.name()}, options, false, unit_bytes);
}

inline Result<Rows> read_text(const std::string& content, const ReadOptions& options = {},
                              std::size_t unit_bytes = csv_unit_bytes) {
    const TemporaryFile file(content);
    auto reader = open_text(file, options, unit_bytes);
    if (!reader) return reader.error();
    return rows_of(**reader);
}

inline std::vector<FoundColumn> columns_of(const std::string& content, const ReadOptions& options = {}) {
    const TemporaryFile file(content);
    return open_text(file, options).value()->columns();
}

// "row 3, column x: ..." without the name of the temporary file.
template <class T>
std::string complaint(const Result<T>& result) {
    if (result) return "no error";
    Error error = result.error();
    error.file.clear();
    return error.sentence();
}

}  // namespace suffice::testing
