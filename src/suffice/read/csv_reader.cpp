// Draws units of whole rows from delimited files in order, and decodes them.
#include "suffice/read/csv_reader.hpp"

#include <algorithm>
#include <atomic>
#include <limits>
#include <map>

#include "suffice/kernel/decimal.hpp"
#include "suffice/read/bytes.hpp"
#include "suffice/read/csv_bytes.hpp"
#include "suffice/read/csv_cells.hpp"
#include "suffice/read/csv_columns.hpp"
#include "suffice/read/csv_look.hpp"
#include "suffice/read/packed_arrow.hpp"
#include "suffice/read/utf8.hpp"
#include "suffice/read/word_look.hpp"

namespace suffice {
namespace {

const Remedy as_latin{"encoding", "latin-1", "for Latin-1 use"};
const Remedy may_be_missing{"allow_missing_columns", "true", "use", "to treat it as missing"};

constexpr std::uint32_t absent = ~std::uint32_t{0};  // the place of a column that a file lacks

class CsvReader final : public TableReader {
public:
    CsvReader(std::vector<std::string> files, CsvBytes first, const ReadOptions& options, std::size_t unit_bytes)
        : files_(std::move(files)),
          options_(options),
          marks_(options.missing),
          unit_bytes_(unit_bytes),
          bytes_(std::move(first)) {}

    Result<void> open();
    const std::vector<FoundColumn>& columns() const override { return columns_; }
    const std::vector<std::string>& files() const override { return files_; }
    void want(std::uint32_t column, bool wanted, ColumnKind kind) override;
    Result<bool> draw(TableUnit& unit) override;
    Result<void> decode(TableUnit& unit) const override;
    std::uint64_t line_of(const TableUnit& unit, std::size_t row) const override;
    Result<void> rewind() override;
    void stop_keeping() override { bytes_.stop_keeping(); }
    Progress progress() const override { return {rows_seen_.load(), bytes_seen_.load(), total_bytes_}; }
    std::uint64_t skipped_rows() const override { return skipped_; }
    std::uint64_t replaced_bytes() const override { return replaced_; }
    bool is_latin1() const override { return options_.latin1; }

private:
    Result<void> open_file();
    Result<void> fill_look();
    Result<void> first_look();
    Result<void> look_as_latin();
    Result<void> check_columns(const std::vector<std::string>& names);
    Result<std::size_t> fill_text(CsvText& text);
    Result<bool> take_rows(CsvText& text, TableUnit& unit, std::size_t whole);
    void decide_waiting(const CsvText& text);
    void start_kinds();
    bool is_styled(std::uint32_t column, ColumnKind kind) const;
    void replace_bytes(Cells& cells) const;
    std::optional<BadCell> read_styled(std::uint32_t column, const CsvText& text, Cells& cells) const;
    std::uint64_t line_ends_before(const CsvText& text, std::size_t at) const {
        return static_cast<std::uint64_t>(std::count(text.text(), text.text() + at, dialect_.terminator));
    }
    Error named(Error error) const { return std::move(error).in_file(file_name(file_)); }
    std::string file_name(std::size_t file) const { return files_[file] == "-" ? "stdin" : files_[file]; }

    std::vector<std::string> files_;
    ReadOptions options_;
    MissingMarks marks_;
    std::size_t unit_bytes_;

    CsvDialect dialect_;
    std::vector<FoundColumn> columns_;
    std::vector<bool> wanted_;
    std::vector<ColumnKind> wanted_kind_;

