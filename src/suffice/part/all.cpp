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

std::optional<Part> make_family_part(std::string_view family, const Schema& schema,
                                     std::vector<std::uint32_t> columns) {
    std::optional<Part> made;
    for_each_family([&]<class F>() {
        if constexpr (ColumnFamily<F>)
            if (F::name == family) made = Part(FamilyPart<F>(schema, std::move(columns)));
    });
    return made;
}

std::vector<std::string> column_family_names() {
    std::vector<std::string> names;
    for_each_family([&]<class F>() {
        if constexpr (ColumnFamily<F>) names.emplace_back(F::name);
    });
    return names;
}

std::vector<std::string> shapeless_family_names() {
    std::vector<std::string> names;
    for_each_family([&]<class F>() {
        if constexpr (ColumnFamily<F>)
            if constexpr (std::tuple_size_v<std::remove_cvref_t<decltype(F::fields)>> == 0) names.emplace_back(F::name);
    });
    return names;
}

Part select_columns(const Part& part, const std::vector<std::size_t>& which) {
    Part some;
    for_each_family([&]<class F>() {
        if constexpr (ColumnFamily<F>)
            if (const auto* from = part.as<FamilyPart<F>>()) some = Part(from->select(which));
    });
    return some;
}

}  // namespace suffice
