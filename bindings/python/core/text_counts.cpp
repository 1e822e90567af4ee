// Documents into sparse matrices of counts, as scikit-learn's vectorizers make them.
#include <numeric>

#include "core/arrays.hpp"
#include "core/bind.hpp"
#include "core/documents.hpp"
#include "core/running.hpp"
#include "core/setting_values.hpp"
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "suffice/encode/counted_documents.hpp"
#include "suffice/encode/stop_words.hpp"

namespace suffice::python {
namespace {

// Words, each with a column of the matrix; as many columns as words.
class WordColumns {
public:
    WordColumns(Vocabulary words, std::vector<std::uint32_t> column)
        : words_(std::move(words)), column_(std::move(column)) {}

    const Vocabulary& words() const { return words_; }
    const std::vector<std::uint32_t>& column() const { return column_; }

    // {word: column}, words in the order of their first appearance. `kept` numbers the columns that stay, -1: none.
    nb::dict to_dict(nb::handle kept) const {
        std::unique_ptr<Buffer> buffer;
        std::span<const std::int32_t> place;
        if (!kept.is_none()) {
            buffer = std::make_unique<Buffer>(kept);
            place = buffer->codes("kept columns");
            if (place.size() != words_.size()) throw Exception(Error("not every column is kept or left out"));
        }
        nb::dict all;
        for (std::size_t code = 0; code < words_.size(); ++code) {
            long column = static_cast<long>(column_[code]);
            if (!place.empty() && (column = place[column_[code]]) < 0) continue;
            const std::string_view letters = words_.word(code);
            const nb::object word =
                nb::steal(PyUnicode_FromStringAndSize(letters.data(), static_cast<Py_ssize_t>(letters.size())));
            const nb::object number = nb::steal(PyLong_FromLong(column));
            if (!word.is_valid() || !number.is_valid() || PyDict_SetItem(all.ptr(), word.ptr(), number.ptr()) != 0)
                throw nb::python_error();
        }
        return all;
    }

    static WordColumns from_dict(const nb::dict& given) {
        Vocabulary words;
        std::vector<std::uint32_t> column;
        for (const auto& [key, value] : given) {
            if (!PyUnicode_Check(key.ptr())) throw Exception(Error(ErrorKind::usage, "a word is not a string"));
            Py_ssize_t size = 0;
            const char* letters = PyUnicode_AsUTF8AndSize(key.ptr(), &size);
            if (letters == nullptr) throw nb::python_error();
            words.add({letters, static_cast<std::size_t>(size)});
            column.push_back(nb::cast<std::uint32_t>(value));
        }
        if (words.size() != column.size()) throw Exception(Error(ErrorKind::usage, "a word occurs twice"));
        return {std::move(words), std::move(column)};
    }

private:
    Vocabulary words_;
    std::vector<std::uint32_t> column_;
};

// (values, columns, row starts) as scipy.sparse takes them; whole: values are int64, else float64.
nb::tuple matrix(const CountedDocuments& counted, std::span<const std::uint32_t> column_of_code, bool whole) {
    auto starts = new_array<std::int64_t>({counted.row_start().size()});
    std::ranges::copy(counted.row_start(), starts.data());
    auto columns = new_array<std::int32_t>({counted.entry_count()});
    const auto fill = [&]<class Value>(Array<Value> values) {
        {
            const nb::gil_scoped_release release;
            counted.lay_out(column_of_code, columns.data(), values.data());
        }
        return nb::make_tuple(values, columns, starts);
    };
    return whole ? fill(new_array<std::int64_t>({counted.entry_count()}))
                 : fill(new_array<double>({counted.entry_count()}));
}

// As scikit-learn, which has no missing documents.
void refuse_missing(const Documents& documents) {
    for (const std::string_view each : documents.views())
        if (each.data() == nullptr) throw Exception(Error(ErrorKind::usage, "a document is None"));
}

template <class Count>
CountedDocuments counted_by(int threads, Count count) {
    const nb::gil_scoped_release release;
    const Running running(threads);
    return count(running.context()).value();
}

// (values, columns, row starts, WordColumns), columns in alphabetical order.
nb::tuple count_words(nb::handle documents, const nb::dict& options, bool whole, int threads) {
    const Documents all(documents);
    refuse_missing(all);
    const Tokenizer tokenizer = Tokenizer::make(text_options_from(options)).value();
    Vocabulary words;
    std::vector<std::uint32_t> column;
    const CountedDocuments counted = counted_by(threads, [&](const Context& context) {
        auto made = CountedDocuments::growing(all.views(), tokenizer, words, context);
        const std::vector<std::uint32_t> sorted = words.sorted_codes();
        column.resize(sorted.size());
        for (std::uint32_t place = 0; place < sorted.size(); ++place) column[sorted[place]] = place;
        return made;
    });
    nb::tuple made = matrix(counted, column, whole);
    return nb::make_tuple(made[0], made[1], made[2], WordColumns(std::move(words), std::move(column)));
}

nb::tuple count_known_words(nb::handle documents, const nb::dict& options, const WordColumns& known, bool whole,
                            int threads) {
    const Documents all(documents);
    refuse_missing(all);
    const Tokenizer tokenizer = Tokenizer::make(text_options_from(options)).value();
    const CountedDocuments counted = counted_by(threads, [&](const Context& context) {
        return CountedDocuments::known(all.views(), tokenizer, known.words(), context);
    });
    return matrix(counted, known.column(), whole);
}

nb::tuple hash_words(nb::handle documents, const nb::dict& options, bool whole, int threads) {
    const Documents all(documents);
    refuse_missing(all);
    const Tokenizer tokenizer = Tokenizer::make(text_options_from(options)).value();
    const CountedDocuments counted = counted_by(
        threads, [&](const Context& context) { return CountedDocuments::hashed(all.views(), tokenizer, context); });
    return matrix(counted, {}, whole);
}

}  // namespace

void bind_text_counts(nb::module_& module) {
    nb::class_<WordColumns>(module, "WordColumns")
        .def_static("from_dict", &WordColumns::from_dict)
        .def("to_dict", &WordColumns::to_dict, nb::arg("kept") = nb::none())
        .def("__len__", [](const WordColumns& words) { return words.words().size(); });
    module.def("stop_words", [](const std::string& language) { return stop_words(language).value(); });
    module.def("count_words", &count_words, nb::arg("documents"), nb::arg("options"), nb::arg("whole"),
               nb::arg("threads") = 0);
    module.def("count_known_words", &count_known_words, nb::arg("documents"), nb::arg("options"), nb::arg("known"),
               nb::arg("whole"), nb::arg("threads") = 0);
    module.def("hash_words", &hash_words, nb::arg("documents"), nb::arg("options"), nb::arg("whole"),
               nb::arg("threads") = 0);
}

}  // namespace suffice::python
