// Rows with holes: a Gaussian statistic of the columns present, for each pattern of presence.
// It is sufficient, so EM for missing values needs statistics only (estimate/completion.hpp).
#pragma once
#include <cstdint>
#include <map>

#include "suffice/family/gaussian_vector.hpp"

namespace suffice {

using Pattern = std::vector<std::uint32_t>;  // the columns present, ascending

struct PatternStatistic {
    std::map<Pattern, GaussianVector::Statistic> by_pattern;
    static constexpr auto fields = std::tuple{field("by_pattern", &PatternStatistic::by_pattern)};
    bool operator==(const PatternStatistic&) const = default;

    // `present` are the values at `pattern`; a row with nothing present says nothing here.
    void observe(const Pattern& pattern, std::span<const double> present, double weight) {
        if (!pattern.empty()) GaussianVector{pattern.size()}.observe(at(pattern), present, weight);
    }
    double weight() const {
        double sum = 0;
        for (const auto& [pattern, statistic] : by_pattern) sum += statistic.weight();
        return sum;
    }
    void merge(const PatternStatistic& from) {
        for (const auto& [pattern, statistic] : from.by_pattern) at(pattern).merge(statistic);
    }
    void remove(const PatternStatistic& rows) {
        for (const auto& [pattern, statistic] : rows.by_pattern) at(pattern).remove(statistic);
        std::erase_if(by_pattern, [](const auto& item) { return item.second.weight() == 0; });
    }
    void scale(double factor) {
        for (auto& [pattern, statistic] : by_pattern) statistic.scale(factor);
    }
    bool valid(std::size_t column_count) const {
        for (const auto& [pattern, statistic] : by_pattern) {
            if (pattern.empty() || !GaussianVector{pattern.size()}.valid(statistic)) return false;
            for (std::size_t k = 0; k < pattern.size(); ++k)
                if (pattern[k] >= column_count || (k > 0 && pattern[k] <= pattern[k - 1])) return false;
        }
        return true;
    }

private:
    GaussianVector::Statistic& at(const Pattern& pattern) {
        return by_pattern.try_emplace(pattern, GaussianVector{pattern.size()}.empty()).first->second;
    }
};

static_assert(RemovableStatistic<PatternStatistic> && DecayableStatistic<PatternStatistic>);

}  // namespace suffice
