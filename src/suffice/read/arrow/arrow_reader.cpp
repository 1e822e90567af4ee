// Parquet and Arrow IPC files as one table. Built as a library of its own, opened on first use, so that programs
// without such files never load Arrow.
#include <algorithm>
#include <atomic>
#include <filesystem>
#include <limits>
#include <set>

#include <arrow/api.h>
#include <arrow/io/file.h>

#include "suffice/read/arrow/arrow_cells.hpp"
#include "suffice/read/arrow/arrow_file.hpp"
#include "suffice/read/arrow_interface.hpp"
#include "suffice/read/arrow_start.hpp"

namespace suffice {

Error arrow_error(const arrow::Status& status, const std::string& file) {
    std::string why = status.message();
    why = why.substr(0, why.find('\n'));
    for (const std::string_view kind : {"Invalid: ", "IOError: "})  // of a status inside
        if (why.starts_with(kind)) why.erase(0, kind.size());
    return Error("the file cannot be read: " + why).in_file(file);
}

namespace {

constexpr int absent = -1;
constexpr std::int64_t looked_at_rows = 10'000;
constexpr std::int64_t batch_values = std::int64_t{1} << 17;  // 1 MiB of numbers
constexpr std::int64_t fewest_rows = 1 << 10, most_rows = 1 << 16;

struct ArrowMemory final : UnitMemory {
    std::shared_ptr<ArrowPiece> piece;
    ArrowPiece::Batch batch;
    std::vector<std::shared_ptr<arrow::Array>> arrays;  // of the wanted columns
};

class ArrowReader final : public TableReader {
public:
    Result<void> open(const std::vector<ArrowSource>& sources, const ReadOptions& options);
    const std::vector<FoundColumn>& columns() const override { return columns_; }
    const std::vector<std::string>& files() const override { return given_; }
    void want(std::uint32_t column, bool wanted, ColumnKind kind) override { wanted_[column] = {wanted, kind}; }
    Result<bool> draw(TableUnit& unit) override;
    Result<void> decode(TableUnit& unit) const override;
    Result<void> rewind() override;
    Progress progress() const override { return {rows_.load(), bytes_.load(), total_bytes_}; }
    std::uint64_t skipped_rows() const override { return 0; }

private:
    Result<void> add_columns(std::size_t file, const ReadOptions& options);
    Result<void> look();
    Result<bool> next_piece();
    std::vector<int> wanted_places(std::size_t file) const;

    std::vector<std::string> names_, given_;
    std::vector<std::unique_ptr<ArrowFile>> files_;
    std::vector<std::uint64_t> sizes_;
    std::vector<std::vector<int>> places_;  // of each column in each file
    std::vector<FoundColumn> columns_;
    std::vector<std::pair<bool, ColumnKind>> wanted_;

