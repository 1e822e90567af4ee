// Leaves rows of a table out.
#include "suffice/encode/chosen_rows.hpp"

#include <algorithm>
#include <cmath>

#include "suffice/base/random.hpp"
#include "suffice/base/setting_value.hpp"
#include "suffice/encode/dates.hpp"
#include "suffice/encode/table_reader.hpp"

namespace suffice {
namespace {

std::optional<double> as_number(const std::string& word) { return SettingValue{Written{word}}.number(); }

template <class T>
void keep_only(std::vector<T>& values, const std::vector<std::uint32_t>& places) {
    if (values.empty()) return;
    for (std::size_t at = 0; at < places.size(); ++at) values[at] = values[places[at]];  // places ascend
    values.resize(places.size());
}

class ChosenRows final : public TableReader {
public:
    ChosenRows(std::unique_ptr<TableReader> all, RowsApart apart, std::optional<std::uint32_t> column)
        : all_(std::move(all)),
          apart_(std::move(apart)),
          column_(column),
          lots_(apart_.seed, "holdout"),
          number_(as_number(apart_.value)),
          day_first_(puts_day_first(column_ ? all_->columns()[*column_].example : "")),
          date_(date_part(apart_.value, DatePart::days, day_first_)) {
        if (column_) want(*column_, false, ColumnKind::category);
    }
    const std::vector<FoundColumn>& columns() const override { return all_->columns(); }
    const std::vector<std::string>& files() const override { return all_->files(); }
    void want(std::uint32_t column, bool wanted, ColumnKind kind) override {
        const bool asked = column == column_;  // it is read in any case, to choose by
        all_->want(column, wanted || asked, asked && !wanted ? ColumnKind::category : kind);
    }
    // Rows are decoded here, one unit after the other, since cells may decide which are chosen and those are counted in
    // order.
    Result<bool> draw(TableUnit& unit) override {
        const auto drawn = all_->draw(unit);
        if (!drawn || !*drawn) return drawn;
        unit.chosen.clear();
        if (auto decoded = all_->decode(unit); !decoded) return decoded.error();
        for (std::size_t row = 0; row < unit.row_count; ++row)
            if (is_apart(unit, row) == apart_.only) unit.chosen.push_back(static_cast<std::uint32_t>(row));
        unit.skipped_before.clear();
        seen_ += unit.row_count;
        compact(unit);
        unit.first_row = chosen_;
        chosen_ += unit.chosen.size();
        unit.row_count = unit.chosen.size();
        return true;
    }
    Result<void> decode(TableUnit&) const override { return {}; }
    std::uint64_t line_of(const TableUnit& unit, std::size_t row) const override {
        return all_->line_of(unit, row < unit.chosen.size() ? unit.chosen[row] : row);
    }
    Result<void> rewind() override {
        seen_ = chosen_ = 0;
        return all_->rewind();
    }
    void stop_keeping() override { all_->stop_keeping(); }
    Progress progress() const override { return all_->progress(); }
    std::uint64_t skipped_rows() const override { return all_->skipped_rows(); }
    std::uint64_t replaced_bytes() const override { return all_->replaced_bytes(); }

private:
    bool is_apart(const TableUnit& unit, std::size_t row) const {
        if (!column_) return lots_.fork(seen_ + row).uniform() < apart_.share;
        const Cells& cells = unit.columns[*column_];
        if (cells.kind == ColumnKind::number || cells.kind == ColumnKind::flag) {
            const double x = cells.numbers[row];
            if (std::isnan(x) || !number_) return false;
            return apart_.later ? x > *number_ : x == *number_;
        }
        const bool coded = cells.words.empty() && !cells.codes.empty();
        if (coded && cells.codes[row] < 0) return false;
        const std::string_view word =
            coded ? cells.dictionary[static_cast<std::size_t>(cells.codes[row])] : cells.words[row];
        if (word.data() == nullptr) return false;
        if (!apart_.later) {
            if (word == apart_.value) return true;
            return number_ && as_number(std::string(word)) == number_;
        }
        if (number_) {
            const auto x = as_number(std::string(word));
            return x && *x > *number_;
        }
        if (!std::isnan(date_)) return date_part(word, DatePart::days, day_first_) > date_;
        return word > apart_.value;
    }
    static void compact(TableUnit& unit) {
        for (Cells& cells : unit.columns) {
            keep_only(cells.numbers, unit.chosen);
            keep_only(cells.words, unit.chosen);
            keep_only(cells.codes, unit.chosen);
        }
    }

    std::unique_ptr<TableReader> all_;
    RowsApart apart_;
    std::optional<std::uint32_t> column_;
    Rng lots_;
    std::optional<double> number_;  // the value, where it is one
    bool day_first_;
    double date_;
    std::uint64_t seen_ = 0, chosen_ = 0;  // rows drawn so far
};

// The column that chooses; a date without one is of the column of dates, if that is one.
Result<std::uint32_t> choosing_column(const std::vector<FoundColumn>& found, const RowsApart& apart) {
    std::vector<std::uint32_t> fitting;
    for (std::uint32_t k = 0; k < found.size(); ++k)
        if (apart.column.empty() ? found[k].looks_like_date : found[k].name == apart.column) fitting.push_back(k);
    if (fitting.size() == 1) return fitting.front();
    if (!apart.column.empty())
        return Error(ErrorKind::usage, "there is no column " + apart.column + " to set rows apart by");
    std::string names;
    for (const std::uint32_t k : fitting) names += (names.empty() ? "" : ", ") + found[k].name;
    return Error(ErrorKind::usage, (names.empty() ? "no column holds dates" : "several columns hold dates: " + names) +
                                       "; say which one decides, as in sold=" + apart.value);
}

}  // namespace

Result<RowsApart> rows_apart(const std::string& text, bool later) {
    RowsApart apart;
    apart.later = later;
    const std::size_t cut = text.rfind('=');
    if (cut != std::string::npos && cut > 0) {
        apart.column = text.substr(0, cut);
        apart.value = text.substr(cut + 1);
        return apart;
    }
    if (later) {
        apart.value = text;
        if (!std::isnan(date_part(text, DatePart::days, puts_day_first(text)))) return apart;
        return Error(ErrorKind::usage,
                     "later rows are told by a date, such as 2024-05-01, or by COLUMN=VALUE; " + text + " is neither");
    }
    const auto share = as_number(text);
    if (!share || !(*share > 0) || !(*share < 1))
        return Error(ErrorKind::usage,
                     "rows are held out by a share between 0 and 1 or by COLUMN=VALUE; " + text + " is neither");
    apart.share = *share;
    return apart;
}

Result<std::unique_ptr<TableReader>> open_rows(const Data& data, const ReadOptions& options, bool keep_for_rewind) {
    auto all = data.table() != nullptr ? read_table(*data.table()) : open_table(data.files(), options, keep_for_rewind);
    if (!all || !options.apart.any()) return all;
    std::optional<std::uint32_t> column;
    if (options.apart.share == 0) {
        const auto found = choosing_column((*all)->columns(), options.apart);
        if (!found) return (*all)->files().empty() ? found.error() : Error(found.error()).in_file((*all)->files()[0]);
        column = *found;
    }
    return std::unique_ptr<TableReader>(std::make_unique<ChosenRows>(std::move(*all), options.apart, column));
}

}  // namespace suffice
