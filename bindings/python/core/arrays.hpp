// NumPy arrays and scipy.sparse matrices as Blocks, without a copy, and results as NumPy arrays.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include "suffice/data/block.hpp"

namespace suffice::python {

namespace nb = nanobind;

// An array that lends its memory, of any shape and stride.
class Buffer {
public:
    explicit Buffer(nb::handle array);
    ~Buffer();
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;

    std::size_t dimension_count() const { return static_cast<std::size_t>(view_.ndim); }
    std::size_t size(std::size_t dimension) const { return static_cast<std::size_t>(view_.shape[dimension]); }
    std::ptrdiff_t stride(std::size_t dimension) const { return strides_[dimension]; }  // in elements
    Element element() const { return element_; }
    const void* data() const { return view_.buf; }
    DenseBlock rows() const;  // of a two-dimensional array

    // Contiguous numbers of exactly this type; else a TypeError that names the argument.
    std::span<const double> doubles(const char* what) const;
    std::span<const std::int32_t> codes(const char* what) const;
    std::span<const std::int64_t> wide_codes(const char* what) const;

private:
    Py_buffer view_;
    Element element_ = Element::f64;
    std::ptrdiff_t strides_[8] = {};
};

// Rows as Python hands them over: an array; (row_start, column, value, column_count) of a CSR matrix; a list of
// columns, each (values, None) or (dictionary codes, what each means as a level of the model); or ArrowRows, which
// alone may lie in several blocks.
class RowsArgument {
public:
    explicit RowsArgument(nb::handle rows);
    const Block& block() const;  // of rows that lie in one
    std::span<const Block> blocks() const { return blocks_; }
    std::size_t row_count() const;
    std::size_t column_count() const { return suffice::column_count(blocks_.front()); }

private:
    void read_sparse(const nb::tuple& parts);
    void read_columns(const nb::list& columns);

    std::vector<std::unique_ptr<Buffer>> buffers_;
    std::vector<std::int64_t> row_start_;
    std::vector<ColumnView> columns_;
    std::vector<Block> blocks_;
};

// None gives an empty span.
class OptionalNumbers {
public:
    explicit OptionalNumbers(nb::handle array) {
        if (!array.is_none()) buffer_ = std::make_unique<Buffer>(array);
    }
    std::span<const double> doubles(const char* what) const {
        return buffer_ ? buffer_->doubles(what) : std::span<const double>{};
    }

private:
    std::unique_ptr<Buffer> buffer_;
};

template <class T>
using Array = nb::ndarray<nb::numpy, T>;

// Large results come in 2 MiB pages, which cost a five-hundredth of the page faults.
template <class T>
Array<T> new_array(const std::vector<std::size_t>& shape);

template <class T>
Array<T> to_array(std::span<const T> values, const std::vector<std::size_t>& shape);
inline Array<double> to_array(const std::vector<double>& values) { return to_array<double>(values, {values.size()}); }

}  // namespace suffice::python
