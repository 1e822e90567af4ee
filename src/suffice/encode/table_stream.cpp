// Turns decoded cells into columns of numbers and codes.
#include "suffice/encode/table_stream.hpp"

#include <array>
#include <cmath>

#include "suffice/base/limits.hpp"
#include "suffice/data/check_rows.hpp"
#include "suffice/data/for_each_block.hpp"
#include "suffice/encode/document_codes.hpp"
#include "suffice/encode/vocabulary.hpp"
#include "suffice/read/word_look.hpp"

namespace suffice {

struct TableLane final : Stream::Lane {
    // Words of one column, numbered by first appearance behind those known before. A vocabulary takes 16 KiB before it
    // has a word, so columns of numbers, of which there may be a million in each lane, go without, and without room.
    struct WordCodes {
        std::unique_ptr<Vocabulary> words;
        std::vector<double> codes;
    };

    // The unit decoded last, which stays with the thread that drew it: a lane of its own copy would push the memory of
    // the other lanes out of the cache. The views point in here.
    const TableUnit* unit = nullptr;
    std::vector<WordCodes> columns;
    std::vector<std::unique_ptr<DocumentCodes>> documents;  // of text columns
    Vocabulary classes;
    std::array<std::int32_t, 256>
        class_of_byte{};  // of words of one byte, as most classes are: code + 2; 0: not asked yet
    std::vector<ColumnView> views;
    std::vector<double> weights;  // where they are not as in the table
    std::vector<std::int32_t> labels;
    std::vector<double> absent;
};

namespace {

struct DrawnTable final : Stream::Drawn {
    TableUnit unit;
};

bool holds_words(const Column& column) {
    return column.kind == ColumnKind::category || column.kind == ColumnKind::text;
}

// One code per cell: NaN missing, unseen_level where names do not grow.
void code_words(const Cells& cells, const Vocabulary* known, TableLane::WordCodes& into,
                std::vector<std::string>& names) {
    const auto code = [&](std::string_view word) -> double {
        if (word.data() == nullptr) return not_a_number;
        const std::uint32_t found = known == nullptr ? into.words->add(word) : known->find(word);
        if (found == Vocabulary::unknown) return unseen_level;
        if (found == names.size()) names.emplace_back(word);
        return found;
    };
    into.codes.clear();
    if (cells.codes.empty()) {
        for (const auto word : cells.words) into.codes.push_back(code(word));
        return;
    }
    std::vector<double> of_entry(cells.dictionary.size(), not_a_number);
    std::vector<bool> coded(cells.dictionary.size());
    for (const std::int32_t entry : cells.codes) {
        if (entry < 0) {
            into.codes.push_back(not_a_number);
            continue;
        }
        const auto at = static_cast<std::size_t>(entry);
        if (!coded[at]) {
            of_entry[at] = code(cells.dictionary[at]);
            coded[at] = true;
        }
        into.codes.push_back(of_entry[at]);
    }
}

// One class per row: -1 missing, or unknown where names do not grow.
void code_labels(const Cells& cells, std::size_t rows, bool names_grow, TableLane& lane) {
    const auto code_of = [&](std::string_view word) -> std::int32_t {
        if (word.data() == nullptr) return -1;
        const std::uint32_t code = names_grow ? lane.classes.add(word) : lane.classes.find(word);
        if (code == Vocabulary::unknown) return -1;
        if (code == lane.names.classes.size()) lane.names.classes.emplace_back(word);
        return static_cast<std::int32_t>(code);
    };
    lane.labels.resize(rows);
    for (std::size_t row = 0; row < rows; ++row) {
        const std::string_view word = text_at(cells, row);
        if (word.size() != 1) {
            lane.labels[row] = code_of(word);
            continue;
        }
        std::int32_t& known = lane.class_of_byte[static_cast<unsigned char>(word.front())];
        if (known == 0) known = code_of(word) + 2;
        lane.labels[row] = known - 2;
    }
}

bool only_flags(const std::vector<double>& numbers) {
    for (double x : numbers)
        if (x != 0 && x != 1 && !std::isnan(x)) return false;
    return true;
}

}  // namespace

TableStream::TableStream(TableReader& reader, ColumnPlan plan, Schema names)
    : reader_(reader), plan_(std::move(plan)), names_(std::move(names)) {
    for (const auto& column : names_.columns) {
        auto& tokenizer = tokenizers_.emplace_back();
        if (column.kind == ColumnKind::text)
            tokenizer = Tokenizer::make(column.text.empty() ? TextOptions{} : column.text[0]).value();
        auto& known = known_.emplace_back();
        if (!plan_.names_grow && holds_words(column)) known.emplace(column.levels);
    }
}

TableStream TableStream::with_names(Schema names) const {
    ColumnPlan plan = plan_;
    plan.names_grow = false;
    return TableStream(reader_, std::move(plan), std::move(names));
}

TableStream TableStream::without_labels(Schema names) const {
    TableStream plain = with_names(std::move(names));
    plain.plan_.target = -1;
    plain.plan_.one_class = false;
    return plain;
}

const TableUnit& TableStream::unit_of(const Lane& lane) { return *static_cast<const TableLane&>(lane).unit; }

std::unique_ptr<Stream::Drawn> TableStream::drawn() const { return std::make_unique<DrawnTable>(); }

std::unique_ptr<Stream::Lane> TableStream::lane() const {
    auto made = std::make_unique<TableLane>();
    made->names = names_;
    made->columns.resize(names_.columns.size());
    made->documents.resize(names_.columns.size());
    for (std::size_t k = 0; k < names_.columns.size(); ++k) {
        if (plan_.names_grow && holds_words(names_.columns[k]))
            made->columns[k].words = std::make_unique<Vocabulary>(names_.columns[k].levels);
        if (tokenizers_[k]) made->documents[k] = std::make_unique<DocumentCodes>(*tokenizers_[k]);
    }
    made->classes = Vocabulary(names_.classes);
    return made;
}

Result<bool> TableStream::draw(Drawn& unit) { return reader_.draw(static_cast<DrawnTable&>(unit).unit); }

// The view of one column of the model.
Result<void> TableStream::view_column(std::size_t k, TableLane& lane) const {
    const TableUnit& unit = *lane.unit;
    const std::size_t rows = unit.row_count;
    Column& column = lane.names.columns[k];
    if (plan_.columns[k] < 0) {
        lane.absent.assign(rows, not_a_number);
        if (column.kind != ColumnKind::text) lane.views[k].values = lane.absent.data();
        return {};
    }
    const Cells& cells = unit.columns[static_cast<std::size_t>(plan_.columns[k])];
    if (column.kind == ColumnKind::text) return view_documents(k, cells, lane);
    if (plan_.is_date(k)) {
        const auto [part, day_first] = plan_.dates_of(k);
        auto& numbers = lane.columns[k].codes;
        numbers.resize(rows);
        for (std::size_t row = 0; row < rows; ++row) numbers[row] = date_part(text_at(cells, row), part, day_first);
        lane.views[k].values = numbers.data();
    } else if (column.kind != ColumnKind::category) {
        if (cells.numbers.size() != rows)
            return Error("the column holds words where numbers were expected")
                .advise({"families", column.name + "=categorical"})
                .in_column(column.name);
        if (column.kind == ColumnKind::flag && plan_.names_grow && !only_flags(cells.numbers))
            column.kind = ColumnKind::number;
        lane.views[k].values = cells.numbers.data();
    } else {
        code_words(cells, known_[k] ? &*known_[k] : nullptr, lane.columns[k], column.levels);
        lane.views[k].values = lane.columns[k].codes.data();
    }
    return {};
}

Result<void> TableStream::view_documents(std::size_t k, const Cells& cells, TableLane& lane) const {
    Column& column = lane.names.columns[k];
    DocumentCodes& documents = *lane.documents[k];
    auto& words = lane.columns[k].words;
    if (!words) words = std::make_unique<Vocabulary>();
    const auto document = [&](std::size_t row) { return text_at(cells, row); };
    const std::uint64_t before = documents.invalid_count();
    if (auto cut = documents.read(lane.unit->row_count, document, known_[k] ? &*known_[k] : nullptr, *words); !cut) {
        const std::uint64_t row = lane.unit->first_row + cut.error().row.value_or(1);
        return located(Error(cut.error()).at_row(row).in_column(column.name), lane);
    }
    *replaced_ += documents.invalid_count() - before;
    if (plan_.names_grow)
        for (std::size_t w = column.levels.size(); w < words->size(); ++w) column.levels.emplace_back(words->word(w));
    lane.views[k].tokens = documents.view(column.levels.size());
    lane.views[k].validity = documents.validity();
    return {};
}

// Classes and weights of the rows.
void TableStream::label(LabeledBlock& block, TableLane& lane) const {
    const TableUnit& unit = *lane.unit;
    if (plan_.target >= 0) {
        code_labels(unit.columns[static_cast<std::size_t>(plan_.target)], unit.row_count, plan_.names_grow, lane);
        block.label = lane.labels;
    }
    if (plan_.one_class) {
        lane.labels.assign(unit.row_count, 0);
        block.label = lane.labels;
    }
    if (plan_.weight < 0) return;
    block.weight = unit.columns[static_cast<std::size_t>(plan_.weight)].numbers;
    if (plan_.weight_factor == 1) return;
    lane.weights.assign(block.weight.begin(), block.weight.end());
    for (double& each : lane.weights) each *= plan_.weight_factor;
    block.weight = lane.weights;
}

Result<LabeledBlock> TableStream::decode(Drawn& drawn, Lane& into) const {
    auto& lane = static_cast<TableLane&>(into);
    auto& unit = static_cast<DrawnTable&>(drawn).unit;
    if (auto decoded = reader_.decode(unit); !decoded) return decoded.error();
    lane.unit = &unit;
    lane.views.assign(plan_.columns.size(), {});
    for (std::size_t k = 0; k < plan_.columns.size(); ++k)
        if (auto viewed = view_column(k, lane); !viewed) return viewed.error();
    LabeledBlock block;
    block.rows = ColumnBlock{lane.views, unit.row_count, 0};
    block.first_row = unit.first_row;
    label(block, lane);
    if (auto good = check_lesson(lane.names, block); !good) return located(good.error(), lane);
    return block;
}

Error TableStream::located(Error error, const Lane& lane) const {
    const TableUnit& unit = unit_of(lane);
    if (error.file.empty() && unit.file < reader_.files().size()) error.file = reader_.files()[unit.file];
    if (error.row && *error.row > unit.first_row && *error.row <= unit.first_row + unit.row_count)
        error.row = reader_.line_of(unit, static_cast<std::size_t>(*error.row - unit.first_row - 1));
    return error;
}

Result<void> TableStream::take_importance() {
    if (plan_.weight < 0) return {};
    double sum = 0, squares = 0;
    const auto looked = for_each_block(*this, [&](const LabeledBlock& block, const Stream::Lane&) -> Result<bool> {
        for (std::size_t row = 0; row < block.size(); ++row) {
            if (plan_.target >= 0 && block.label_of(row) < 0) continue;
            sum += block.weight_of(row);
            squares += block.weight_of(row) * block.weight_of(row);
        }
        return true;
    });
    if (!looked) return looked.error();
    if (squares > 0) plan_.weight_factor = sum / squares;
    return rewind();
}

Result<void> TableStream::rewind() { return reader_.rewind(); }

}  // namespace suffice
