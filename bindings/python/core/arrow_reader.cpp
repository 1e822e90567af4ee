// Cuts the batches of an Arrow C stream into units of rows and reads their columns.
#include "core/arrow_reader.hpp"

#include <cmath>
#include <cstring>
#include <deque>
#include <unordered_map>

#include "core/arrow_layout.hpp"

#include "suffice/base/limits.hpp"
#include "suffice/base/setting_value.hpp"
#include "suffice/encode/table_reader.hpp"
#include "suffice/read/number_words.hpp"

namespace suffice::python {
namespace {

namespace nb = nanobind;

constexpr std::size_t read_ahead = 64;  // bytes behind a word that may be looked at

// A structure of Arrow's, given back to whoever lent it.
template <class T>
struct Lent {
    T held{};
    Lent() = default;
    Lent(const Lent&) = delete;
    Lent& operator=(const Lent&) = delete;
    ~Lent() { give_back(); }
    void give_back() {
        if (held.release != nullptr) held.release(&held);
        held.release = nullptr;
    }
};

using Batch = std::shared_ptr<const Lent<ArrowArray>>;

// Some rows of a batch.
struct Slice {
    Batch batch;
    std::size_t first = 0, count = 0;
};

struct StreamUnit final : UnitMemory {
    std::vector<Slice> slices;
    std::deque<std::string> letters;  // of words and of entries of dictionaries
};

// Adds the numbers of one slice, missing ones as NaN.
template <class T>
void add_numbers(const ArrowArray& values, std::size_t from, std::size_t count, std::vector<double>& into) {
    const auto* first = static_cast<const T*>(values.buffers[1]) + from;
    into.insert(into.end(), first, first + count);
}

void add_bits(const ArrowArray& values, std::size_t from, std::size_t count, std::vector<double>& into) {
    const auto* bits = static_cast<const std::uint8_t*>(values.buffers[1]);
    for (std::size_t at = from; at < from + count; ++at) into.push_back((bits[at / 8] >> (at % 8)) & 1);
}

void add_elements(Element element, const ArrowArray& values, std::size_t from, std::size_t count,
                  std::vector<double>& into) {
    switch (element) {
        case Element::bit:
            return add_bits(values, from, count, into);
        case Element::i8:
            return add_numbers<std::int8_t>(values, from, count, into);
        case Element::u8:
            return add_numbers<std::uint8_t>(values, from, count, into);
        case Element::i16:
            return add_numbers<std::int16_t>(values, from, count, into);
        case Element::u16:
            return add_numbers<std::uint16_t>(values, from, count, into);
        case Element::i32:
            return add_numbers<std::int32_t>(values, from, count, into);
        case Element::u32:
            return add_numbers<std::uint32_t>(values, from, count, into);
        case Element::i64:
            return add_numbers<std::int64_t>(values, from, count, into);
        case Element::u64:
            return add_numbers<std::uint64_t>(values, from, count, into);
        case Element::f32:
            return add_numbers<float>(values, from, count, into);
        default:
            return add_numbers<double>(values, from, count, into);
    }
}

class ArrowStreamReader final : public TableReader {
public:
    ArrowStreamReader(nb::handle exporter, const std::string& name) : exporter_(nb::borrow(exporter)) {
        if (!name.empty()) names_.push_back(name);
    }
    ~ArrowStreamReader() override {  // whoever lets go of it need not hold the interpreter's lock
        const nb::gil_scoped_acquire locked;
        exporter_.reset();
    }
    ArrowStreamReader(const ArrowStreamReader&) = delete;
    ArrowStreamReader& operator=(const ArrowStreamReader&) = delete;
    Result<void> open();
    const std::vector<FoundColumn>& columns() const override { return found_; }
    const std::vector<std::string>& files() const override { return names_; }
    void want(std::uint32_t column, bool wanted, ColumnKind kind) override { wanted_[column] = {wanted, kind}; }
    Result<bool> draw(TableUnit& unit) override;
    Result<void> decode(TableUnit& unit) const override;
    Result<void> rewind() override;
    Progress progress() const override { return {next_row_, 0, 0}; }
    std::uint64_t skipped_rows() const override { return 0; }
    std::size_t block_rows() const override { return unit_rows_; }

private:
    Result<void> take_stream();
    Result<void> check_types() const;
    Result<bool> next_batch();  // one more behind those that wait
    FoundColumn look(std::size_t column) const;
    FoundColumn typed(FoundColumn found, ColumnKind kind) const;
    const ArrowSchema& type_of(std::size_t column) const { return *schema_.held.children[column]; }
    std::string name_of_column(std::size_t column) const;
    bool holds_words(std::size_t column) const {
        return type_of(column).dictionary != nullptr || is_words(type_of(column).format);
    }
    void read_numbers(std::size_t column, const StreamUnit& unit, std::vector<double>& into) const;
    void read_words(std::size_t column, StreamUnit& unit, Cells& cells) const;
    void read_dictionary(std::size_t column, StreamUnit& unit, Cells& cells) const;
    Result<void> read_cells(std::size_t column, ColumnKind kind, StreamUnit& unit, Cells& cells) const;

