// Cuts documents into units and codes them.
#include "suffice/encode/document_stream.hpp"

#include "suffice/encode/document_codes.hpp"

namespace suffice {
namespace {

struct DrawnDocuments final : Stream::Drawn {
    std::size_t first = 0, count = 0;
};

struct DocumentLane final : Stream::Lane {
    DocumentCodes codes;
    Vocabulary words;
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
    if (names_grow)
        known_ = nullptr;
    else
        names_.columns[0].levels.clear();  // lanes need not copy what they never add to
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
    if (names_grow_) made->words = Vocabulary(names_.columns[0].levels);
    return made;
}

Result<bool> DocumentStream::draw(Drawn& unit) {
    if (next_ + 1 >= first_.size()) return false;
    auto& drawn = static_cast<DrawnDocuments&>(unit);
    drawn.first = first_[next_++];
    drawn.count = first_[next_] - drawn.first;
    return true;
}

Result<LabeledBlock> DocumentStream::decode(Drawn& unit, Lane& into) const {
    const auto& drawn = static_cast<const DrawnDocuments&>(unit);
    auto& lane = static_cast<DocumentLane&>(into);
    const auto document = [&](std::size_t row) { return documents_.text[drawn.first + row]; };
    if (auto read = lane.codes.read(drawn.count, document, known_, lane.words); !read)
        return Error(read.error()).at_row(drawn.first + read.error().row.value_or(1)).in_column(names_.columns[0].name);
    auto& names = lane.names.columns[0].levels;
    if (names_grow_)
        for (std::size_t k = names.size(); k < lane.words.size(); ++k) names.emplace_back(lane.words.word(k));
    lane.view = {};
    lane.view.tokens = lane.codes.view(known_ != nullptr ? known_->size() : names.size());
    lane.view.validity = lane.codes.validity();
    LabeledBlock block;
    block.rows = ColumnBlock{{&lane.view, 1}, drawn.count, 0};
    block.first_row = drawn.first;
    if (!documents_.label.empty()) block.label = documents_.label.subspan(drawn.first, drawn.count);
    if (!documents_.weight.empty()) block.weight = documents_.weight.subspan(drawn.first, drawn.count);
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
