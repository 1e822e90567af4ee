// Where the columns of a table are, by name: for whoever looks for many of them, since there may be a million.
#pragma once
#include <cstdint>
#include <string_view>
#include <unordered_map>

namespace suffice {

using ColumnPlaces = std::unordered_map<std::string_view, std::uint32_t>;

// The names are views of those of the columns. Of two with one name the first counts.
template <class Columns>
ColumnPlaces column_places(const Columns& columns) {
    ColumnPlaces places;
    places.reserve(columns.size());
    for (std::uint32_t k = 0; k < columns.size(); ++k) places.emplace(columns[k].name, k);
    return places;
}

}  // namespace suffice
