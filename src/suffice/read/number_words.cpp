// Reads words by the rules of number columns in files.
#include "suffice/read/number_words.hpp"

#include <limits>
#include <optional>

#include "suffice/kernel/decimal.hpp"
#include "suffice/read/missing.hpp"
#include "suffice/read/word_look.hpp"

namespace suffice {
namespace {

constexpr double no_value = std::numeric_limits<double>::quiet_NaN();

// Empty: the word is neither a number nor a mark of there being none.
std::optional<double> number_of(std::string_view word, const MissingMarks& marks) {
    while (word.starts_with(' ')) word.remove_prefix(1);
    while (word.ends_with(' ')) word.remove_suffix(1);
    double number = no_value;
    if (marks.contains(word) || kernel::parse_decimal(word.data(), word.data() + word.size(), number)) return number;
    return std::nullopt;
}

class NumberWords final : public TableReader {
public:
    NumberWords(std::unique_ptr<TableReader> inner, const ReadOptions& options)
        : inner_(std::move(inner)), marks_(options.missing), spelled_(inner_->columns().size()) {}
    const std::vector<FoundColumn>& columns() const override { return inner_->columns(); }
    const std::vector<std::string>& files() const override { return inner_->files(); }
    void want(std::uint32_t column, bool wanted, ColumnKind kind) override {
        const bool numbers = kind == ColumnKind::number || kind == ColumnKind::flag;
        const FoundColumn& found = columns()[column];
        spelled_[column] = wanted && numbers && !found.all_missing &&
                           (found.kind == ColumnKind::category || found.kind == ColumnKind::text);
        inner_->want(column, wanted, spelled_[column] ? ColumnKind::category : kind);
    }
    Result<bool> draw(TableUnit& unit) override { return inner_->draw(unit); }
    Result<void> decode(TableUnit& unit) const override {
        if (auto decoded = inner_->decode(unit); !decoded) return decoded;
        for (std::size_t k = 0; k < spelled_.size(); ++k)
            if (spelled_[k])
                if (auto read = read_cells(unit, k); !read) return read;
        return {};
    }
    std::uint64_t line_of(const TableUnit& unit, std::size_t row) const override { return inner_->line_of(unit, row); }
    Result<void> rewind() override { return inner_->rewind(); }
    void stop_keeping() override { inner_->stop_keeping(); }
    Progress progress() const override { return inner_->progress(); }
    std::uint64_t skipped_rows() const override { return inner_->skipped_rows(); }
    std::size_t block_rows() const override { return inner_->block_rows(); }
    std::uint64_t replaced_bytes() const override { return inner_->replaced_bytes(); }
    bool is_latin1() const override { return inner_->is_latin1(); }

private:
    Result<void> read_cells(TableUnit& unit, std::size_t column) const {
        Cells& cells = unit.columns[column];
        cells.numbers.assign(unit.row_count, no_value);
        for (std::size_t row = 0; row < unit.row_count; ++row) {
            const std::string_view word = text_at(cells, row);
            const auto number = word.data() == nullptr ? no_value : number_of(word, marks_);
            if (!number)
                return Error(in_quotes(word) + " is not a number")
                    .advise({"families", columns()[column].name + "=categorical", "to read the column as words use"})
                    .in_file(files()[unit.file])
                    .at_row(inner_->line_of(unit, row))
                    .in_column(columns()[column].name);
            cells.numbers[row] = *number;
        }
        cells.kind = ColumnKind::number;
        cells.words.clear();
        cells.codes.clear();
        return {};
    }

    std::unique_ptr<TableReader> inner_;
    MissingMarks marks_;
    std::vector<bool> spelled_;
};

}  // namespace

Result<std::vector<double>> read_number_words(const std::vector<std::string>& words) {
    const MissingMarks marks(ReadOptions{}.missing);
    std::vector<double> numbers;
    for (const std::string& word : words) {
        const auto number = number_of(word, marks);
        if (!number) return Error(word + " is no number").at_row(numbers.size() + 1);
        numbers.push_back(*number);
    }
    return numbers;
}

std::unique_ptr<TableReader> with_number_words(std::unique_ptr<TableReader> reader, const ReadOptions& options) {
    return std::make_unique<NumberWords>(std::move(reader), options);
}

}  // namespace suffice
