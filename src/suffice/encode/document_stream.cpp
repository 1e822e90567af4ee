// Cuts documents into units and codes them.
#include "suffice/encode/document_stream.hpp"

#include "suffice/data/check_rows.hpp"
#include "suffice/encode/document_codes.hpp"

namespace suffice {
namespace {

struct DrawnDocuments final : Stream::Drawn {
    std::size_t first = 0, count = 0;
};

struct DocumentLane final : Stream::Lane {
    DocumentCodes codes;
    ColumnView view;
    explicit DocumentLane(const Tokenizer& tokenizer) : codes(tokenizer) {}
};

Tokenizer tokenizer_of(const Schema& names) {
    const Column& column = names.columns.at(0);
    return Tokenizer::make(column.text.empty() ? TextOptions{} : column.text[0]).value();
}

}  // namespace

DocumentStream::DocumentStream(LabeledDocuments documents, Schema names, bool names_grow, const Vocabulary* known)
    : documents_(documents),
      names_(std::move(names)),
      names_grow_(names_grow),
      tokenizer_(tokenizer_of(names_)),
      known_(known) {
    if (!names_grow && known == nullptr) known_ = &own_words_.emplace(names_.columns[0].levels);
    if (names_grow) known_ = nullptr;
    names_.columns[0].levels.clear();  // lanes need not copy what they never look at
    std::size_t bytes = unit_bytes;
    for (std::size_t k = 0; k < documents_.text.size(); ++k) {
        if (bytes >= unit_bytes) {
            first_.push_back(k);
            bytes = 0;
        }
        bytes += documents_.text[k].size();
        total_bytes_ += documents_.text[k].size();
    }
    first_.push_back(documents_.text.size());
}

std::unique_ptr<Stream::Drawn> DocumentStream::drawn() const { return std::make_unique<DrawnDocuments>(); }

std::unique_ptr<Stream::Lane> DocumentStream::lane() const {
    auto made = std::make_unique<DocumentLane>(tokenizer_);
    made->names = names_;
    return made;
}

Result<bool> DocumentStream::draw(Drawn& unit) {
    if (next_ + 1 >= first_.size()) return false;
    auto& drawn = static_cast<DrawnDocuments&>(unit);
    drawn.first = first_[next_++];
    drawn.count = first_[next_] - drawn.first;
    return true;
}

Result<LabeledBlock> DocumentStream::decode(Drawn& unit, Lane& lane) const {
    const auto& drawn = static_cast<const DrawnDocuments&>(unit);
    return decode(drawn.first, drawn.count, lane);
}

Result<LabeledBlock> DocumentStream::decode(std::size_t unit, Lane& lane) const {
    return decode(first_[unit], first_[unit + 1] - first_[unit], lane);
}

Result<LabeledBlock> DocumentStream::decode(std::size_t first, std::size_t count, Lane& into) const {
    auto& lane = static_cast<DocumentLane&>(into);
    lane.view = {};
    if (!names_grow_) {
        Vocabulary none;
        const auto document = [&](std::size_t row) { return documents_.text[first + row]; };
        if (auto read = lane.codes.read(count, document, known_, none); !read)
            return Error(read.error()).at_row(first + read.error().row.value_or(1)).in_column(names_.columns[0].name);
        lane.view.tokens = lane.codes.view(known_->size());
        lane.view.validity = lane.codes.validity();
    }
    LabeledBlock block;
    block.rows = ColumnBlock{{&lane.view, 1}, count, 0};
    block.first_row = first;
    if (!documents_.label.empty()) block.label = documents_.label.subspan(first, count);
    if (!documents_.weight.empty()) block.weight = documents_.weight.subspan(first, count);
    if (auto good = check_lesson(names_, block); !good) return good.error();
    return block;
}

Result<void> DocumentStream::rewind() {
    next_ = 0;
    return {};
}

Progress DocumentStream::progress() const {
    const std::size_t rows = first_[next_];
    return {rows, first_.size() < 2 ? 0 : total_bytes_ * next_ / (first_.size() - 1), total_bytes_};
}

}  // namespace suffice
