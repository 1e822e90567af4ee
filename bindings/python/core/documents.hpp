// Documents as Python holds them, read where they lie.
#pragma once
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "core/arrays.hpp"

namespace suffice::python {

// A list of str, where None is a document that is missing; or (offsets, bytes, present) of a column of strings as Arrow
// lays it out: int64 offsets, UTF-8, and None or a byte per document. The memory of all of them is held.
class Documents {
public:
    explicit Documents(nb::handle documents);

    std::span<const std::string_view> views() const { return views_; }  // missing: no data
    std::size_t size() const { return views_.size(); }

private:
    void read_list(nb::handle documents);
    void read_column(const nb::tuple& parts);

    nb::object held_;
    std::vector<std::unique_ptr<Buffer>> buffers_;
    std::vector<std::string_view> views_;
};

}  // namespace suffice::python
