// Cuts rows out of the buffers of a column.
#include "suffice/read/arrow/ipc_column.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <span>

#include <arrow/util/bitmap_ops.h>

#include "suffice/read/arrow/ipc_bytes.hpp"

namespace suffice {
namespace {

using Kind = arrow::DataTypeLayout::BufferKind;
constexpr std::size_t validity = 0, values = 1, words = 2;  // which buffer

arrow::Status too_short() { return arrow::Status::Invalid("a column has fewer values than rows"); }
arrow::Status outside() { return arrow::Status::Invalid("a word lies outside its column"); }

bool is_view(const arrow::DataType& type) {
    return type.id() == arrow::Type::STRING_VIEW || type.id() == arrow::Type::BINARY_VIEW;
}

// A word of a column of views: up to twelve bytes lie in the view itself.
struct View {
    std::int32_t size = 0;
    char prefix[4] = {};
    std::int32_t buffer = 0, offset = 0;
    bool is_elsewhere() const { return size > 12; }
};
static_assert(sizeof(View) == 16);

}  // namespace

arrow::Result<std::unique_ptr<IpcColumn>> IpcColumn::open(const IpcMessages& messages,
                                                          std::shared_ptr<arrow::ArrayData> whole,
                                                          arrow::Compression::type packing) {
    std::unique_ptr<IpcColumn> made(new IpcColumn(std::move(whole)));
    made->packed_ = packing != arrow::Compression::UNCOMPRESSED;
    for (const auto& buffer : made->whole_->buffers) {
        auto& bytes = made->bytes_.emplace_back();
        if (buffer == nullptr || buffer->size() == 0) continue;
        ARROW_ASSIGN_OR_RAISE(bytes, open_ipc_bytes(messages, messages.place_of(*buffer), buffer->size(), packing));
    }
    made->unpacked_.resize(made->bytes_.size());
    return made;
}

arrow::Result<IpcColumn::Bytes> IpcColumn::bytes(std::size_t buffer, std::int64_t at, std::int64_t size) {
    const auto* from = buffer < bytes_.size() ? bytes_[buffer].get() : nullptr;
    if (size > 0 && (from == nullptr || at > from->size() || size > from->size() - at)) return too_short();
    ARROW_ASSIGN_OR_RAISE(auto memory, IpcMessages::room(size));
    if (size == 0) return memory;
    ARROW_RETURN_NOT_OK(bytes_[buffer]->read(at, size, memory->mutable_data()));
    return memory;
}

arrow::Result<IpcColumn::Bytes> IpcColumn::bits(std::size_t buffer, std::int64_t first, std::int64_t count) {
    ARROW_ASSIGN_OR_RAISE(auto memory, bytes(buffer, first / 8, (first + count + 7) / 8 - first / 8));
    if (first % 8 == 0) return memory;
    return arrow::internal::CopyBitmap(arrow::default_memory_pool(), memory->data(), first % 8, count);
}

template <class Offset>
arrow::Status IpcColumn::fill_words(std::int64_t first, std::int64_t count, arrow::ArrayData& into) {
    constexpr std::int64_t width = sizeof(Offset);
    ARROW_ASSIGN_OR_RAISE(into.buffers[values], bytes(values, first * width, (count + 1) * width));
    auto* offsets = into.buffers[values]->mutable_data_as<Offset>();
    const Offset start = offsets[0];
    for (std::int64_t row = 0; row <= count; ++row) {
        if (start < 0 || offsets[row] < start || (row > 0 && offsets[row] - start < offsets[row - 1])) return outside();
        offsets[row] -= start;
    }
    ARROW_ASSIGN_OR_RAISE(into.buffers[words], bytes(words, start, offsets[count]));
    return {};
}

arrow::Status IpcColumn::fill_views(std::int64_t first, std::int64_t count, arrow::ArrayData& into) {
    ARROW_ASSIGN_OR_RAISE(into.buffers[values],
                          bytes(values, first * std::int64_t{sizeof(View)}, count * std::int64_t{sizeof(View)}));
    const std::span views(into.buffers[values]->mutable_data_as<View>(), static_cast<std::size_t>(count));
    struct Range {
        std::int64_t first = std::numeric_limits<std::int64_t>::max(), end = 0;
    };
    std::vector<Range> ranges(bytes_.size());  // of each buffer's bytes, those that these rows need
    for (std::int64_t row = 0; row < count; ++row) {
        View& view = views[static_cast<std::size_t>(row)];
        if (into.buffers[validity] != nullptr && !arrow::bit_util::GetBit(into.buffers[validity]->data(), row))
            view = {};  // whatever it was, it points nowhere
        if (!view.is_elsewhere()) continue;
        const auto buffer = words + static_cast<std::size_t>(view.buffer);
        if (view.buffer < 0 || buffer >= bytes_.size() || view.offset < 0) return outside();
        ranges[buffer].first = std::min<std::int64_t>(ranges[buffer].first, view.offset);
        ranges[buffer].end = std::max(ranges[buffer].end, std::int64_t{view.offset} + view.size);
    }
    for (std::size_t buffer = words; buffer < bytes_.size(); ++buffer) {
        Range& range = ranges[buffer];
        if (range.end == 0 || packed_) range.first = 0;
        if (packed_) {
            ARROW_ASSIGN_OR_RAISE(into.buffers[buffer], unpacked(buffer));
        } else {
            ARROW_ASSIGN_OR_RAISE(into.buffers[buffer], bytes(buffer, range.first, range.end - range.first));
        }
    }
    for (View& view : views)
        if (view.is_elsewhere())
            view.offset -= static_cast<std::int32_t>(ranges[words + static_cast<std::size_t>(view.buffer)].first);
    return {};
}

// Words that views point at may be in any order, so a packed buffer of them is unpacked as a whole.
arrow::Result<IpcColumn::Bytes> IpcColumn::unpacked(std::size_t buffer) {
    if (unpacked_[buffer] == nullptr) {
        const std::int64_t size = bytes_[buffer] == nullptr ? 0 : bytes_[buffer]->size();
        ARROW_ASSIGN_OR_RAISE(unpacked_[buffer], bytes(buffer, 0, size));
    }
    return unpacked_[buffer];
}

arrow::Result<std::shared_ptr<arrow::Array>> IpcColumn::rows(std::int64_t first, std::int64_t count) {
    auto cut = whole_->Copy();  // of what cannot be read as numbers or words, such as lists, the rows stay addresses
    cut->length = count;
    cut->null_count = arrow::kUnknownNullCount;
    const arrow::DataType& type = *whole_->type;
    const auto layout = type.layout().buffers;
    if (type.id() == arrow::Type::NA) return arrow::MakeArray(cut);
    if (!layout.empty() && layout[validity].kind == Kind::BITMAP && whole_->buffers[validity] != nullptr) {
        ARROW_ASSIGN_OR_RAISE(cut->buffers[validity], bits(validity, first, count));
    }
    if (!cut->child_data.empty() || type.id() == arrow::Type::EXTENSION) return arrow::MakeArray(cut);
    if (is_view(type)) {
        ARROW_RETURN_NOT_OK(fill_views(first, count, *cut));
    } else if (layout.size() > words) {
        ARROW_RETURN_NOT_OK(layout[values].byte_width == sizeof(std::int64_t)
                                ? fill_words<std::int64_t>(first, count, *cut)
                                : fill_words<std::int32_t>(first, count, *cut));
    } else if (layout[values].kind == Kind::BITMAP) {
        ARROW_ASSIGN_OR_RAISE(cut->buffers[values], bits(values, first, count));
    } else {
        const std::int64_t width = layout[values].byte_width;
        ARROW_ASSIGN_OR_RAISE(cut->buffers[values], bytes(values, first * width, count * width));
    }
    auto array = arrow::MakeArray(cut);
    ARROW_RETURN_NOT_OK(array->ValidateFull());
    return array;
}

}  // namespace suffice
