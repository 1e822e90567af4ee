// Tables in memory as units of cells.
#include "suffice/encode/table_reader.hpp"

#include <algorithm>
#include <cmath>

#include "suffice/base/limits.hpp"
#include "suffice/base/setting_value.hpp"
#include "suffice/read/word_look.hpp"

namespace suffice {
namespace {

constexpr std::size_t unit_values = std::size_t{1} << 17;  // 1 MiB of numbers
constexpr std::size_t fewest_rows = 1 << 10, most_rows = 1 << 16, read_ahead = 64;

// One column: numbers, or codes of levels.
struct HeldColumn {
    Column column;
    std::span<const double> values;        // NaN: missing
    std::string letters = {};              // of all levels, with room behind for those who read ahead
    std::vector<std::string_view> levels;  // in there
    bool wanted = true;
    ColumnKind kind = ColumnKind::number;
    EncodedTable read = {};  // words that are wanted as numbers

    bool is_words() const { return column.kind == ColumnKind::category; }
};

void gather_letters(HeldColumn& held) {
    std::vector<std::size_t> starts;
    for (const std::string& level : held.column.levels) {
        starts.push_back(held.letters.size());
        held.letters += level;
    }
    const std::size_t end = held.letters.size();
    held.letters.append(read_ahead, '\0');
    starts.push_back(end);
    for (std::size_t k = 0; k + 1 < starts.size(); ++k)
        held.levels.emplace_back(held.letters.data() + starts[k], starts[k + 1] - starts[k]);
}

void look_at_levels(const Column& column, std::span<const double> values, FoundColumn& found) {
    std::vector<std::uint64_t> rows(column.levels.size());
    for (const double code : values)
        if (!std::isnan(code) && code != unseen_level) ++rows[static_cast<std::size_t>(code)];
    WordLook look;
    for (std::size_t k = 0; k < rows.size(); ++k) look.add(column.levels[k], rows[k]);
    look.tell(found, column.declared_levels > 0);
}

class MemoryReader final : public TableReader {
public:
    MemoryReader(const Table& table, std::optional<Table> beside) : table_(table), beside_(std::move(beside)) {}
    Result<void> open() {
        if (auto added = add(table_); !added) return added;
        if (beside_)
            if (auto added = add(*beside_); !added) return added;
        unit_rows_ = unit_rows_in_memory(held_.size());
        return {};
    }
    const std::vector<FoundColumn>& columns() const override { return found_; }
    const std::vector<std::string>& files() const override { return no_files_; }
    void want(std::uint32_t column, bool wanted, ColumnKind kind) override {
        held_[column].wanted = wanted;
        held_[column].kind = kind;
    }
    Result<bool> draw(TableUnit& unit) override;
    Result<void> decode(TableUnit& unit) const override;
    Result<void> rewind() override {
        next_row_ = next_unit_ = 0;
        return {};
    }
    Progress progress() const override { return {next_row_, 0, 0}; }
    std::uint64_t skipped_rows() const override { return 0; }

private:
    Result<void> add(const Table& table);
    Result<void> read_wanted_numbers();

