// Weighs the families of a column as `auto` does.
#include "suffice/show/better_family.hpp"

#include <algorithm>

#include "suffice/part/evidence_part.hpp"
#include "suffice/part/make.hpp"

namespace suffice {

std::optional<BetterFamily> better_family(const std::string& family, const std::vector<std::vector<double>>& values) {
    NumberCounts counts{.class_count = static_cast<std::uint32_t>(values.size())};
    NumberCounts::Scratch scratch;
    for (std::size_t c = 0; c < values.size(); ++c) {
        const std::vector<std::uint32_t> code(values[c].size(), static_cast<std::uint32_t>(c));
        const std::vector<double> weight(values[c].size(), 1.0);
        counts.observe({values[c], code, weight}, scratch);
    }
    const auto ranking = weigh_families(counts, 1, families_to_choose());
    const auto mine = std::ranges::find(ranking, family, &FamilyEvidence::family);
    if (mine == ranking.end()) return std::nullopt;
    const double gain = ranking.front().evidence - mine->evidence;
    if (gain < very_strong) return std::nullopt;
    const std::string& best = ranking.front().family;
    const bool named = std::ranges::count(column_words(), best, &ColumnWord::word) > 0;
    return BetterFamily{best, named ? best : std::string(EvidencePart::word), gain};
}

}  // namespace suffice