    nb::object exporter_;
    std::vector<std::string> names_;
    Lent<ArrowArrayStream> stream_;
    Lent<ArrowSchema> schema_;
    std::deque<Batch> waiting_;     // drawn from the stream, not yet cut into units
    std::size_t used_ = 0;          // rows of the first of them
    std::size_t waiting_rows_ = 0;  // of all of them
    bool at_end_ = false, drawn_ = false;
    std::vector<FoundColumn> found_;
    std::vector<std::pair<bool, ColumnKind>> wanted_;
    std::size_t unit_rows_ = 0, look_rows_ = 0;
    std::uint64_t next_row_ = 0, next_unit_ = 0;
};

std::string ArrowStreamReader::name_of_column(std::size_t column) const {
    const char* name = type_of(column).name;
    return name == nullptr || *name == '\0' ? "x" + std::to_string(column) : name;
}

Result<void> ArrowStreamReader::take_stream() {
    const nb::gil_scoped_acquire locked;
    try {
        const nb::object capsule = exporter_.attr("__arrow_c_stream__")();
        auto* inside = static_cast<ArrowArrayStream*>(PyCapsule_GetPointer(capsule.ptr(), "arrow_array_stream"));
        if (inside == nullptr) throw nb::python_error();
        if (inside->release == nullptr) return Error("the rows of this stream were given away already");
        stream_.give_back();
        stream_.held = *inside;
        inside->release = nullptr;
    } catch (nb::python_error& error) {
        if (drawn_) return Error("the model reads its rows more than once, and this stream gives them once");
        return Error(nb::str(error.value()).c_str());  // its words; where in Python they were said tells users nothing
    }
    schema_.give_back();
    if (stream_.held.get_schema(&stream_.held, &schema_.held) != 0) {
        const char* why = stream_.held.get_last_error(&stream_.held);
        return Error(why == nullptr ? "the stream has no schema" : why);
    }
    return {};
}

Result<void> ArrowStreamReader::check_types() const {
    if (std::string_view(schema_.held.format) != "+s")
        return Error(ErrorKind::usage, "this is a stream of single values; rows have named columns");
    for (std::size_t k = 0; k < static_cast<std::size_t>(schema_.held.n_children); ++k) {
        const std::string_view format = type_of(k).format;
        if (!holds_words(k) && !python::element_of(format) && !is_converted(format) && format != "n")
            return Error(ErrorKind::usage, "the Arrow type " + std::string(format) +
                                               " is neither a number, a flag, a word nor a category")
                .in_column(name_of_column(k));
    }
    return {};
}

Result<void> ArrowStreamReader::open() {
    if (auto taken = take_stream(); !taken) return taken;
    if (auto good = check_types(); !good) return good;
    const auto count = static_cast<std::size_t>(schema_.held.n_children);
    unit_rows_ = stream_block_rows(count);
    look_rows_ = unit_rows_in_memory(count);
    while (waiting_rows_ < look_rows_) {
        const auto more = next_batch();
        if (!more) return more.error();
        if (!*more) break;
    }
    for (std::size_t k = 0; k < count; ++k) found_.push_back(look(k));
    for (const FoundColumn& each : found_) wanted_.emplace_back(true, each.kind);
    return {};
}

Result<bool> ArrowStreamReader::next_batch() {
    if (at_end_) return false;
    auto batch = std::make_shared<Lent<ArrowArray>>();
    if (stream_.held.get_next(&stream_.held, &batch->held) != 0) {
        const char* why = stream_.held.get_last_error(&stream_.held);
        Error error(why == nullptr ? "the stream broke off" : why);
        if (!names_.empty()) error.file = names_.front();
        return error;
    }
    at_end_ = batch->held.release == nullptr;
    if (at_end_) return false;
    const auto rows = static_cast<std::size_t>(batch->held.length);
    if (rows == 0) return true;
    waiting_rows_ += rows;
    waiting_.push_back(std::move(batch));
    return true;
}

// Of the rows that wait, as many as a unit of files has.
FoundColumn ArrowStreamReader::look(std::size_t column) const {
    StreamUnit unit;
    std::size_t rows = 0;
    for (const Batch& batch : waiting_) {
        const std::size_t count = std::min(static_cast<std::size_t>(batch->held.length), look_rows_ - rows);
        if (count > 0) unit.slices.push_back({batch, 0, count});
        rows += count;
    }
    Column about{name_of_column(column)};
    std::vector<double> values;
    if (!holds_words(column)) {
        read_numbers(column, unit, values);
        return typed(look_at_values(about, values), ColumnKind::number);
    }
    Cells cells;
    type_of(column).dictionary != nullptr ? read_dictionary(column, unit, cells) : read_words(column, unit, cells);
    about.kind = ColumnKind::category;
    std::unordered_map<std::string_view, double> code;
    const auto add = [&](std::string_view word) {
        if (word.data() == nullptr) return not_a_number;
        const auto [known, fresh] = code.try_emplace(word, static_cast<double>(about.levels.size()));
        if (fresh) about.levels.emplace_back(word);
        return known->second;
    };
    for (const std::string_view word : cells.words) values.push_back(add(word));
    for (const std::int32_t entry : cells.codes)
        values.push_back(entry < 0 ? not_a_number : add(cells.dictionary[static_cast<std::size_t>(entry)]));
    return typed(look_at_values(about, values), ColumnKind::category);
}

// Arrow knows the type of a column whose first values are missing: nobody need wait for one.
FoundColumn ArrowStreamReader::typed(FoundColumn found, ColumnKind kind) const {
    if (!found.all_missing || at_end_) return found;
    found.all_missing = false;
    found.kind = kind;
    return found;
}

Result<bool> ArrowStreamReader::draw(TableUnit& unit) {
    while (waiting_rows_ < unit_rows_) {
        const auto more = next_batch();
        if (!more) return more;
        if (!*more) break;
    }
    drawn_ = true;
    if (waiting_rows_ == 0) return false;
    auto memory = std::make_unique<StreamUnit>();
    std::size_t rows = 0;
    while (rows < unit_rows_ && !waiting_.empty()) {
        const Batch& batch = waiting_.front();
        const auto length = static_cast<std::size_t>(batch->held.length);
        const std::size_t count = std::min(length - used_, unit_rows_ - rows);
        memory->slices.push_back({batch, used_, count});
        rows += count;
        used_ += count;
        if (used_ < length) continue;
        waiting_.pop_front();
        used_ = 0;
    }
    waiting_rows_ -= rows;
    unit.index = next_unit_++;
    unit.first_row = next_row_;
    unit.first_line = next_row_ + 1;
    unit.file = 0;
    unit.row_count = rows;
    unit.skipped_before.clear();
    unit.memory = std::move(memory);
    next_row_ += rows;
    return true;
}

void ArrowStreamReader::read_numbers(std::size_t column, const StreamUnit& unit, std::vector<double>& into) const {
    const std::string_view format = type_of(column).format;
    const auto element = python::element_of(format);
    for (const auto& [batch, first, count] : unit.slices) {
        const ArrowArray& values = *batch->held.children[column];
        const std::size_t row = static_cast<std::size_t>(batch->held.offset) + first, start = into.size();
        if (format == "n") {
            into.insert(into.end(), count, not_a_number);
            continue;
        }
        if (element)
            add_elements(*element, values, static_cast<std::size_t>(values.offset) + row, count, into);
        else
            for (std::size_t k = 0; k < count; ++k)
                into.push_back(is_there(values, row + k) ? converted(format, values, row + k) : not_a_number);
        if (values.null_count == 0 || values.buffers[0] == nullptr) continue;
        for (std::size_t k = 0; k < count; ++k)
            if (!is_there(values, row + k)) into[start + k] = not_a_number;
    }
}

void ArrowStreamReader::read_words(std::size_t column, StreamUnit& unit, Cells& cells) const {
    const std::string_view format = type_of(column).format;
    std::vector<std::size_t> ends;
    std::vector<bool> there;
    std::string& letters = unit.letters.emplace_back();
    for (const auto& [batch, first, count] : unit.slices) {
        const ArrowArray& values = *batch->held.children[column];
        const std::size_t row = static_cast<std::size_t>(batch->held.offset) + first;
        for (std::size_t k = 0; k < count; ++k) {
            there.push_back(is_there(values, row + k));
            if (there.back()) letters += word(format, values, row + k);
            ends.push_back(letters.size());
        }
    }
    letters.append(read_ahead, '\0');
    std::size_t start = 0;
    for (std::size_t k = 0; k < ends.size(); ++k) {
        cells.words.push_back(there[k] ? std::string_view(letters).substr(start, ends[k] - start) : std::string_view{});
        start = ends[k];
    }
}

// Batches may come with dictionaries of their own: entries of all of them stand behind each other.
void ArrowStreamReader::read_dictionary(std::size_t column, StreamUnit& unit, Cells& cells) const {
    const ArrowSchema& type = type_of(column);
    const auto element = python::element_of(type.format);
    const ArrowArray* last = nullptr;
    std::size_t base = 0;
    for (const auto& [batch, first, count] : unit.slices) {
        const ArrowArray& values = *batch->held.children[column];
        const ArrowArray& entries = *values.dictionary;
        if (last != &entries) {
            base = cells.dictionary.size();
            for (std::size_t k = 0; k < static_cast<std::size_t>(entries.length); ++k) {
                std::string& letters = unit.letters.emplace_back();
                if (is_there(entries, k)) letters = entry_name(type.dictionary->format, entries, k);
                const std::size_t size = letters.size();
                letters.append(read_ahead, '\0');
                cells.dictionary.push_back(is_there(entries, k) ? std::string_view(letters).substr(0, size)
                                                                : std::string_view{});
            }
            last = &entries;
        }
        const std::size_t row = static_cast<std::size_t>(batch->held.offset) + first;
        std::vector<double> codes;
        add_elements(element.value_or(Element::i32), values, static_cast<std::size_t>(values.offset) + row, count,
                     codes);
        for (std::size_t k = 0; k < count; ++k) {
            const bool there =
                is_there(values, row + k) && codes[k] >= 0 && codes[k] < static_cast<double>(entries.length);
            const std::size_t at = there ? base + static_cast<std::size_t>(codes[k]) : 0;
            cells.codes.push_back(there && cells.dictionary[at].data() != nullptr ? static_cast<std::int32_t>(at) : -1);
        }
    }
}

void spell_cells(const std::vector<double>& numbers, StreamUnit& unit, Cells& cells) {
    for (const double value : numbers) {
        if (std::isnan(value)) {
            cells.words.emplace_back();
            continue;
        }
        std::string& word = unit.letters.emplace_back(number_spelled(value));
        const std::size_t size = word.size();
        word.append(read_ahead, '\0');
        cells.words.push_back(std::string_view(word).substr(0, size));
    }
}

// Words where numbers are wanted: read as files read them.
Result<std::vector<double>> numbers_spelled(const Cells& cells) {
    std::vector<std::string> words;
    for (const std::string_view word : cells.words) words.emplace_back(word.data() == nullptr ? "" : word);
    for (const std::int32_t entry : cells.codes)
        words.emplace_back(entry < 0 ? "" : cells.dictionary[static_cast<std::size_t>(entry)]);
    return read_number_words(words);
}

Result<void> ArrowStreamReader::read_cells(std::size_t column, ColumnKind kind, StreamUnit& unit, Cells& cells) const {
    cells = {};
    cells.kind = kind;
    const bool numbers = kind == ColumnKind::number || kind == ColumnKind::flag;
    if (!holds_words(column)) {
        read_numbers(column, unit, cells.numbers);
        if (numbers) return {};
        const std::vector<double> values = std::move(cells.numbers);
        cells.numbers.clear();
        spell_cells(values, unit, cells);
        return {};
    }
    type_of(column).dictionary != nullptr ? read_dictionary(column, unit, cells) : read_words(column, unit, cells);
    if (!numbers) return {};
    auto read = numbers_spelled(cells);
    if (!read) return read.error();
    cells.numbers = std::move(*read);
    return {};
}

Result<void> ArrowStreamReader::decode(TableUnit& unit) const {
    auto& memory = static_cast<StreamUnit&>(*unit.memory);
    unit.columns.resize(found_.size());
    for (std::size_t k = 0; k < found_.size(); ++k) {
        if (!wanted_[k].first) continue;
        try {
            auto read = read_cells(k, wanted_[k].second, memory, unit.columns[k]);
            if (read) continue;
            Error error = read.error();
            if (error.row) error.row = unit.first_row + *error.row;
            if (!names_.empty()) error.file = names_.front();
            return std::move(error).in_column(found_[k].name);
        } catch (const Exception& exception) {  // a layout that contradicts itself
            return Error(exception.error()).in_column(found_[k].name);
        }
    }
    return {};
}

Result<void> ArrowStreamReader::rewind() {
    if (!drawn_) return {};
    waiting_.clear();
    used_ = waiting_rows_ = 0;
    next_row_ = next_unit_ = 0;
    at_end_ = false;
    if (auto taken = take_stream(); !taken) return taken;
    drawn_ = false;
    return {};
}

}  // namespace

// Blocks of rows are what parts are cut by, and rows at the ends of a part travel to where their block is summed, so
// they are small; but a block has a statistic of its own, and one of all pairs of columns should not outweigh it.
std::size_t stream_block_rows(std::size_t column_count) {
    constexpr std::size_t fewest_values = std::size_t{1} << 15, most_values = std::size_t{1} << 21;
    const std::size_t values = std::clamp(4 * column_count * column_count, fewest_values, most_values);
    return std::clamp(values / (column_count + 1), std::size_t{1} << 6, std::size_t{1} << 14);
}

Result<std::unique_ptr<TableReader>> read_arrow_stream(nb::handle exporter, const std::string& name) {
    auto reader = std::make_unique<ArrowStreamReader>(exporter, name);
    Result<void> opened;
    {
        const nb::gil_scoped_release release;
        opened = reader->open();
    }
    if (!opened) {
        Error error = opened.error();
        if (!name.empty() && error.file.empty()) error.file = name;
        return error;
    }
    return std::unique_ptr<TableReader>(std::move(reader));
}

}  // namespace suffice::python
