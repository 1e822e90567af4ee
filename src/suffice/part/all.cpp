// Reads Parts back by the name of their kind, and makes them by the name of their family.
#include "suffice/part/all.hpp"

#include "suffice/part/make.hpp"

namespace suffice {

void Part::read(FieldSource& source) {
    source.open_record();
    const std::string wanted = source.has_field("part") ? source.text() : "";
    const std::uint64_t version = source.has_field("version") ? source.whole() : 1;
    bool found = false;
    for_each_part_kind([&]<class P>() {
        if (wanted != P::name) return;
        if (version > part_version<P>)
            return source.fail("the model file is newer than this suffice: it holds a Part " + wanted + " of version " +
                               std::to_string(version) + ", and versions up to " + std::to_string(part_version<P>) +
                               " are known");
        P kind;
        if (source.has_field("state")) read_value(source, kind);
        *this = Part(std::move(kind));
        found = true;
    });
    if (!found && !source.failed())
        source.fail("the model file holds a Part of the kind \"" + wanted +
                    "\", which this suffice does not know; it may be newer");
    source.close_record();
}

namespace {

template <class P>
constexpr bool of_a_family = false;
template <class F>
constexpr bool of_a_family<FamilyPart<F>> = true;

template <class P>
std::vector<Part> parts_of(const Schema& schema, const std::vector<std::uint32_t>& columns, std::uint32_t order) {
    std::vector<Part> parts;
    if constexpr (std::constructible_from<P, const Schema&, std::vector<std::uint32_t>>) {
        parts.push_back(Part(P(schema, columns)));
    } else {
        for (const std::uint32_t column : columns) {
            if constexpr (std::constructible_from<P, const Schema&, std::uint32_t, std::uint32_t>)
                parts.push_back(Part(P(schema, column, order)));
            else
                parts.push_back(Part(P(schema, column)));
        }
    }
    return parts;
}

}  // namespace

std::vector<ColumnWord> column_words() {
    std::vector<ColumnWord> words;
    for_each_part_kind([&]<class P>() {
        if constexpr (requires { P::word; }) words.push_back({P::word, P::takes, of_a_family<P>});
    });
    return words;
}

std::vector<Part> make_parts(std::string_view word, const Schema& schema, const std::vector<std::uint32_t>& columns,
                             std::uint32_t order) {
    std::vector<Part> parts;
    for_each_part_kind([&]<class P>() {
        if constexpr (requires { P::word; })
            if (P::word == word) parts = parts_of<P>(schema, columns, order);
    });
    return parts;
}

bool is_discrete_family(std::string_view family) {
    bool discrete = false;
    for_each_family([&]<class F>() {
        if constexpr (requires { F::discrete; }) discrete = discrete || (F::discrete && F::name == family);
    });
    return discrete;
}

}  // namespace suffice
