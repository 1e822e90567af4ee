// Tells formats apart, and hands rewritten rows out as bytes.
#include "suffice/read/rewritten.hpp"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <fstream>

namespace suffice {
namespace {

class CsvOf final : public ByteSource {
public:
    explicit CsvOf(std::unique_ptr<RowMaker> rows) : rows_(std::move(rows)) {}
    Result<std::size_t> read(char* into, std::size_t size) override {
        std::size_t done = 0;
        while (done < size) {
            if (next_ == held_.size()) {
                held_.clear();
                next_ = 0;
                const auto more = rows_->next(held_);
                if (!more) return more.error();
                if (!*more && held_.empty()) break;
            }
            const std::size_t count = std::min(size - done, held_.size() - next_);
            std::memcpy(into + done, held_.data() + next_, count);
            next_ += count;
            done += count;
        }
        return done;
    }
    std::uint64_t consumed() const override { return rows_->consumed(); }

private:
    std::unique_ptr<RowMaker> rows_;
    std::string held_;
    std::size_t next_ = 0;
};

bool starts_as_json(std::string_view bytes) {
    const auto skip = [&] { bytes.remove_prefix(std::min(bytes.find_first_not_of(" \t\r\n"), bytes.size())); };
    skip();
    if (bytes.starts_with('[')) {
        bytes.remove_prefix(1);
        skip();
    }
    if (!bytes.starts_with('{')) return false;
    bytes.remove_prefix(1);
    skip();
    return bytes.starts_with('"') || bytes.starts_with('}');
}

// Comments and blank lines may stand before @relation.
bool starts_as_arff(std::string_view bytes) {
    constexpr std::string_view word = "@relation";
    while (!bytes.empty()) {
        const std::string_view line = bytes.substr(0, bytes.find('\n'));
        const std::size_t at = line.find_first_not_of(" \t\r");
        if (at != std::string_view::npos && line[at] != '%') {
            const std::string_view rest = line.substr(at);
            return rest.size() > word.size() && std::equal(word.begin(), word.end(), rest.begin(), [](char a, char b) {
                       return a == std::tolower(static_cast<unsigned char>(b));
                   });
        }
        bytes.remove_prefix(std::min(line.size() + 1, bytes.size()));
    }
    return false;
}

}  // namespace

bool is_duckdb(std::string_view first_bytes) { return first_bytes.size() >= 12 && first_bytes.substr(8, 4) == "DUCK"; }

bool is_database(const std::string& path) {
    if (!regular_size(path)) return false;
    std::string first(16, '\0');
    std::ifstream file(path, std::ios::binary);
    file.read(first.data(), static_cast<std::streamsize>(first.size()));
    return file && row_format(first) == RowFormat::database;
}

RowFormat row_format(std::string_view first_bytes) {
    using namespace std::string_view_literals;
    if (first_bytes.starts_with("\xEF\xBB\xBF")) first_bytes.remove_prefix(3);
    if (first_bytes.starts_with("PK\x03\x04"sv)) return RowFormat::workbook;
    if (first_bytes.starts_with("SQLite format 3\0"sv) || is_duckdb(first_bytes)) return RowFormat::database;
    if (starts_as_json(first_bytes)) return RowFormat::json;
    if (starts_as_arff(first_bytes)) return RowFormat::arff;
    return RowFormat::delimited;
}

std::unique_ptr<ByteSource> csv_of(std::unique_ptr<RowMaker> rows) { return std::make_unique<CsvOf>(std::move(rows)); }

void append_csv_cell(std::string& csv, std::string_view cell, bool first) {
    if (!first) csv += ',';
    const bool blank_ends = !cell.empty() && (cell.front() == ' ' || cell.back() == ' ');
    if (cell.find_first_of(",\"\r\n") == std::string_view::npos && !blank_ends) {
        csv += cell;
        return;
    }
    csv += '"';
    for (const char byte : cell) {
        const bool ends_line = byte == '\n' || byte == '\r';  // a row is a line, so that messages count rows
        csv.append(byte == '"' ? 2 : 1, ends_line ? ' ' : byte);
    }
    csv += '"';
}

}  // namespace suffice
