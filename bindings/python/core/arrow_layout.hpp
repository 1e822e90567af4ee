// The C structures of the Arrow C data interface, as its specification gives them, and how their buffers are read.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "suffice/data/block.hpp"

struct ArrowSchema {
    const char* format;
    const char* name;
    const char* metadata;
    std::int64_t flags;
    std::int64_t n_children;
    ArrowSchema** children;
    ArrowSchema* dictionary;
    void (*release)(ArrowSchema*);
    void* private_data;
};

struct ArrowArray {
    std::int64_t length;
    std::int64_t null_count;
    std::int64_t offset;
    std::int64_t n_buffers;
    std::int64_t n_children;
    const void** buffers;
    ArrowArray** children;
    ArrowArray* dictionary;
    void (*release)(ArrowArray*);
    void* private_data;
};

struct ArrowArrayStream {
    int (*get_schema)(ArrowArrayStream*, ArrowSchema* out);
    int (*get_next)(ArrowArrayStream*, ArrowArray* out);
    const char* (*get_last_error)(ArrowArrayStream*);
    void (*release)(ArrowArrayStream*);
    void* private_data;
};

namespace suffice::python {

// What the format of a column of numbers or flags is to us; nothing where it is another type.
std::optional<Element> element_of(std::string_view format);
bool is_words(std::string_view format);
// Of a type that is converted: half floats and decimals of 128 bits.
bool is_converted(std::string_view format);

bool is_there(const ArrowArray& values, std::size_t row);  // rows count from the array's offset
double converted(std::string_view format, const ArrowArray& values, std::size_t row);
std::string word(std::string_view format, const ArrowArray& values, std::size_t row);
// The name of an entry of a dictionary: a word or a whole number.
std::string entry_name(std::string_view format, const ArrowArray& values, std::size_t row);

}  // namespace suffice::python