    const Table& table_;
    std::optional<Table> beside_;
    std::vector<EncodedTable> encoded_;  // of both
    std::vector<HeldColumn> held_;
    std::vector<FoundColumn> found_;
    std::vector<std::string> no_files_;
    std::size_t row_count_ = 0, unit_rows_ = 0;
    std::uint64_t next_row_ = 0, next_unit_ = 0;
};

Result<void> MemoryReader::add(const Table& table) {
    auto columns = table.columns();
    if (!columns) return columns.error();
    auto encoded = table.encode(*columns);
    if (!encoded) return encoded.error();
    const Block block = encoded->rows();
    const auto& views = std::get<ColumnBlock>(block);
    if (encoded_.empty()) row_count_ = views.row_count;
    if (views.row_count != row_count_)
        return Error(std::to_string(views.row_count) + " labels for " + std::to_string(row_count_) + " rows");
    for (std::size_t k = 0; k < columns->size(); ++k) {
        HeldColumn held;
        held.column = std::move((*columns)[k]);
        held.values = {static_cast<const double*>(views.columns[k].values), row_count_};
        held.kind = held.column.kind;
        if (held.is_words()) gather_letters(held);
        found_.push_back(look_at_values(held.column, held.values));
        held_.push_back(std::move(held));
    }
    encoded_.push_back(std::move(*encoded));
    return {};
}

// Whatever is written in words that spell numbers.
Result<void> MemoryReader::read_wanted_numbers() {
    for (HeldColumn& held : held_) {
        const bool numbers = held.kind == ColumnKind::number || held.kind == ColumnKind::flag;
        if (!held.wanted || !numbers || !held.is_words()) continue;
        const Table& home = &held < held_.data() + table_.columns().value().size() ? table_ : *beside_;
        auto read = home.encode({Column{held.column.name, ColumnKind::number}});
        if (!read) return read.error();
        held.read = std::move(*read);
        const Block block = held.read.rows();
        held.values = {static_cast<const double*>(std::get<ColumnBlock>(block).columns[0].values), row_count_};
        held.column.kind = ColumnKind::number;
    }
    return {};
}

Result<bool> MemoryReader::draw(TableUnit& unit) {
    if (next_row_ == 0)
        if (auto read = read_wanted_numbers(); !read) return read.error();
    if (next_row_ >= row_count_) return false;
    unit.index = next_unit_++;
    unit.first_row = next_row_;
    unit.first_line = next_row_ + 1;
    unit.file = 0;
    unit.row_count = std::min<std::size_t>(unit_rows_, row_count_ - next_row_);
    unit.skipped_before.clear();
    next_row_ += unit.row_count;
    return true;
}

void spell_numbers(std::span<const double> values, Cells& cells) {
    cells.spelled.reserve(values.size());
    for (const double value : values) {
        std::string& word = cells.spelled.emplace_back(std::isnan(value) ? "" : number_spelled(value));
        word.reserve(word.size() + read_ahead);
        cells.words.push_back(word.empty() ? std::string_view{} : std::string_view(word));
    }
}

Result<void> MemoryReader::decode(TableUnit& unit) const {
    unit.columns.resize(held_.size());
    for (std::size_t k = 0; k < held_.size(); ++k) {
        const HeldColumn& held = held_[k];
        if (!held.wanted) continue;
        Cells& cells = unit.columns[k];
        cells = {};
        cells.kind = held.kind;
        const auto values = held.values.subspan(unit.first_row, unit.row_count);
        if (held.kind == ColumnKind::number || held.kind == ColumnKind::flag) {
            cells.numbers.assign(values.begin(), values.end());
        } else if (held.is_words()) {
            cells.dictionary = held.levels;
            for (const double code : values) cells.codes.push_back(std::isnan(code) ? -1 : static_cast<int>(code));
        } else {
            spell_numbers(values, cells);
        }
    }
    return {};
}

}  // namespace

FoundColumn look_at_values(const Column& column, std::span<const double> values) {
    FoundColumn found;
    found.name = column.name;
    const auto is_there = [](double value) { return !std::isnan(value); };
    const auto first = std::ranges::find_if(values, is_there);
    found.seen = static_cast<std::uint64_t>(std::ranges::count_if(values, is_there));
    found.all_missing = found.seen == 0;
    if (found.all_missing) return found;
    if (column.kind == ColumnKind::category) {
        look_at_levels(column, values, found);
        return found;
    }
    found.example = number_spelled(*first);
    if (std::ranges::all_of(values, [](double x) { return x == 0 || x == 1 || std::isnan(x); }))
        found.kind = ColumnKind::flag;
    return found;
}

std::size_t unit_rows_in_memory(std::size_t column_count) {
    return std::clamp(unit_values / (column_count + 1), fewest_rows, most_rows);
}

Result<std::unique_ptr<TableReader>> read_table(const Table& table, std::optional<Table> beside) {
    auto reader = std::make_unique<MemoryReader>(table, std::move(beside));
    if (auto opened = reader->open(); !opened) return opened.error();
    return std::unique_ptr<TableReader>(std::move(reader));
}

}  // namespace suffice
