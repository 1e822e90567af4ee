// Takes tables over from Python and lays views over their buffers.
#include "core/arrow_table.hpp"

#include <cmath>
#include <cstring>
#include <limits>

#include "core/arrays.hpp"
#include "core/arrow_layout.hpp"
#include "core/bind.hpp"
#include "core/state.hpp"
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "suffice/base/result.hpp"
#include "suffice/read/number_words.hpp"

namespace suffice::python {
namespace {

// Moves a structure out of its capsule; what is left there is marked as released.
template <class T>
T taken(nb::handle capsule, const char* name) {
    auto* inside = static_cast<T*>(PyCapsule_GetPointer(capsule.ptr(), name));
    if (inside == nullptr) throw nb::python_error();
    if (inside->release == nullptr) throw Exception(Error("this table has been given away already"));
    T moved = *inside;
    inside->release = nullptr;
    return moved;
}

template <class T>
void release_held(T& held) {
    if (held.release != nullptr) held.release(&held);
}

// polars has one pool of words for all columns, so that its categories name more levels than a column has.
bool declares_levels(const ArrowSchema& type) {
    if (type.metadata == nullptr) return true;
    std::int32_t pairs = 0;
    std::memcpy(&pairs, type.metadata, sizeof pairs);
    const char* at = type.metadata + sizeof pairs;
    for (std::int32_t k = 0; k < 2 * pairs; ++k) {
        std::int32_t length = 0;
        std::memcpy(&length, at, sizeof length);
        const std::string_view text(at + sizeof length, static_cast<std::size_t>(length));
        if (k % 2 == 0 && text.starts_with("_PL_CATEGORICAL")) return false;
        at += sizeof length + static_cast<std::size_t>(length);
    }
    return true;
}

// A bitmap of what is missing, and the values, where Arrow has them.
ColumnView view_of(const ArrowArray& values, const ArrowArray& chunk, Element element) {
    ColumnView view;
    view.values = values.buffers[1];
    view.element = element;
    view.validity = values.null_count == 0 ? nullptr : static_cast<const std::uint8_t*>(values.buffers[0]);
    view.offset = static_cast<std::size_t>(values.offset + chunk.offset);
    return view;
}

bool holds_flags_only(const ColumnView& view, std::size_t rows) {
    const ColumnBlock block{std::span(&view, 1), rows, 0};
    for (std::size_t row = 0; row < rows; ++row)
        if (const double x = value_at(block, row, 0); x != 0 && x != 1 && !std::isnan(x)) return false;
    return true;
}

}  // namespace

std::int32_t ArrowTable::Levels::add(std::string name, Column& into) {
    const auto [found, fresh] = code.try_emplace(std::move(name), static_cast<std::int32_t>(into.levels.size()));
    if (fresh) into.levels.push_back(found->first);
    return found->second;
}

void ArrowTable::Release::operator()(ArrowSchema* held) const {
    release_held(*held);
    delete held;
}

void ArrowTable::Release::operator()(ArrowArray* held) const {
    release_held(*held);
    delete held;
}

ArrowTable::ArrowTable(nb::handle exporter) : schema_(new ArrowSchema{}) {
    if (nb::hasattr(exporter, "__arrow_c_stream__"))
        take_stream(exporter);
    else
        take_array(exporter);
    read();
}

void ArrowTable::take_stream(nb::handle exporter) {
    const nb::object capsule = exporter.attr("__arrow_c_stream__")();
    auto stream = taken<ArrowArrayStream>(capsule, "arrow_array_stream");
    const auto refused = [&](int code) {
        const char* why = code == 0 ? nullptr : stream.get_last_error(&stream);
        const std::string text = why == nullptr ? "the table could not be read" : why;
        release_held(stream);
        return Exception(Error(text));
    };
    if (const int code = stream.get_schema(&stream, schema_.get()); code != 0) throw refused(code);
    while (true) {
        std::unique_ptr<ArrowArray, Release> chunk(new ArrowArray{});
        if (const int code = stream.get_next(&stream, chunk.get()); code != 0) throw refused(code);
        if (chunk->release == nullptr) break;
        chunks_.push_back(std::move(chunk));
    }
    release_held(stream);
}

void ArrowTable::take_array(nb::handle exporter) {
    const auto pair = nb::cast<nb::tuple>(exporter.attr("__arrow_c_array__")());
    *schema_ = taken<ArrowSchema>(pair[0], "arrow_schema");
    chunks_.emplace_back(new ArrowArray(taken<ArrowArray>(pair[1], "arrow_array")));
}

std::size_t ArrowTable::rows_of_chunk(std::size_t chunk) const {
    return static_cast<std::size_t>(chunks_[chunk]->length);
}

std::size_t ArrowTable::row_count() const {
    std::size_t sum = 0;
    for (std::size_t chunk = 0; chunk < chunks_.size(); ++chunk) sum += rows_of_chunk(chunk);
    return sum;
}

void ArrowTable::read() {
    if (std::string_view(schema_->format) != "+s")
        throw Exception(Error(ErrorKind::usage, "this is a single column; a table has named columns"));
    const auto count = static_cast<std::size_t>(schema_->n_children);
    levels_.resize(count);
    for (std::size_t k = 0; k < count; ++k) describe(k, *schema_->children[k]);
    std::vector<bool> flags(count, row_count() > 0);
    for (const auto& chunk : chunks_) {
        auto& views = views_.emplace_back();
        for (std::size_t k = 0; k < count; ++k) {
            views.push_back(read_column(k, *chunk));
            const bool may = columns_[k].kind == ColumnKind::flag && flags[k];
            flags[k] = may && holds_flags_only(views.back(), static_cast<std::size_t>(chunk->length));
        }
    }
    for (std::size_t k = 0; k < count; ++k)
        if (columns_[k].kind == ColumnKind::flag && !flags[k]) columns_[k].kind = ColumnKind::number;
}

// A column of whole numbers is taken for flags until a value says otherwise.
void ArrowTable::describe(std::size_t column, const ArrowSchema& type) {
    const std::string_view format = type.format;
    Column about;
    about.name = type.name == nullptr ? "x" + std::to_string(column) : type.name;
    if (type.dictionary != nullptr || is_words(format)) {
        about.kind = ColumnKind::category;
    } else if (const auto element = element_of(format)) {
        const bool real = *element == Element::f64 || *element == Element::f32;
        about.kind = real ? ColumnKind::number : ColumnKind::flag;
    } else if (!is_converted(format) && format != "n") {
        throw Exception(Error(ErrorKind::usage, "column " + about.name + " has the Arrow type " + std::string(format) +
                                                    ", which is neither a number, a flag nor a category"));
    }
    columns_.push_back(std::move(about));
}

ColumnView ArrowTable::read_column(std::size_t column, const ArrowArray& chunk) {
    const ArrowSchema& type = *schema_->children[column];
    const std::string_view format = type.format;
    if (type.dictionary != nullptr) return read_dictionary(column, chunk);
    if (is_words(format)) return read_words(column, chunk);
    if (is_converted(format) || format == "n") return converted_column(column, chunk);
    return view_of(*chunk.children[column], chunk, *element_of(format));
}

ColumnView ArrowTable::converted_column(std::size_t column, const ArrowArray& chunk) {
    const ArrowArray& values = *chunk.children[column];
    const auto rows = static_cast<std::size_t>(chunk.length), first = static_cast<std::size_t>(chunk.offset);
    auto& numbers = numbers_.emplace_back(rows, std::numeric_limits<double>::quiet_NaN());
    const std::string_view format = schema_->children[column]->format;
    for (std::size_t row = 0; format != "n" && row < rows; ++row)  // a column of nothing has no values to look at
        if (is_there(values, first + row)) numbers[row] = converted(format, values, first + row);
    return {numbers.data(), Element::f64};
}

ColumnView ArrowTable::read_words(std::size_t column, const ArrowArray& chunk) {
    const ArrowArray& values = *chunk.children[column];
    const auto rows = static_cast<std::size_t>(chunk.length), first = static_cast<std::size_t>(chunk.offset);
    auto& codes = codes_.emplace_back(rows, -1);
    for (std::size_t row = 0; row < rows; ++row)
        if (is_there(values, first + row))
            codes[row] =
                levels_[column].add(word(schema_->children[column]->format, values, first + row), columns_[column]);
    return {codes.data(), Element::i32};
}

ColumnView ArrowTable::read_dictionary(std::size_t column, const ArrowArray& chunk) {
    const ArrowSchema& type = *schema_->children[column];
    const ArrowArray& values = *chunk.children[column];
    const ArrowArray& entries = *values.dictionary;
    auto& meaning = codes_.emplace_back(static_cast<std::size_t>(entries.length), -1);
    for (std::size_t k = 0; k < meaning.size(); ++k)
        if (is_there(entries, k))
            meaning[k] = levels_[column].add(entry_name(type.dictionary->format, entries, k), columns_[column]);
    if (declares_levels(type))
        columns_[column].declared_levels = static_cast<std::uint32_t>(columns_[column].levels.size());
    ColumnView view = view_of(values, chunk, element_of(type.format).value_or(Element::i32));
    const ColumnBlock block{std::span(&view, 1), static_cast<std::size_t>(chunk.length), 0};
    for (std::size_t row = 0; row < block.row_count; ++row)  // codes are looked up without a further check
        if (value_at(block, row, 0) >= static_cast<double>(meaning.size()))
            throw Exception(Error("a dictionary code of column " + columns_[column].name + " has no meaning"));
    view.code_map = meaning;
    return view;
}

ArrowRows::ArrowRows(std::shared_ptr<ArrowTable> table, const std::vector<std::size_t>& which,
                     const std::vector<std::vector<std::string>>& levels)
    : table_(std::move(table)) {
    std::vector<std::vector<std::int32_t>> level_of(which.size());  // the table's level -> the model's
    for (std::size_t k = 0; k < which.size(); ++k) {
        const Column& column = table_->columns().at(which[k]);
        std::unordered_map<std::string, std::int32_t> place;
        const auto& names = levels.empty() ? column.levels : levels.at(k);
        for (std::size_t code = 0; code < names.size(); ++code) place[names[code]] = static_cast<std::int32_t>(code);
        for (const std::string& name : column.levels) {
            const auto found = place.find(name);
            level_of[k].push_back(found == place.end() ? -1 : found->second);
        }
    }
    for (std::size_t chunk = 0; chunk < table_->chunk_count(); ++chunk) {
        auto& views = views_.emplace_back();
        for (std::size_t k = 0; k < which.size(); ++k) {
            ColumnView view = table_->view(chunk, which[k]);
            if (table_->columns()[which[k]].kind == ColumnKind::category) {
                auto& meaning = codes_.emplace_back();
                if (view.code_map.empty()) meaning = level_of[k];
                for (const std::int32_t code : view.code_map)
                    meaning.push_back(code < 0 ? -1 : level_of[k][static_cast<std::size_t>(code)]);
                if (meaning.empty()) meaning.push_back(-1);  // no level at all, so every row is missing
                view.code_map = meaning;
            }
            views.push_back(view);
        }
        blocks_.push_back(ColumnBlock{views, table_->rows_of_chunk(chunk), 0});
    }
    if (blocks_.empty()) {
        views_.emplace_back(which.size());
        blocks_.push_back(ColumnBlock{views_.back(), 0, 0});
    }
}

namespace {

// One column with all its chunks: (numbers, None), or (codes, levels) with -1 for missing.
nb::tuple pull(const ArrowTable& table, std::size_t column) {
    const Column& about = table.columns().at(column);
    const bool words = about.kind == ColumnKind::category;
    std::vector<double> numbers;
    for (std::size_t chunk = 0; chunk < table.chunk_count(); ++chunk) {
        const ColumnView view = table.view(chunk, column);
        const ColumnBlock block{std::span(&view, 1), table.rows_of_chunk(chunk), 0};
        for (std::size_t row = 0; row < block.row_count; ++row) numbers.push_back(value_at(block, row, 0));
    }
    if (!words) return nb::make_tuple(to_array(numbers), nb::none());
    std::vector<std::int32_t> codes;
    for (const double x : numbers) codes.push_back(std::isnan(x) ? -1 : static_cast<std::int32_t>(x));
    return nb::make_tuple(to_array<std::int32_t>(codes, {codes.size()}), about.levels);
}

// (numbers as files have them with NaN for missing, None), or (None, the place of the first word that is none).
nb::tuple number_words(const std::vector<std::string>& words) {
    const auto numbers = read_number_words(words);
    if (!numbers) return nb::make_tuple(nb::none(), *numbers.error().row - 1);
    return nb::make_tuple(to_array(*numbers), nb::none());
}

}  // namespace

void bind_arrow(nb::module_& module) {
    module.def("number_words", &number_words);
    nb::class_<ArrowTable>(module, "ArrowTable")
        .def("__init__", [](ArrowTable* made, nb::handle exporter) { new (made) ArrowTable(exporter); })
        .def_prop_ro("row_count", &ArrowTable::row_count)
        .def("pull", &pull)
        .def_prop_ro("columns", [](const ArrowTable& table) { return list_of(table.columns()); });
    nb::class_<ArrowRows>(module, "ArrowRows")
        .def(nb::init<std::shared_ptr<ArrowTable>, const std::vector<std::size_t>&,
                      const std::vector<std::vector<std::string>>&>(),
             nb::arg("table"), nb::arg("which"), nb::arg("levels"));
}

}  // namespace suffice::python