    // Where drawing stands.
    std::size_t file_ = 0;
    bool looked_ = false, rewritten_ = false;
    CsvBytes bytes_;     // of the file
    std::string carry_;  // of the row that the last unit cut off
    std::uint64_t unit_index_ = 0, line_ = 1, row_ = 0, skipped_ = 0, bytes_before_ = 0, total_bytes_ = 0;
    std::atomic<std::uint64_t> rows_seen_ = 0, bytes_seen_ = 0;
    mutable std::atomic<std::uint64_t> replaced_ = 0;  // counted by whichever thread decodes
    std::vector<std::uint32_t> waiting_;               // columns whose first value decides
    std::shared_ptr<const std::vector<ColumnKind>> kinds_;
    std::shared_ptr<const std::vector<std::uint32_t>> order_;
    std::size_t width_ = 0;  // fields of a row of this file
};

std::string fields(std::size_t count) { return std::to_string(count) + (count == 1 ? " field" : " fields"); }

Result<void> CsvReader::open() {
    for (const std::string& name : files_) {
        const auto size = regular_size(name);
        if (!size) {
            total_bytes_ = 0;  // unknown
            break;
        }
        total_bytes_ += *size;
    }
    return open_file();
}

// Looks at the start of the file: 1 MiB, or what it takes to hold a header and a row.
Result<void> CsvReader::fill_look() {
    if (auto read = bytes_.look(8); !read) return read;
    if (starts_as_arrow(bytes_.start()))
        return named(Error("the file is Parquet or Arrow, and others are not; read them apart and merge"));
    for (std::size_t wanted = csv_look_bytes;; wanted *= 2) {
        if (auto read = bytes_.look(wanted); !read) return read;
        if (bytes_.start_is_all() || wanted >= csv_row_limit) break;
        const CsvDialect dialect = looked_ ? dialect_ : find_dialect(bytes_.start(), false, options_);
        if (holds_two_rows(bytes_.start(), dialect)) break;
    }
    if (bytes_.start().starts_with("\xFF\xFE") || bytes_.start().starts_with("\xFE\xFF"))
        return named(Error("the file is UTF-16; save it as UTF-8"));
    const std::string_view first_line = bytes_.start().substr(0, bytes_.start().find('\n'));
    if (first_line.find('\0') != std::string_view::npos)
        return named(
            Error("the file starts with zero bytes, as UTF-16 and files that are not text have; save it as UTF-8"));
    if (bytes_.start().starts_with("\xEF\xBB\xBF")) bytes_.skip(3);
    if (bytes_.start().empty()) return named(Error("the file is empty"));
    return {};
}

Result<void> CsvReader::open_file() {
    if (!bytes_.is_open())
        if (auto opened = bytes_.open(file_, files_[file_], file_name(file_)); !opened) return opened;
    carry_.clear();
    if (looked_ && bytes_.is_rewritten() != rewritten_)
        return named(Error("the file is of another format than " + file_name(0) + "; read them apart and merge"));
    rewritten_ = bytes_.is_rewritten();
    if (rewritten_) {  // whatever was said of delimited files
        options_.delimiter = ',';
        options_.header = options_.quoting = true;
        options_.comment = 0;
    }
    if (auto filled = fill_look(); !filled) return filled;
    if (!looked_) {
        if (auto looked = first_look(); !looked) return looked;
    }
    CsvStart start = start_of_csv(bytes_.start(), bytes_.start_is_all(), dialect_);
    if (auto same = check_columns(start.names); !same) return same;
    bytes_.skip(start.body);  // a header without a line end is one byte longer than it is
    line_ = static_cast<std::uint64_t>(static_cast<std::int64_t>(1 + start.lines_before) + bytes_.line_shift());
    return {};
}

// Names that are no UTF-8 are letters of Latin-1, and so is the rest of the file; a pipe has gone by.
Result<void> CsvReader::look_as_latin() {
    const Error refused = named(Error("the header is not UTF-8").advise(as_latin).at_row(line_));
    if (options_.latin1 || rewritten_ || !regular_size(files_[file_])) return refused;
    options_.latin1 = true;
    bytes_.read_as_latin1();
    if (auto opened = bytes_.open(file_, files_[file_], file_name(file_)); !opened) return opened;
    if (auto filled = fill_look(); !filled) return filled;
    return first_look();
}

Result<void> CsvReader::first_look() {
    CsvLook look = look_at_csv(bytes_.start(), bytes_.start_is_all(), options_, marks_, rewritten_);
    if (look.columns.empty()) {
        if (!bytes_.start_is_all())
            return named(Error("the first row is longer than 64 MiB, the most that a row may have").at_row(1));
        if (bytes_.start().find(look.dialect.quote) != std::string_view::npos && look.dialect.quote != 0)
            return named(Error("a quote is opened and never closed"));
        return named(Error("the file holds no rows"));
    }
    dialect_ = look.dialect;
    columns_ = std::move(look.columns);
    for (const FoundColumn& column : columns_)
        if (find_invalid_utf8(column.name) != std::string_view::npos) return look_as_latin();
    std::vector<std::string> names;
    for (const FoundColumn& column : columns_) names.push_back(column.name);
    std::ranges::sort(names);
    if (const auto twice = std::ranges::adjacent_find(names); twice != names.end())
        return named(Error("two columns are called " + in_quotes(*twice) + "; rename one")
                         .advise({"header", "false", "or use", "where the first row holds values"}));
    if (dialect_.header && (options_.missing_columns || options_.other_columns))
        if (auto more = add_columns_of_later_files(files_, dialect_, options_, marks_, columns_); !more) return more;
    wanted_.assign(columns_.size(), true);
    for (const FoundColumn& column : columns_) wanted_kind_.push_back(column.kind);
    looked_ = true;
    start_kinds();
    return {};
}

// Finds the place of each column in this file, whose columns may stand in another order.
Result<void> CsvReader::check_columns(const std::vector<std::string>& names) {
    auto order = std::make_shared<std::vector<std::uint32_t>>(columns_.size());
    width_ = dialect_.header ? names.size() : columns_.size();
    if (!dialect_.header) {
        for (std::uint32_t k = 0; k < columns_.size(); ++k) (*order)[k] = k;
        order_ = std::move(order);
        return {};
    }
    std::map<std::string_view, std::uint32_t> places;
    for (std::uint32_t k = 0; k < names.size(); ++k)
        if (!places.emplace(names[k], k).second)
            return named(Error("two columns are called " + in_quotes(names[k]) + "; rename one"));
    for (std::size_t k = 0; k < columns_.size(); ++k) {
        const auto found = places.find(columns_[k].name);
        const bool may_lack = options_.missing_columns || (options_.other_columns && !wanted_[k]);
        if (found == places.end() && !may_lack && file_ > 0)
            return named(
                Error("the file has no column " + in_quotes(columns_[k].name) + ", which " + file_name(0) + " has")
                    .advise(may_be_missing));
        (*order)[k] = found == places.end() ? absent : found->second;
        if (found != places.end()) places.erase(found);
    }
    if (!places.empty() && options_.missing_columns && !options_.other_columns)  // only a pipe shows them so late
        return named(Error("the pipe has a column " + in_quotes(places.begin()->first) +
                           ", which none of the files has; name the pipe first"));
    if (!places.empty() && !options_.missing_columns && !options_.other_columns)
        return named(
            Error("the file has a column " + in_quotes(places.begin()->first) + ", which " + file_name(0) + " has not")
                .advise(may_be_missing));
    order_ = std::move(order);
    return {};
}

void CsvReader::want(std::uint32_t column, bool wanted, ColumnKind kind) {
    wanted_[column] = wanted;
    wanted_kind_[column] = kind;
    kinds_.reset();  // decided anew before the next row, once for all columns
}

void CsvReader::start_kinds() {
    kinds_ = std::make_shared<const std::vector<ColumnKind>>(wanted_kind_);
    waiting_.clear();
    for (std::uint32_t k = 0; k < columns_.size(); ++k)
        if (columns_[k].all_missing && wanted_[k] && wanted_kind_[k] == ColumnKind::number) waiting_.push_back(k);
}

// The first value of a column that had none decides what the column is, from this unit on.
void CsvReader::decide_waiting(const CsvText& text) {
    const auto decided = [&](std::uint32_t column) {
        const std::size_t place = (*order_)[column];
        for (std::size_t row = 0; place != absent && row < text.starts.size(); ++row) {
            const std::string_view word =
                trim_cell(text, dialect_, field_begin(text, width_, row, place), field_end(text, width_, row, place));
            double value = 0;
            if (marks_.contains(word)) continue;
            if (!kernel::parse_decimal(word.data(), word.data() + word.size(), value)) {
                auto kinds = std::make_shared<std::vector<ColumnKind>>(*kinds_);
                (*kinds)[column] = std::ranges::count(word, ' ') >= 3 ? ColumnKind::text : ColumnKind::category;
                kinds_ = std::move(kinds);
                return true;
            }
            if (std::ranges::find(marks_.numbers(), value) == marks_.numbers().end()) return true;
        }
        return false;
    };
    std::erase_if(waiting_, decided);
}

// Fills the text with what was carried over and fresh bytes until it holds a whole row; returns the bytes of whole
// rows.
Result<std::size_t> CsvReader::fill_text(CsvText& text) {
    text.assign(carry_);
    carry_.clear();
    for (std::size_t wanted = std::max(unit_bytes_, text.size);; wanted *= 2) {
        text.reserve(wanted);
        auto got = bytes_.read(text.text() + text.size, wanted - text.size);
        if (!got) return got;
        text.size += *got;
        const bool all_read = bytes_.at_end();
        if (all_read) text.end_with(dialect_.terminator);
        const std::size_t whole = find_fields(text, dialect_);
        if (whole > 0 || text.size == 0) return whole;
        if (all_read) return named(Error("a quote is opened in this row and never closed").at_row(line_));
        if (text.size >= csv_row_limit)
            return named(Error("the row is longer than 64 MiB, the most that a row may have; is a quote left open?")
                             .at_row(line_));
    }
}

Result<bool> CsvReader::draw(TableUnit& unit) {
    auto* text = dynamic_cast<CsvText*>(unit.memory.get());
    if (text == nullptr) {
        auto fresh = std::make_unique<CsvText>();
        text = fresh.get();
        unit.memory = std::move(fresh);
    }
    for (;;) {
        if (!bytes_.is_open()) {
            if (file_ + 1 >= files_.size()) return false;
            ++file_;
            if (auto opened = open_file(); !opened) return opened.error();
        }
        auto whole = fill_text(*text);
        if (!whole) return whole.error();
        bytes_seen_ = bytes_before_ + bytes_.consumed();
        if (text->size == 0) {
            bytes_before_ += bytes_.consumed();
            bytes_.close();
            continue;
        }
        auto taken = take_rows(*text, unit, *whole);
        if (!taken || *taken) return taken;
    }
}

// Keeps the regular rows of the first `whole` bytes and carries the rest over; false where no row is left.
Result<bool> CsvReader::take_rows(CsvText& text, TableUnit& unit, std::size_t whole) {
    carry_.assign(text.text() + whole, text.size - whole);
    text.size = whole;
    const auto ragged = keep_regular_rows(text, dialect_, width_, unit.skipped_before);
    if (!ragged.empty() && !options_.skip_ragged) {
        return named(
            Error("the row has " + fields(ragged.front().fields) + ", but the first has " + std::to_string(width_))
                .advise({"ragged", "skip", "use", "to leave such rows out"})
                .at_row(line_ + line_ends_before(text, ragged.front().start)));
    }
    unit.row_count = text.starts.size();
    unit.first_line = line_;
    unit.first_row = row_;
    unit.file = static_cast<std::uint32_t>(file_);
    line_ += text.lines;
    row_ += unit.row_count + ragged.size();
    skipped_ += ragged.size();
    rows_seen_ = row_;
    if (unit.row_count + ragged.size() == 0) return false;
    unit.index = unit_index_++;
    if (!kinds_) start_kinds();
    if (!waiting_.empty()) decide_waiting(text);
    text.kinds = kinds_;
    text.order = order_;
    text.width = width_;
    return true;
}

bool CsvReader::is_styled(std::uint32_t column, ColumnKind kind) const {
    return columns_[column].style.any() && (kind == ColumnKind::number || kind == ColumnKind::flag);
}

// Words that are no UTF-8 are written anew, with room behind for those who read ahead.
void CsvReader::replace_bytes(Cells& cells) const {
    constexpr std::size_t read_ahead = 64;
    for (std::string_view& word : cells.words) {
        if (word.data() == nullptr || find_invalid_utf8(word) == std::string_view::npos) continue;
        for (std::string_view rest = word;;) {
            const std::size_t at = find_invalid_utf8(rest);
            if (at == std::string_view::npos) break;
            ++replaced_;
            rest.remove_prefix(at + 1);
        }
        std::string& made = cells.spelled.emplace_back(as_utf8(word));
        const std::size_t size = made.size();
        made.append(read_ahead, '\0');
        word = std::string_view(made).substr(0, size);
    }
}

// Numbers that people write otherwise, from their words; the first one that is none.
std::optional<BadCell> CsvReader::read_styled(std::uint32_t column, const CsvText& text, Cells& cells) const {
    cells.kind = ColumnKind::number;
    cells.numbers.resize(cells.words.size());
    for (std::size_t row = 0; row < cells.words.size(); ++row) {
        const std::string_view word = cells.words[row];
        const bool none = word.data() == nullptr || marks_.means_no_number(word);
        const auto number = none ? std::optional(std::numeric_limits<double>::quiet_NaN())
                                 : styled_number(word, columns_[column].style);
        if (!number) return BadCell{column, row, text.starts[row], word};
        cells.numbers[row] = *number;
    }
    cells.words.clear();
    return std::nullopt;
}

Result<void> CsvReader::decode(TableUnit& unit) const {
    auto& text = dynamic_cast<CsvText&>(*unit.memory);
    const auto line_at = [&](std::size_t at) { return unit.first_line + line_ends_before(text, at); };
    std::vector<CellPlan> plans;
    unit.columns.resize(columns_.size());
    for (std::uint32_t k = 0; k < columns_.size(); ++k) {
        if (!wanted_[k]) continue;
        Cells& cells = unit.columns[k];
        cells.kind = (*text.kinds)[k];
        if (is_styled(k, cells.kind)) cells.kind = ColumnKind::category;  // read as words first
        cells.spelled.clear();
        const bool numbers = cells.kind == ColumnKind::number || cells.kind == ColumnKind::flag;
        cells.numbers.resize(numbers ? unit.row_count : 0);
        cells.words.resize(numbers ? 0 : unit.row_count);
        if ((*text.order)[k] == absent) {
            std::ranges::fill(cells.numbers, std::numeric_limits<double>::quiet_NaN());
            std::ranges::fill(cells.words, std::string_view());
            continue;
        }
        plans.push_back({k, (*text.order)[k], cells.kind, columns_[k].spelled_flag});
    }
    auto bad = decode_cells(text, dialect_, marks_, text.width, plans, unit.columns);
    for (const CellPlan& plan : plans) {
        Cells& cells = unit.columns[plan.column];
        if (!bad && text.non_ascii) replace_bytes(cells);
        if (!bad && is_styled(plan.column, (*text.kinds)[plan.column])) bad = read_styled(plan.column, text, cells);
    }
    if (!bad) return {};
    const std::string& name = columns_[bad->column].name;
    const char* wanted = columns_[bad->column].spelled_flag ? " is neither true nor false" : " is not a number";
    return Error(in_quotes(as_utf8(bad->word)) + wanted + ", as the values before it are")
        .advise({"families", name + "=categorical", "to read the column as words use"})
        .advise({"missing", "", "name it with", "if it means that there is no value"})
        .in_file(file_name(unit.file))
        .at_row(line_at(bad->at))
        .in_column(name);
}

std::uint64_t CsvReader::line_of(const TableUnit& unit, std::size_t row) const {
    const auto& text = dynamic_cast<const CsvText&>(*unit.memory);
    return unit.first_line + line_ends_before(text, text.starts[row]);
}

Result<void> CsvReader::rewind() {
    bytes_.close();
    file_ = 0;
    unit_index_ = row_ = skipped_ = bytes_before_ = 0;
    rows_seen_ = bytes_seen_ = replaced_ = 0;
    start_kinds();
    return open_file();
}

}  // namespace

Result<std::unique_ptr<TableReader>> open_csv(std::vector<std::string> files, const ReadOptions& options,
                                              bool keep_for_rewind, std::size_t unit_bytes) {
    return open_csv(std::move(files), CsvBytes(keep_for_rewind, options.latin1), options, unit_bytes);
}

Result<std::unique_ptr<TableReader>> open_csv(std::vector<std::string> files, CsvBytes first,
                                              const ReadOptions& options, std::size_t unit_bytes) {
    auto reader = std::make_unique<CsvReader>(std::move(files), std::move(first), options, unit_bytes);
    if (auto opened = reader->open(); !opened) return opened.error();
    return std::unique_ptr<TableReader>(std::move(reader));
}

}  // namespace suffice
