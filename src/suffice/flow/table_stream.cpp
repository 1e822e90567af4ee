// Turns decoded cells into columns of numbers and codes.
#include "suffice/flow/table_stream.hpp"

#include <cmath>
#include <limits>

#include "suffice/encode/text_count.hpp"
#include "suffice/encode/vocabulary.hpp"

namespace suffice {
namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

struct DrawnTable final : Stream::Drawn {
    TableUnit unit;
};

// Words of one column or of the target, numbered by first appearance behind those known before.
struct WordCodes {
    Vocabulary words;
    std::vector<double> codes;
};

// Documents of one text column as counts of words. Unlike other words, those of documents are never missing levels.
struct DocumentCodes {
    std::unique_ptr<DocumentReader> reader;
    std::vector<std::int64_t> row_start;
    std::vector<std::uint32_t> word;
    std::vector<double> count;
    std::vector<std::uint8_t> there;  // a bit per row
};

struct TableLane final : Stream::Lane {
    TableUnit unit;  // the views point in here
    std::vector<WordCodes> columns;
    std::vector<DocumentCodes> documents;
    Vocabulary classes;
    std::vector<ColumnView> views;
    std::vector<std::int32_t> labels;
    std::vector<double> absent;
};

// One code per cell: NaN missing, unseen_level where names do not grow.
void code_words(const Cells& cells, const Vocabulary* known, WordCodes& into, std::vector<std::string>& names) {
    const auto code = [&](std::string_view word) -> double {
        if (word.data() == nullptr) return missing;
        const std::uint32_t found = known == nullptr ? into.words.add(word) : known->find(word);
        if (found == Vocabulary::unknown) return unseen_level;
        if (found == names.size()) names.emplace_back(word);
        return found;
    };
    into.codes.clear();
    if (cells.codes.empty()) {
        for (const auto word : cells.words) into.codes.push_back(code(word));
        return;
    }
    std::vector<double> of_entry(cells.dictionary.size(), missing);
    std::vector<bool> coded(cells.dictionary.size());
    for (const std::int32_t entry : cells.codes) {
        if (entry < 0) {
            into.codes.push_back(missing);
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

std::string_view word_at(const Cells& cells, std::size_t row) {
    if (cells.codes.empty()) return cells.words[row];
    return cells.codes[row] < 0 ? std::string_view{} : cells.dictionary[static_cast<std::size_t>(cells.codes[row])];
}

// Cuts the documents of a unit into words; `known` where the vocabulary does not grow.
Result<void> code_documents(const Cells& cells, std::size_t rows, const Vocabulary* known, Vocabulary& growing,
                            DocumentCodes& into, std::vector<std::string>& names) {
    into.row_start.assign(1, 0);
    into.word.clear();
    into.count.clear();
    into.there.assign(rows / 8 + 1, 0);
    const auto take = [&](std::uint32_t word, double count) {
        into.word.push_back(word);
        into.count.push_back(count);
    };
    for (std::size_t row = 0; row < rows; ++row) {
        const std::string_view document = word_at(cells, row);
        if (document.data() != nullptr) {
            into.there[row / 8] = static_cast<std::uint8_t>(into.there[row / 8] | 1u << row % 8);
            const auto cut = known != nullptr ? into.reader->for_each_known_count(document, *known, take)
                                              : into.reader->for_each_count(document, growing, take);
            if (!cut) return Error(cut.error()).at_row(row + 1);
        }
        into.row_start.push_back(static_cast<std::int64_t>(into.word.size()));
    }
    if (known == nullptr)
        for (std::size_t k = names.size(); k < growing.size(); ++k) names.emplace_back(growing.word(k));
    return {};
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
        known_.emplace_back(plan_.names_grow ? std::span<const std::string>{} : column.levels);
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

const TableUnit& TableStream::unit_of(const Lane& lane) { return static_cast<const TableLane&>(lane).unit; }

std::unique_ptr<Stream::Drawn> TableStream::drawn() const { return std::make_unique<DrawnTable>(); }

std::unique_ptr<Stream::Lane> TableStream::lane() const {
    auto made = std::make_unique<TableLane>();
    made->names = names_;
    made->columns.resize(names_.columns.size());
    made->documents.resize(names_.columns.size());
    for (std::size_t k = 0; k < names_.columns.size(); ++k) {
        if (plan_.names_grow) made->columns[k].words = Vocabulary(names_.columns[k].levels);
        if (tokenizers_[k]) made->documents[k].reader = std::make_unique<DocumentReader>(*tokenizers_[k]);
    }
    made->classes = Vocabulary(names_.classes);
    return made;
}

Result<bool> TableStream::draw(Drawn& unit) { return reader_.draw(static_cast<DrawnTable&>(unit).unit); }

Result<LabeledBlock> TableStream::decode(Drawn& drawn, Lane& into) const {
    auto& lane = static_cast<TableLane&>(into);
    auto& unit = static_cast<DrawnTable&>(drawn).unit;
    if (auto decoded = reader_.decode(unit); !decoded) return decoded.error();
    std::swap(lane.unit, unit);  // the views live as long as the lane holds them
    const std::size_t rows = lane.unit.row_count;
    lane.views.assign(plan_.columns.size(), {});
    for (std::size_t k = 0; k < plan_.columns.size(); ++k) {
        Column& column = lane.names.columns[k];
        if (plan_.columns[k] < 0) {
            lane.absent.assign(rows, missing);
            if (column.kind != ColumnKind::text) lane.views[k].values = lane.absent.data();
            continue;
        }
        const Cells& cells = lane.unit.columns[static_cast<std::size_t>(plan_.columns[k])];
        const Vocabulary* known = plan_.names_grow ? nullptr : &known_[k];
        if (column.kind == ColumnKind::text) {
            DocumentCodes& documents = lane.documents[k];
            if (auto cut = code_documents(cells, rows, known, lane.columns[k].words, documents, column.levels); !cut) {
                const std::uint64_t row = lane.unit.first_row + cut.error().row.value_or(1);
                return located(Error(cut.error()).at_row(row).in_column(column.name), lane);
            }
            lane.views[k].tokens = {documents.row_start, documents.word, documents.count, column.levels.size()};
            lane.views[k].validity = documents.there.data();
        } else if (column.kind != ColumnKind::category) {
            if (cells.numbers.size() != rows)
                return Error("the column holds words where numbers were expected; use --family \"" + column.name +
                             "=categorical\"")
                    .in_column(column.name);
            if (column.kind == ColumnKind::flag && plan_.names_grow && !only_flags(cells.numbers))
                column.kind = ColumnKind::number;
            lane.views[k].values = cells.numbers.data();
        } else {
            code_words(cells, known, lane.columns[k], column.levels);
            lane.views[k].values = lane.columns[k].codes.data();
        }
    }
    LabeledBlock block;
    block.rows = ColumnBlock{lane.views, rows, 0};
    block.first_row = lane.unit.first_row;
    if (plan_.target >= 0) {
        const Cells& cells = lane.unit.columns[static_cast<std::size_t>(plan_.target)];
        lane.labels.resize(rows);
        for (std::size_t row = 0; row < rows; ++row) {
            const std::string_view word = word_at(cells, row);
            std::uint32_t code = Vocabulary::unknown;
            if (word.data() != nullptr) code = plan_.names_grow ? lane.classes.add(word) : lane.classes.find(word);
            lane.labels[row] = code == Vocabulary::unknown ? -1 : static_cast<std::int32_t>(code);
            if (code != Vocabulary::unknown && code == lane.names.classes.size()) lane.names.classes.emplace_back(word);
        }
        block.label = lane.labels;
    }
    if (plan_.one_class) {
        lane.labels.assign(rows, 0);
        block.label = lane.labels;
    }
    if (plan_.weight >= 0) block.weight = lane.unit.columns[static_cast<std::size_t>(plan_.weight)].numbers;
    return block;
}

Error TableStream::located(Error error, const Lane& lane) const {
    const TableUnit& unit = unit_of(lane);
    if (error.file.empty() && unit.file < reader_.files().size()) error.file = reader_.files()[unit.file];
    if (error.row && *error.row > unit.first_row && *error.row <= unit.first_row + unit.row_count)
        error.row = reader_.line_of(unit, static_cast<std::size_t>(*error.row - unit.first_row - 1));
    return error;
}

Result<void> TableStream::rewind() { return reader_.rewind(); }

}  // namespace suffice
