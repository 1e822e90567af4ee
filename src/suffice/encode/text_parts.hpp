// Cuts a list of documents into contiguous parts of about equal bytes.
#pragma once
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace suffice {

// First document of each part and, last, the number of documents. Below 1 MiB there is one part. Since parts are
// contiguous and joined in order, words get the same codes however many there are.
inline std::vector<std::size_t> part_cuts(std::span<const std::string_view> documents, unsigned part_count) {
    std::size_t total = 0, seen = 0;
    for (const std::string_view each : documents) total += each.size();
    if (total < (std::size_t{1} << 20) || part_count == 0) part_count = 1;
    std::vector<std::size_t> cuts = {0};
    for (std::size_t k = 0; k < documents.size() && cuts.size() < part_count; ++k) {
        seen += documents[k].size();
        if (seen >= total / part_count * cuts.size()) cuts.push_back(k + 1);
    }
    while (cuts.size() <= part_count) cuts.push_back(documents.size());
    return cuts;
}

}  // namespace suffice
