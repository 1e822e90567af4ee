// JSON objects as rows of CSV. Columns are the keys of the objects in a first look, in order of appearance.
#include <algorithm>
#include <charconv>
#include <optional>
#include <unordered_map>

#include "suffice/read/rewritten.hpp"

namespace suffice {
namespace {

constexpr std::size_t json_look_bytes = std::size_t{1} << 20, json_piece = std::size_t{1} << 18;

// What one object holds, nested ones by their path.
using JsonCells = std::vector<std::pair<std::string, std::string>>;

// Reads one object of a text that holds all of it.
class JsonObject {
public:
    explicit JsonObject(std::string_view text) : text_(text) {}
    // Whether it was well formed.
    bool read(JsonCells& into) { return object("", into) && (skip(), at_ == text_.size()); }

private:
    void skip() {
        while (at_ < text_.size() &&
               (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n' || text_[at_] == '\r'))
            ++at_;
    }
    bool take(char byte) {
        skip();
        if (at_ >= text_.size() || text_[at_] != byte) return false;
        ++at_;
        return true;
    }
    bool object(const std::string& path, JsonCells& into) {
        if (++depth_ > 64 || !take('{')) return false;
        if (take('}')) return --depth_, true;
        do {
            std::string key;
            skip();
            if (!string(key) || !take(':')) return false;
            if (!value(path.empty() ? key : path + "." + key, into)) return false;
        } while (take(','));
        --depth_;
        return take('}');
    }
    bool value(std::string path, JsonCells& into) {
        skip();
        if (at_ >= text_.size()) return false;
        if (text_[at_] == '{') return object(path, into);
        std::string cell;
        if (text_[at_] == '"') {
            if (!string(cell)) return false;
        } else if (text_[at_] == '[') {
            const std::size_t from = at_;
            if (!pass_list()) return false;
            cell = text_.substr(from, at_ - from);
        } else {
            const std::size_t from = at_;
            at_ = std::min(text_.find_first_of(",]} \t\r\n", at_), text_.size());
            cell = text_.substr(from, at_ - from);
            if (cell == "null" || cell == "NaN")
                cell.clear();
            else if (cell != "true" && cell != "false" && !is_number(cell))
                return false;
        }
        into.emplace_back(std::move(path), std::move(cell));
        return true;
    }
    static bool is_number(const std::string& word) {
        double number = 0;
        const auto read = std::from_chars(word.data(), word.data() + word.size(), number);
        return !word.empty() && read.ptr == word.data() + word.size();
    }
    bool pass_list() {
        std::size_t open = 0;
        for (; at_ < text_.size(); ++at_) {
            const char byte = text_[at_];
            if (byte == '"') {
                std::string none;
                if (!string(none)) return false;
                --at_;
            } else if (byte == '[' || byte == '{') {
                ++open;
            } else if ((byte == ']' || byte == '}') && --open == 0) {
                ++at_;
                return true;
            }
        }
        return false;
    }
    bool hex(std::uint32_t& code) {
        if (at_ + 4 > text_.size()) return false;
        const auto read = std::from_chars(text_.data() + at_, text_.data() + at_ + 4, code, 16);
        at_ += 4;
        return read.ptr == text_.data() + at_;
    }
    static void append_utf8(std::string& out, std::uint32_t code) {
        const auto put = [&](std::uint32_t byte) { out += static_cast<char>(byte); };
        if (code < 0x80) return put(code);
        if (code < 0x800) {
            put(0xC0 | code >> 6);
        } else if (code < 0x10000) {
            put(0xE0 | code >> 12);
            put(0x80 | (code >> 6 & 0x3F));
        } else {
            put(0xF0 | code >> 18);
            put(0x80 | (code >> 12 & 0x3F));
            put(0x80 | (code >> 6 & 0x3F));
        }
        put(0x80 | (code & 0x3F));
    }
    bool escaped(std::string& out) {
        constexpr std::string_view letters = "\"\\/bfnrt", bytes = "\"\\/\b\f\n\r\t";
        if (at_ >= text_.size()) return false;
        const char letter = text_[at_++];
        if (const auto known = letters.find(letter); known != std::string_view::npos) {
            out += bytes[known];
            return true;
        }
        std::uint32_t code = 0, low = 0;
        if (letter != 'u' || !hex(code)) return false;
        if (code >= 0xD800 && code < 0xDC00 && text_.substr(at_, 2) == "\\u") {
            at_ += 2;
            if (!hex(low)) return false;
            code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
        }
        append_utf8(out, code >= 0xD800 && code < 0xE000 ? 0xFFFD : code);
        return true;
    }
    bool string(std::string& out) {
        if (at_ >= text_.size() || text_[at_] != '"') return false;
        for (++at_; at_ < text_.size();) {
            const char byte = text_[at_++];
            if (byte == '"') return true;
            if (byte != '\\')
                out += byte;
            else if (!escaped(out))
                return false;
        }
        return false;
    }

    std::string_view text_;
    std::size_t at_ = 0, depth_ = 0;
};

class JsonRows final : public RowMaker {
public:
    JsonRows(std::unique_ptr<ByteSource> bytes, std::string name) : bytes_(std::move(bytes)), name_(std::move(name)) {}

    // The columns, from the first objects, which are kept.
    Result<void> look() {
        for (std::size_t read = 0; read < json_look_bytes;) {
            auto cells = next_object();
            if (!cells) return cells.error();
            if (!*cells) break;
            for (const auto& [key, value] : **cells) {
                read += key.size() + value.size();
                if (place_.emplace(key, columns_.size()).second) columns_.push_back(key);
            }
            first_.push_back(std::move(**cells));
        }
        if (columns_.empty()) return Error("the file holds no JSON object with a key").in_file(name_);
        return {};
    }
    Result<bool> next(std::string& csv) override {
        if (!told_) {
            for (std::size_t k = 0; k < columns_.size(); ++k) append_csv_cell(csv, columns_[k], k == 0);
            csv += '\n';
            for (const JsonCells& cells : first_)
                if (auto put = append(cells, csv); !put) return put.error();
            first_.clear();
            told_ = true;
            return true;
        }
        while (csv.size() < json_piece) {
            auto cells = next_object();
            if (!cells) return cells.error();
            if (!*cells) return !csv.empty();
            if (auto put = append(**cells, csv); !put) return put.error();
        }
        return true;
    }
    std::uint64_t consumed() const override { return bytes_->consumed(); }

private:
    Result<void> append(const JsonCells& cells, std::string& csv) {
        row_.assign(columns_.size(), {});
        for (const auto& [key, value] : cells) {
            const auto place = place_.find(key);
            if (place == place_.end())
                return Error("the key " + key +
                             " first comes up here, behind the first look at the file; give it to one of "
                             "the first objects too, with null")
                    .in_file(name_)
                    .at_row(line_);
            row_[place->second] = value;
        }
        // A line that is empty would be none.
        if (columns_.size() == 1 && row_[0].empty())
            csv += "\"\"";
        else
            for (std::size_t k = 0; k < row_.size(); ++k) append_csv_cell(csv, row_[k], k == 0);
        csv += '\n';
        return {};
    }
    Result<bool> fill() {
        text_.erase(0, at_);
        at_ = 0;
        const std::size_t had = text_.size();
        text_.resize(had + json_piece);
        const auto got = bytes_->read(text_.data() + had, json_piece);
        if (!got) return got.error();
        text_.resize(had + *got);
        return *got > 0;
    }
    Error no_object() const {
        return Error("this is no JSON object in one piece, such as {\"age\": 3}").in_file(name_).at_row(line_);
    }
    // Up to the next object; what may stand between two is passed over.
    Result<std::optional<JsonCells>> next_object() {
        for (;;) {
            if (at_ == text_.size()) {
                const auto more = fill();
                if (!more) return more.error();
                if (!*more) return std::optional<JsonCells>{};
            }
            const char byte = text_[at_];
            if (byte == '{') break;
            line_ += byte == '\n';
            if (std::string_view(" \t\r\n,[]\xEF\xBB\xBF").find(byte) == std::string_view::npos) return no_object();
            ++at_;
        }
        std::size_t open = 0;
        bool quoted = false, escaped = false;
        for (std::size_t end = at_;; ++end) {
            if (end == text_.size()) {
                const std::size_t seen = end - at_;
                const auto more = fill();
                if (!more) return more.error();
                if (!*more) return no_object();
                end = seen;
            }
            const char byte = text_[end];
            if (escaped) {
                escaped = false;
            } else if (quoted) {
                escaped = byte == '\\';
                quoted = byte != '"';
            } else if (byte == '"') {
                quoted = true;
            } else if (byte == '{' || byte == '[') {
                ++open;
            } else if ((byte == '}' || byte == ']') && --open == 0) {
                return object_until(end + 1);
            }
        }
    }
    Result<std::optional<JsonCells>> object_until(std::size_t end) {
        JsonCells cells;
        const std::string_view text = std::string_view(text_).substr(at_, end - at_);
        if (!JsonObject(text).read(cells)) return no_object();
        line_ += static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
        at_ = end;
        return std::optional(std::move(cells));
    }

    std::unique_ptr<ByteSource> bytes_;
    std::string name_, text_;
    std::size_t at_ = 0;
    std::uint64_t line_ = 1;
    std::vector<std::string> columns_, row_;
    std::unordered_map<std::string, std::size_t> place_;
    std::vector<JsonCells> first_;
    bool told_ = false;
};

}  // namespace

Result<RewrittenRows> rewrite_json(std::unique_ptr<ByteSource> bytes, std::string name) {
    auto rows = std::make_unique<JsonRows>(std::move(bytes), std::move(name));
    if (auto looked = rows->look(); !looked) return looked.error();
    return RewrittenRows{csv_of(std::move(rows)), -1};  // the header is a line that the file does not have
}

}  // namespace suffice
