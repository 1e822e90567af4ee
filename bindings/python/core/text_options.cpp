// Reads text options that Python gives by name.
#include "core/text_options.hpp"

#include <string>

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "suffice/encode/text_options.hpp"

namespace suffice::python {

namespace nb = nanobind;

TextOptions text_options_from(const nb::dict& given) {
    TextOptions options;
    for (const auto& [key, value] : given) {
        const auto name = nb::cast<std::string>(key);
        if (name == "lowercase") {
            options.lowercase = nb::cast<bool>(value);
        } else if (name == "strip_accents") {
            options.accents = accents(nb::cast<std::string>(value)).value();
        } else if (name == "analyzer") {
            options.analyzer = analyzer(nb::cast<std::string>(value)).value();
        } else if (name == "minimum_length") {
            options.minimum_length = nb::cast<std::uint32_t>(value);
        } else if (name == "ngram_range") {
            std::tie(options.ngram_min, options.ngram_max) = nb::cast<std::pair<std::uint32_t, std::uint32_t>>(value);
        } else if (name == "stop_words") {
            options.stop_words = nb::cast<std::vector<std::string>>(value);
        } else if (name == "stemmer") {
            options.stemmer = nb::cast<std::string>(value);
        } else if (name == "binary") {
            options.binary = nb::cast<bool>(value);
        } else if (name == "hash_features") {
            options.hash_features = nb::cast<std::uint32_t>(value);
        } else if (name == "in_order") {
            options.in_order = nb::cast<bool>(value);
        } else if (name == "alternate_sign") {
            options.alternate_sign = nb::cast<bool>(value);
        } else {
            throw Exception(Error(ErrorKind::usage, "there is no text option " + name));
        }
    }
    return options;
}

}  // namespace suffice::python
