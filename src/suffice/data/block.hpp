// A run of rows on their way through. Views only: a Block never owns or frees memory.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <variant>

namespace suffice {

enum class Element : std::uint8_t { f64, f32, i64, i32, i16, i8, u64, u32, u16, u8, bit };
std::size_t element_size(Element element);  // in bytes; a bit counts as none

// Numbers of one type at regular distances; NaN is missing. Strides count elements and may be negative.
struct DenseBlock {
    const void* values = nullptr;
    Element element = Element::f64;
    std::size_t row_count = 0, column_count = 0;
    std::ptrdiff_t row_stride = 0, column_stride = 1;
};

// CSR. Absent entries are zero.
struct SparseBlock {
    std::span<const std::int64_t> row_start = {};  // row_count + 1 positions in `column` and `value`
    std::span<const std::uint32_t> column = {};
    std::span<const double> value = {};  // empty: every entry is one
    std::size_t column_count = 0;

    double value_at(std::int64_t at) const { return value.empty() ? 1.0 : value[static_cast<std::size_t>(at)]; }
};

// A level that no row had when the model was made. Missing is NaN.
inline constexpr double unseen_level = -1;

// One column as Arrow lays it out: values or dictionary codes, and a bitmap of which are there.
struct ColumnView {
    const void* values = nullptr;
    Element element = Element::f64;
    const std::uint8_t* validity = nullptr;  // null: all are there
    std::size_t offset = 0;                  // of the first row, in elements and in bits
    std::span<const std::int32_t> code_map =
        {};                   // dictionary code -> level code of the schema (-1: unseen); empty: as is
    SparseBlock tokens = {};  // of a text column, which has no values but may have a validity
};

struct ColumnBlock {
    std::span<const ColumnView> columns = {};
    std::size_t row_count = 0;
    std::size_t first_row = 0;  // where this slice starts in the columns
};

using Block = std::variant<DenseBlock, SparseBlock, ColumnBlock>;

std::size_t row_count(const Block& block);
std::size_t column_count(const Block& block);
Block slice(const Block& block, std::size_t first, std::size_t count);

// One value, slowly: for explanations, messages and odd paths. NaN: missing.
double value_at(const Block& block, std::size_t row, std::size_t column);
// The words of one text column: of a SparseBlock, or of a ColumnBlock with tokens there. Empty: there are none.
SparseBlock tokens_of(const Block& block, std::size_t column);
// Is there no text at all in this row (which is not the same as text without words)?
bool is_missing(const Block& block, std::size_t row, std::size_t column);

// Rows with what is known of their class.
struct LabeledBlock {
    Block rows = DenseBlock{};
    std::span<const std::int32_t> label = {};  // -1: unknown; empty: all unknown
    std::span<const double> weight = {};       // empty: every row weighs one
    std::uint64_t first_row = 0;               // of the whole source, from zero; for messages

    std::size_t size() const { return row_count(rows); }
    double weight_of(std::size_t row) const { return weight.empty() ? 1.0 : weight[row]; }
    std::int32_t label_of(std::size_t row) const { return label.empty() ? -1 : label[row]; }
    LabeledBlock slice(std::size_t first, std::size_t count) const;
};

// How much each row of a block counts for each class: a code and a weight, or (EM) a share per class.
struct Membership {
    std::size_t class_count = 0;
    std::span<const std::int32_t> code = {};  // -1: counts for none
    std::span<const double> weight = {};      // empty: one
    const double* share =
        nullptr;  // class-major, weights included: share[c * share_stride + row]; null: `code` decides
    std::size_t share_stride = 0;

    template <class Visit>
    void for_each_class(std::size_t row, Visit&& visit) const {
        if (share != nullptr) {
            for (std::size_t c = 0; c < class_count; ++c)
                if (const double w = share[c * share_stride + row]; w > 0) visit(c, w);
        } else if (const double w = weight.empty() ? 1.0 : weight[row]; code[row] >= 0 && w > 0) {
            visit(static_cast<std::size_t>(code[row]), w);
        }
    }
};

}  // namespace suffice
