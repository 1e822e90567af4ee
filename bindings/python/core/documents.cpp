// Takes views of strings while the interpreter's lock is held, so that threads can read them without it.
#include "core/documents.hpp"

#include <string>

#include <nanobind/stl/string.h>

#include "suffice/base/result.hpp"

namespace suffice::python {

Documents::Documents(nb::handle documents) {
    if (nb::isinstance<nb::tuple>(documents))
        read_column(nb::borrow<nb::tuple>(documents));
    else
        read_list(documents);
}

void Documents::read_list(nb::handle documents) {
    // A tuple of our own, since others may change the list while we read.
    held_ = nb::steal(PySequence_Tuple(documents.ptr()));
    if (!held_.is_valid()) throw nb::python_error();
    const auto count = static_cast<std::size_t>(PyTuple_Size(held_.ptr()));
    views_.resize(count);
    for (std::size_t k = 0; k < count; ++k) {
        PyObject* each = PyTuple_GetItem(held_.ptr(), static_cast<Py_ssize_t>(k));
        if (each == Py_None) continue;
        if (!PyUnicode_Check(each))
            throw Exception(Error(ErrorKind::usage, "document " + std::to_string(k + 1) + " is of the type " +
                                                        nb::cast<std::string>(nb::str(nb::handle(each).type())) +
                                                        "; documents are strings."));
        Py_ssize_t size = 0;
        const char* letters = PyUnicode_AsUTF8AndSize(each, &size);
        if (letters == nullptr) throw nb::python_error();  // surrogates, which UTF-8 has not
        views_[k] = {letters, static_cast<std::size_t>(size)};
    }
}

void Documents::read_column(const nb::tuple& parts) {
    if (parts.size() != 3) throw Exception(Error(ErrorKind::usage, "a column of strings is given as three things"));
    held_ = nb::borrow(parts);
    const Buffer& offsets = *buffers_.emplace_back(std::make_unique<Buffer>(parts[0]));
    const Buffer& bytes = *buffers_.emplace_back(std::make_unique<Buffer>(parts[1]));
    const Buffer* present = nullptr;
    if (!nb::handle(parts[2]).is_none()) present = buffers_.emplace_back(std::make_unique<Buffer>(parts[2])).get();
    const auto plain = [](const Buffer& each) { return each.dimension_count() == 1 && each.stride(0) == 1; };
    if (offsets.element() != Element::i64 || !plain(offsets) || offsets.size(0) == 0 || !plain(bytes) ||
        bytes.element() != Element::u8 ||
        (present != nullptr &&
         (!plain(*present) || present->element() != Element::u8 || present->size(0) + 1 != offsets.size(0))))
        throw Exception(Error(ErrorKind::usage, "the column of strings is not consistent"));
    const auto* at = static_cast<const std::int64_t*>(offsets.data());
    const auto* letters = static_cast<const char*>(bytes.data());
    views_.resize(offsets.size(0) - 1);
    for (std::size_t k = 0; k < views_.size(); ++k) {
        if (at[k] < 0 || at[k + 1] < at[k] || at[k + 1] > static_cast<std::int64_t>(bytes.size(0)))
            throw Exception(Error(ErrorKind::usage, "the column of strings is not consistent"));
        if (present != nullptr && static_cast<const std::uint8_t*>(present->data())[k] == 0) continue;
        views_[k] = {letters + at[k], static_cast<std::size_t>(at[k + 1] - at[k])};
    }
}

}  // namespace suffice::python
