// Reads memory that Python lends and makes the arrays that Python receives.
#include "core/arrays.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <new>
#include <string>

#include "core/arrow_table.hpp"
#include "core/table_rows.hpp"
#include <sys/mman.h>

#include "suffice/base/result.hpp"

namespace suffice::python {
namespace {

constexpr std::size_t huge_page = std::size_t{2} << 20;

Element element_of(const Py_buffer& view) {
    const char* format = view.format == nullptr ? "B" : view.format;
    if (*format == '@' || *format == '=' || *format == '<') ++format;
    const bool wide = view.itemsize == 8, half = view.itemsize == 4, quarter = view.itemsize == 2;
    if (format[0] != '\0' && format[1] == '\0') switch (format[0]) {
            case 'd':
                return Element::f64;
            case 'f':
                return Element::f32;
            case 'b':
            case 'h':
            case 'i':
            case 'l':
            case 'q':
                return wide ? Element::i64 : half ? Element::i32 : quarter ? Element::i16 : Element::i8;
            case '?':
            case 'B':
            case 'H':
            case 'I':
            case 'L':
            case 'Q':
                return wide ? Element::u64 : half ? Element::u32 : quarter ? Element::u16 : Element::u8;
            default:
                break;
        }
    throw Exception(Error(ErrorKind::usage, std::string("arrays of the type '") + format + "' cannot be read"));
}

// What a large result lies in. The kernel clears fresh pages at the speed at which rows are scored, so the last result
// that was let go is kept for the next one, as malloc keeps smaller ones.
struct Memory {
    void* start;
    std::size_t size;
};
constexpr std::size_t largest_spare = std::size_t{64} << 20;
std::atomic<Memory*> spare{nullptr};

void release(Memory* memory) {
    if (memory == nullptr) return;
    std::free(memory->start);
    delete memory;
}

void let_go(void* memory) noexcept {
    auto* last = static_cast<Memory*>(memory);
    release(last->size <= largest_spare ? spare.exchange(last) : last);
}

Memory* large_memory(std::size_t bytes) {
    const std::size_t size = (bytes + huge_page - 1) / huge_page * huge_page;
    Memory* kept = spare.exchange(nullptr);
    if (kept != nullptr && kept->size >= size && kept->size <= 2 * size) return kept;
    release(kept);
    void* start = std::aligned_alloc(huge_page, size);
    if (start == nullptr) throw std::bad_alloc();
    madvise(start, size, MADV_HUGEPAGE);
    return new Memory{start, size};
}

// Dictionary codes are looked up without a further check.
void check_codes(const Buffer& codes, std::size_t meanings) {
    if (codes.element() != Element::i32) throw Exception(Error(ErrorKind::usage, "dictionary codes must be int32"));
    for (std::int32_t code : codes.codes("dictionary codes"))
        if (code >= static_cast<std::int32_t>(meanings)) throw Exception(Error("a dictionary code has no meaning"));
}

}  // namespace

// Numbers of another byte order are copied into this machine's; the view keeps the copy.
Buffer::Buffer(nb::handle array) {
    if (PyObject_GetBuffer(array.ptr(), &view_, PyBUF_STRIDES | PyBUF_FORMAT) != 0) throw nb::python_error();
    if (view_.format != nullptr && (*view_.format == '>' || *view_.format == '!')) {
        PyBuffer_Release(&view_);
        const nb::object native = array.attr("astype")(array.attr("dtype").attr("newbyteorder")("="));
        if (PyObject_GetBuffer(native.ptr(), &view_, PyBUF_STRIDES | PyBUF_FORMAT) != 0) throw nb::python_error();
    }
    try {
        if (view_.ndim > 8) throw Exception(Error(ErrorKind::usage, "an array has too many dimensions"));
        element_ = element_of(view_);
        for (int k = 0; k < view_.ndim; ++k) {
            if (view_.strides[k] % view_.itemsize != 0 && view_.shape[k] > 1)
                throw Exception(
                    Error(ErrorKind::usage, "the distance between entries is not a multiple of their size"));
            strides_[k] = view_.strides[k] / view_.itemsize;
        }
        if (reinterpret_cast<std::uintptr_t>(view_.buf) % static_cast<std::uintptr_t>(view_.itemsize) != 0)
            throw Exception(Error(ErrorKind::usage, "the array is not aligned"));
    } catch (...) {
        PyBuffer_Release(&view_);
        throw;
    }
}

Buffer::~Buffer() { PyBuffer_Release(&view_); }

DenseBlock Buffer::rows() const {
    if (view_.ndim != 2) throw Exception(Error("rows must be given as a two-dimensional array"));
    return {data(), element_, size(0), size(1), strides_[0], strides_[1]};
}

std::span<const double> Buffer::doubles(const char* what) const {
    if (element_ != Element::f64 || !PyBuffer_IsContiguous(&view_, 'C'))
        throw Exception(Error(ErrorKind::usage, std::string(what) + " must be a contiguous array of float64"));
    return {static_cast<const double*>(data()), static_cast<std::size_t>(view_.len / view_.itemsize)};
}

std::span<const std::int32_t> Buffer::codes(const char* what) const {
    if (element_ != Element::i32 || !PyBuffer_IsContiguous(&view_, 'C'))
        throw Exception(Error(ErrorKind::usage, std::string(what) + " must be a contiguous array of int32"));
    return {static_cast<const std::int32_t*>(data()), static_cast<std::size_t>(view_.len / view_.itemsize)};
}

std::span<const std::int64_t> Buffer::wide_codes(const char* what) const {
    if (element_ != Element::i64 || !PyBuffer_IsContiguous(&view_, 'C'))
        throw Exception(Error(ErrorKind::usage, std::string(what) + " must be a contiguous array of int64"));
    return {static_cast<const std::int64_t*>(data()), static_cast<std::size_t>(view_.len / view_.itemsize)};
}

RowsArgument::RowsArgument(nb::handle rows) {
    if (nb::isinstance<nb::tuple>(rows)) {
        read_sparse(nb::borrow<nb::tuple>(rows));
    } else if (nb::isinstance<nb::list>(rows)) {
        read_columns(nb::borrow<nb::list>(rows));
    } else if (nb::isinstance<ArrowRows>(rows)) {
        blocks_ = nb::cast<const ArrowRows&>(rows).blocks();
    } else if (nb::isinstance<TableRows>(rows)) {
        blocks_.push_back(nb::cast<const TableRows&>(rows).block());
    } else {
        buffers_.push_back(std::make_unique<Buffer>(rows));
        blocks_.push_back(buffers_.back()->rows());
    }
}

const Block& RowsArgument::block() const {
    if (blocks_.size() != 1) throw Exception(Error(ErrorKind::usage, "these rows lie in several pieces"));
    return blocks_.front();
}

std::size_t RowsArgument::row_count() const {
    std::size_t sum = 0;
    for (const Block& each : blocks_) sum += suffice::row_count(each);
    return sum;
}

void RowsArgument::read_columns(const nb::list& columns) {
    std::size_t rows = 0;
    for (nb::handle each : columns) {
        const auto parts = nb::cast<nb::tuple>(each);
        const Buffer& values = *buffers_.emplace_back(std::make_unique<Buffer>(parts[0]));
        if (values.dimension_count() != 1 || (values.size(0) > 1 && values.stride(0) != 1))
            throw Exception(Error(ErrorKind::usage, "a column must be a contiguous one-dimensional array"));
        ColumnView view;
        view.values = values.data();
        view.element = values.element();
        if (!nb::handle(parts[1]).is_none())
            view.code_map = buffers_.emplace_back(std::make_unique<Buffer>(parts[1]))->codes("the meaning of codes");
        if (!columns_.empty() && values.size(0) != rows) throw Exception(Error("columns differ in length"));
        rows = values.size(0);
        if (!nb::handle(parts[1]).is_none()) check_codes(values, view.code_map.size());
        columns_.push_back(view);
    }
    blocks_.push_back(ColumnBlock{columns_, rows, 0});
}

void RowsArgument::read_sparse(const nb::tuple& parts) {
    if (parts.size() != 4) throw Exception(Error(ErrorKind::usage, "sparse rows are given as four things"));
    for (std::size_t k = 0; k < 3; ++k) buffers_.push_back(std::make_unique<Buffer>(parts[k]));
    SparseBlock sparse;
    sparse.column_count = nb::cast<std::size_t>(parts[3]);
    const Buffer& starts = *buffers_[0];
    if (starts.element() == Element::i64) {
        const auto wide = starts.wide_codes("row starts");
        row_start_.assign(wide.begin(), wide.end());
    } else {
        const auto narrow = starts.codes("row starts");
        row_start_.assign(narrow.begin(), narrow.end());
    }
    const auto columns = buffers_[1]->codes("column numbers");
    sparse.value = buffers_[2]->doubles("values");
    sparse.column = {reinterpret_cast<const std::uint32_t*>(columns.data()), columns.size()};
    const bool ordered = !row_start_.empty() && row_start_.front() >= 0 && std::ranges::is_sorted(row_start_) &&
                         row_start_.back() <= static_cast<std::int64_t>(columns.size());
    // The highest bit of one of both is set where a number is negative or beyond the last column; no comparison, which
    // the oldest vector instructions lack for numbers without a sign.
    const auto last = static_cast<std::uint32_t>(std::min<std::size_t>(sparse.column_count, 0x7FFFFFFFu)) - 1;
    std::uint32_t outside = sparse.column_count == 0 ? ~0u : 0u;
    for (std::uint32_t each : sparse.column) outside |= each | (last - each);
    if (!ordered || sparse.value.size() != columns.size() || (!columns.empty() && (outside >> 31) != 0))
        throw Exception(Error("the sparse matrix is not consistent"));
    sparse.row_start = row_start_;
    blocks_.push_back(sparse);
}

template <class T>
Array<T> new_array(const std::vector<std::size_t>& shape) {
    std::size_t count = 1;
    for (std::size_t each : shape) count *= each;
    if (count * sizeof(T) >= huge_page) {
        Memory* memory = large_memory(count * sizeof(T));
        return Array<T>(memory->start, shape.size(), shape.data(), nb::capsule(memory, &let_go));
    }
    void* memory = ::operator new(std::max<std::size_t>(count * sizeof(T), 1));
    return Array<T>(memory, shape.size(), shape.data(),
                    nb::capsule(memory, [](void* p) noexcept { ::operator delete(p); }));
}

template <class T>
Array<T> to_array(std::span<const T> values, const std::vector<std::size_t>& shape) {
    auto made = new_array<T>(shape);
    std::ranges::copy(values, made.data());
    return made;
}

template Array<double> new_array(const std::vector<std::size_t>&);
template Array<std::int32_t> new_array(const std::vector<std::size_t>&);
template Array<std::int64_t> new_array(const std::vector<std::size_t>&);
template Array<double> to_array(std::span<const double>, const std::vector<std::size_t>&);
template Array<std::int32_t> to_array(std::span<const std::int32_t>, const std::vector<std::size_t>&);

}  // namespace suffice::python
