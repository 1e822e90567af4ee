// Moves a column from bernoulli to gaussian.
#include "suffice/part/widen.hpp"

#include <algorithm>

#include "suffice/part/family_part.hpp"

namespace suffice {

void widen_flag(Several<Part>& parts, std::uint32_t column, const Schema& schema) {
    FamilyPart<Bernoulli>* flags = nullptr;
    FamilyPart<Gaussian>* numbers = nullptr;
    for (Part& part : parts) {
        if (auto* found = part.as<FamilyPart<Bernoulli>>()) flags = found;
        if (auto* found = part.as<FamilyPart<Gaussian>>()) numbers = found;
    }
    if (flags == nullptr) return;
    const auto found = std::ranges::find(flags->columns, column);
    if (found == flags->columns.end()) return;
    const auto at = found - flags->columns.begin();
    if (numbers == nullptr) {
        const auto by_name = [](const Part& part) { return std::string(part.name()); };
        const auto place = std::ranges::upper_bound(parts, std::string("gaussian"), {}, by_name);
        parts.insert(place, Part(FamilyPart<Gaussian>(schema, {})));
        return widen_flag(parts, column, schema);
    }
    const auto to = std::ranges::lower_bound(numbers->columns, column) - numbers->columns.begin();
    numbers->columns.insert(numbers->columns.begin() + to, column);
    numbers->family.insert(numbers->family.begin() + to, Gaussian{});
    numbers->refused.insert(numbers->refused.begin() + to, 0.0);  // what flags refuse, a Gaussian takes
    for (std::size_t c = 0; c < numbers->by_class.size(); ++c) {
        const auto& counts = flags->by_class[c][static_cast<std::size_t>(at)];
        const double weight = counts.weight();
        Gaussian::Statistic moments;
        if (weight > 0) moments = {weight, counts.one_weight / weight, counts.one_weight * counts.zero_weight / weight};
        numbers->by_class[c].insert(numbers->by_class[c].begin() + to, moments);
        flags->by_class[c].erase(flags->by_class[c].begin() + at);
    }
    flags->columns.erase(flags->columns.begin() + at);
    flags->family.erase(flags->family.begin() + at);
    flags->refused.erase(flags->refused.begin() + at);
    if (flags->columns.empty())
        std::erase_if(parts, [](const Part& part) { return part.as<FamilyPart<Bernoulli>>() != nullptr; });
}

}  // namespace suffice
