// Rows with holes: a Gaussian statistic of the columns present, for each pattern of presence.
// It is sufficient, so EM for missing values needs statistics only (estimate/completion.hpp).
//
// Where holes fall freely most patterns are seen once. Such a pattern keeps its values and no scatter, which would be
// a matrix of zeros; the scatter comes with the first row that differs.
#pragma once
#include <cstdint>
#include <map>

#include "suffice/family/gaussian_vector.hpp"

namespace suffice {

using Pattern = std::vector<std::uint32_t>;  // the columns present, ascending

struct PatternStatistic {
    std::map<Pattern, GaussianVector::Statistic> by_pattern;  // an empty scatter is zero: all rows are the mean
    static constexpr auto fields = FieldTuple{field("by_pattern", &PatternStatistic::by_pattern)};
    bool operator==(const PatternStatistic&) const = default;

    // `present` are the values at `pattern`; a row with nothing present says nothing here.
    void observe(const Pattern& pattern, std::span<const double> present, double weight);
    double weight() const;
    std::size_t bytes() const;  // of memory, about
    void merge(const PatternStatistic& from);
    void remove(const PatternStatistic& rows);
    void scale(double factor);
    bool valid(std::size_t column_count) const;
};

static_assert(RemovableStatistic<PatternStatistic> && DecayableStatistic<PatternStatistic>);

}  // namespace suffice