    // Where drawing stands.
    std::size_t file_ = 0;
    int next_piece_ = 0;
    std::shared_ptr<ArrowPiece> piece_;  // of which batches are drawn
    ArrowPiece::Batch batch_;            // drawn last
    std::int64_t batch_rows_ = 0;
    std::uint64_t unit_index_ = 0, rows_before_ = 0, bytes_before_ = 0, total_bytes_ = 0;  // before: of earlier files
    std::atomic<std::uint64_t> rows_ = 0, bytes_ = 0;
};

Result<std::unique_ptr<ArrowFile>> open_one(const ArrowSource& source) {
    const auto file = arrow::io::ReadableFile::Open(source.path);
    if (!file.ok()) return arrow_error(file.status(), source.name);
    const auto start = (*file)->Read(8);
    if (!start.ok()) return arrow_error(start.status(), source.name);
    const std::string first = (*start)->ToString();
    switch (arrow_start(first)) {
        case ArrowStart::parquet:
            return open_parquet(source);
        case ArrowStart::file:
            return open_ipc(source, true);
        case ArrowStart::stream:
            return open_ipc(source, false);
        case ArrowStart::old_feather:
            return Error("the file is of the first version of Feather; save it anew as Arrow, Parquet or CSV")
                .in_file(source.name);
        case ArrowStart::none:
            break;
    }
    return Error("the file is neither Parquet nor Arrow, as another of the files is; read them apart and merge")
        .in_file(source.name);
}

Result<void> ArrowReader::open(const std::vector<ArrowSource>& sources, const ReadOptions& options) {
    for (std::size_t file = 0; file < sources.size(); ++file) {
        names_.push_back(sources[file].name);
        given_.push_back(sources[file].given);
        auto opened = open_one(sources[file]);
        if (!opened) return opened.error();
        files_.push_back(std::move(*opened));
        std::error_code unknown;
        sizes_.push_back(std::filesystem::file_size(sources[file].path, unknown));
        total_bytes_ += sizes_.back();
        if (auto added = add_columns(file, options); !added) return added;
    }
    for (auto& places : places_) places.resize(columns_.size(), absent);
    for (std::size_t k = 0; k < columns_.size(); ++k) {
        const auto lacking = std::ranges::find_if(places_, [&](const auto& places) { return places[k] == absent; });
        if (lacking != places_.end())
            columns_[k].lacked_by = names_[static_cast<std::size_t>(lacking - places_.begin())];
    }
    return look();
}

// Finds the place of each column in this file, and those that it brings.
Result<void> ArrowReader::add_columns(std::size_t file, const ReadOptions& options) {
    const bool may_differ = options.missing_columns || options.other_columns;
    const auto& fields = files_[file]->schema().fields();
    if (fields.empty()) return Error("the file has no columns").in_file(names_[file]);
    std::vector<int>& places = places_.emplace_back(columns_.size(), absent);
    std::set<std::string> here;
    for (int place = 0; place < static_cast<int>(fields.size()); ++place) {
        const std::string& name = fields[static_cast<std::size_t>(place)]->name();
        if (!here.insert(name).second)
            return Error("two columns are called \"" + name + "\"; rename one").in_file(names_[file]);
        const auto known = std::ranges::find(columns_, name, &FoundColumn::name);
        if (known != columns_.end()) {
            places[static_cast<std::size_t>(known - columns_.begin())] = place;
            continue;
        }
        if (file > 0 && !may_differ)
            return Error("the file has a column \"" + name + "\", which " + names_[0] + " has not")
                .advise({"allow_missing_columns", "true", "use", "to treat it as missing"})
                .in_file(names_[file]);
        columns_.emplace_back().name = name;
        places.push_back(place);
    }
    const auto lacked = std::ranges::find(places, absent);
    if (lacked != places.end() && !may_differ)
        return Error("the file has no column \"" + columns_[static_cast<std::size_t>(lacked - places.begin())].name +
                     "\", which " + names_[0] + " has")
            .advise({"allow_missing_columns", "true", "use", "to treat it as missing"})
            .in_file(names_[file]);
    return {};
}

// Kinds from the first piece with rows of the first file that has the column.
Result<void> ArrowReader::look() {
    std::vector<bool> seen(columns_.size());
    bool any_rows = false;
    for (std::size_t file = 0; file < files_.size(); ++file) {
        std::vector<int> fields;
        std::vector<std::size_t> which;
        for (std::size_t k = 0; k < columns_.size(); ++k) {
            if (seen[k] || places_[file][k] == absent) continue;
            fields.push_back(places_[file][k]);
            which.push_back(k);
        }
        if (fields.empty()) continue;
        for (int piece = 0; piece < files_[file]->piece_count(); ++piece) {
            auto opened = files_[file]->open_piece(piece, fields, looked_at_rows);
            if (!opened) return opened.error();
            const ArrowPiece::Batch first{0, 0, std::min((*opened)->row_count(), looked_at_rows)};
            if (first.row_count <= 0) continue;
            std::vector<Cells> cells(which.size());
            std::vector<std::shared_ptr<arrow::Array>> arrays(which.size());
            std::vector<ArrowPiece::Wish> wishes;
            for (std::size_t k = 0; k < which.size(); ++k) wishes.push_back({{}, &cells[k], &arrays[k]});
            if (auto filled = (*opened)->fill(first, wishes); !filled) return filled;
            for (std::size_t k = 0; k < which.size(); ++k) {
                FoundColumn& column = columns_[which[k]];
                FoundColumn looked = arrays[k] == nullptr ? look_at_numbers(column.name, cells[k].numbers)
                                                          : look_at_arrow(column.name, *arrays[k]);
                looked.lacked_by = column.lacked_by;
                column = std::move(looked);
                seen[which[k]] = true;
            }
            any_rows = true;
            break;
        }
    }
    if (!any_rows) return Error("the file has no rows").in_file(names_[0]);
    for (std::size_t k = 0; k < columns_.size(); ++k) {
        if (!seen[k]) columns_[k].all_missing = true;
        wanted_.emplace_back(true, columns_[k].kind);
    }
    return {};
}

std::vector<int> ArrowReader::wanted_places(std::size_t file) const {
    std::vector<int> places;
    for (std::size_t k = 0; k < columns_.size(); ++k)
        if (wanted_[k].first && places_[file][k] != absent) places.push_back(places_[file][k]);
    return places;
}

// Opens the next piece that has rows; false at the end of all files.
Result<bool> ArrowReader::next_piece() {
    for (; file_ < files_.size(); ++file_, next_piece_ = 0) {
        while (next_piece_ < files_[file_]->piece_count()) {
            const auto places = wanted_places(file_);
            batch_rows_ =
                std::clamp(batch_values / static_cast<std::int64_t>(places.size() + 1), fewest_rows, most_rows);
            auto opened = files_[file_]->open_piece(next_piece_++, places, batch_rows_);
            if (!opened) return opened.error();
            batch_ = {};
            piece_ = std::move(*opened);
            if (piece_->row_count() > 0) return true;
        }
        rows_before_ = rows_;
        bytes_before_ += sizes_[file_];
    }
    piece_.reset();
    return false;
}

Result<bool> ArrowReader::draw(TableUnit& unit) {
    auto* memory = dynamic_cast<ArrowMemory*>(unit.memory.get());
    if (memory == nullptr) {
        auto fresh = std::make_unique<ArrowMemory>();
        memory = fresh.get();
        unit.memory = std::move(fresh);
    }
    if (piece_ == nullptr || batch_.first_row + batch_.row_count >= piece_->row_count()) {
        auto more = next_piece();
        if (!more || !*more) return more;
    } else {
        ++batch_.number;
        batch_.first_row += batch_.row_count;
    }
    batch_.row_count = std::min(batch_rows_, piece_->row_count() - batch_.first_row);
    memory->piece = piece_;
    memory->batch = batch_;
    unit.row_count = static_cast<std::size_t>(batch_.row_count);
    unit.index = unit_index_++;
    unit.first_row = rows_;
    unit.first_line = rows_ - rows_before_ + 1;
    unit.file = static_cast<std::uint32_t>(file_);
    unit.skipped_before.clear();
    rows_ += unit.row_count;
    const double of_piece =
        static_cast<double>(batch_.first_row + batch_.row_count) / static_cast<double>(piece_->row_count());
    const double of_file = (next_piece_ - 1 + of_piece) / files_[file_]->piece_count();
    bytes_ = bytes_before_ + static_cast<std::uint64_t>(of_file * static_cast<double>(sizes_[file_]));
    return true;
}

Result<void> ArrowReader::decode(TableUnit& unit) const {
    auto& memory = dynamic_cast<ArrowMemory&>(*unit.memory);
    unit.columns.resize(columns_.size());
    memory.arrays.resize(columns_.size());
    std::vector<ArrowPiece::Wish> wishes;
    for (std::size_t k = 0; k < columns_.size(); ++k) {
        const auto [wanted, kind] = wanted_[k];
        Cells& cells = unit.columns[k];
        if (wanted && places_[unit.file][k] == absent) {
            start_cells(kind, cells);
            const bool numbers = kind == ColumnKind::number || kind == ColumnKind::flag;
            cells.numbers.assign(numbers ? unit.row_count : 0, std::numeric_limits<double>::quiet_NaN());
            cells.words.assign(numbers ? 0 : unit.row_count, {});
        } else if (wanted) {
            wishes.push_back({kind, &cells, &memory.arrays[k]});
        }
    }
    auto filled = memory.piece->fill(memory.batch, wishes);
    if (!filled) return Error(filled.error()).in_file(names_[unit.file]);
    return {};
}

Result<void> ArrowReader::rewind() {
    file_ = 0;
    next_piece_ = 0;
    piece_.reset();
    rows_ = bytes_ = unit_index_ = rows_before_ = bytes_before_ = 0;
    return {};
}

}  // namespace
}  // namespace suffice

extern "C" [[gnu::visibility("default")]] const char* suffice_arrow_interface() {
    static const std::string text = suffice::arrow_interface();
    return text.c_str();
}

extern "C" [[gnu::visibility("default")]] void suffice_open_arrow_table(
    const std::vector<suffice::ArrowSource>& files, const suffice::ReadOptions& options,
    suffice::Result<std::unique_ptr<suffice::TableReader>>& into) {
    try {
        auto reader = std::make_unique<suffice::ArrowReader>();
        if (auto opened = reader->open(files, options); !opened) {
            into = opened.error();
        } else {
            into = std::unique_ptr<suffice::TableReader>(std::move(reader));
        }
    } catch (const std::exception& fault) {
        into = suffice::Error(fault.what()).in_file(files.empty() ? "" : files[0].name);
    }
}
