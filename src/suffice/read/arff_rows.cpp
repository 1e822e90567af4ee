// Weka's attribute-relation format as CSV. Only the names of attributes are taken: kinds are found from the values, as
// in every other file.
#include <cctype>

#include "suffice/read/rewritten.hpp"

namespace suffice {
namespace {

constexpr std::size_t arff_piece = std::size_t{1} << 18;

std::string_view trimmed(std::string_view text) {
    const auto blank = [](char byte) { return byte == ' ' || byte == '\t' || byte == '\r'; };
    while (!text.empty() && blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && blank(text.back())) text.remove_suffix(1);
    return text;
}

std::string lowered(std::string_view text) {
    std::string made(text);
    for (char& byte : made) byte = static_cast<char>(std::tolower(static_cast<unsigned char>(byte)));
    return made;
}

// Takes one value off the front, quoted or up to one of `ends`; what quotes hold stays as it is.
bool take_value(std::string_view& line, std::string_view ends, std::string& value) {
    value.clear();
    line = trimmed(line);
    if (line.starts_with('\'') || line.starts_with('"')) {
        const char quote = line.front();
        for (std::size_t at = 1; at < line.size(); ++at) {
            if (line[at] == '\\' && at + 1 < line.size()) {
                value += line[++at];
            } else if (line[at] == quote) {
                line = trimmed(line.substr(at + 1));
                return true;
            } else {
                value += line[at];
            }
        }
        return false;
    }
    const std::size_t end = std::min(line.find_first_of(ends), line.size());
    value = trimmed(line.substr(0, end));
    line = trimmed(line.substr(end));
    return true;
}

class ArffRows final : public RowMaker {
public:
    ArffRows(std::unique_ptr<ByteSource> bytes, std::string name) : bytes_(std::move(bytes)), name_(std::move(name)) {}

    // Up to @data.
    Result<void> read_header() {
        std::string line;
        for (;;) {
            const auto more = next_line(line);
            if (!more) return more.error();
            if (!*more) return Error("the file has no @data").in_file(name_);
            std::string_view rest = trimmed(line);
            if (rest.empty() || rest.starts_with('%')) continue;
            const std::string word = lowered(rest.substr(0, rest.find_first_of(" \t")));
            if (word == "@data") break;
            if (word != "@attribute") continue;
            rest.remove_prefix(word.size());
            std::string column;
            if (!take_value(rest, " \t{", column) || column.empty())
                return Error("the attribute has no name").in_file(name_).at_row(line_);
            columns_.push_back(std::move(column));
            // A sparse row leaves the first level of a nominal attribute out, and else zero.
            std::string first = "0";
            if (rest.starts_with('{')) {
                rest.remove_prefix(1);
                take_value(rest, ",}", first);
            }
            absent_.push_back(std::move(first));
        }
        if (columns_.empty()) return Error("the file has no @attribute").in_file(name_);
        return {};
    }
    std::uint64_t lines() const { return line_; }
    Result<bool> next(std::string& csv) override {
        if (!told_) {
            for (std::size_t k = 0; k < columns_.size(); ++k) append_csv_cell(csv, columns_[k], k == 0);
            csv += '\n';
            told_ = true;
        }
        std::string line;
        while (csv.size() < arff_piece) {
            const auto more = next_line(line);
            if (!more) return more.error();
            if (!*more) return !csv.empty();
            if (auto put = append(trimmed(line), csv); !put) return put.error();
        }
        return true;
    }
    std::uint64_t consumed() const override { return bytes_->consumed(); }

private:
    // Lines that hold no row stay lines, so that rows have the numbers that editors show.
    Result<void> append(std::string_view line, std::string& csv) {
        if (line.empty() || line.starts_with('%')) {
            csv += '\n';
            return {};
        }
        const auto bad = [&] {
            return Error("the row makes no sense: a quote or an index is amiss").in_file(name_).at_row(line_);
        };
        row_.clear();
        if (line.starts_with('{')) {
            row_ = absent_;
            line = trimmed(line.substr(1, line.size() - 1 - line.ends_with('}')));
            while (!line.empty()) {
                std::string place, value;
                if (!take_value(line, " \t", place) || !take_value(line, ",", value)) return bad();
                std::size_t at = columns_.size();
                if (place.size() < 10 && place.find_first_not_of("0123456789") == std::string::npos && !place.empty())
                    at = std::stoul(place);
                if (at >= columns_.size()) return bad();
                row_[at] = std::move(value);
                if (line.starts_with(',')) line = trimmed(line.substr(1));
            }
        } else {
            const std::string_view mark = line.find(',') != std::string_view::npos ? "," : "\t";
            for (bool more = true; more;) {
                std::string value;
                if (!take_value(line, mark, value)) return bad();
                row_.push_back(std::move(value));
                more = line.starts_with(mark);
                if (more)
                    line.remove_prefix(1);
                else if (!line.empty())
                    return bad();
            }
        }
        for (std::size_t k = 0; k < row_.size(); ++k) append_csv_cell(csv, row_[k] == "?" ? "" : row_[k], k == 0);
        csv += '\n';
        return {};
    }
    Result<bool> next_line(std::string& line) {
        std::size_t end = 0;
        while ((end = text_.find('\n', at_)) == std::string::npos) {
            text_.erase(0, at_);
            at_ = 0;
            const std::size_t had = text_.size();
            text_.resize(had + arff_piece);
            const auto got = bytes_->read(text_.data() + had, arff_piece);
            if (!got) return got.error();
            text_.resize(had + *got);
            if (*got > 0) continue;
            if (text_.empty()) return false;
            end = text_.size();
            break;
        }
        line.assign(text_, at_, end - at_);
        at_ = std::min(end + 1, text_.size());
        ++line_;
        return true;
    }

    std::unique_ptr<ByteSource> bytes_;
    std::string name_, text_;
    std::size_t at_ = 0;
    std::uint64_t line_ = 0;
    std::vector<std::string> columns_, absent_, row_;
    bool told_ = false;
};

}  // namespace

Result<RewrittenRows> rewrite_arff(std::unique_ptr<ByteSource> bytes, std::string name) {
    auto rows = std::make_unique<ArffRows>(std::move(bytes), std::move(name));
    if (auto read = rows->read_header(); !read) return read.error();
    const auto shift = static_cast<std::int64_t>(rows->lines()) - 1;
    return RewrittenRows{csv_of(std::move(rows)), shift};
}

}  // namespace suffice
