// The statistics of families, made from what was counted of a column of numbers.
#pragma once
#include "suffice/accumulate/number_counts.hpp"
#include "suffice/family/all.hpp"

namespace suffice {

// What evidence may choose among: families that nobody has to give a shape, such as a number of levels.
template <class F>
concept ShapelessFamily = ColumnFamily<F> && F::fields.field_count == 0;

// One whose statistic the sums of a column of many values hold.
template <class F>
concept SummedFamily = ColumnFamily<F> && requires(const NumberSums& sums) {
    { F::from_sums(sums) } -> std::same_as<typename F::Statistic>;
};

template <class F>
constexpr bool gives_probabilities = [] {
    if constexpr (requires { F::discrete; }) return F::discrete;
    return false;
}();

template <class Visit>
void for_each_shapeless_family(Visit&& visit) {
    for_each_family([&]<class F>() {
        if constexpr (ShapelessFamily<F>) visit.template operator()<F>();
    });
}

// Of the numbers of one class that the family supports.
template <class F>
typename F::Statistic statistic_of(const NumberCounts& counts, std::size_t c) {
    typename F::Statistic made = F{}.empty();
    if (!counts.is_binned()) {
        for (std::size_t at = 0; at < counts.start.size(); ++at)
            if (const double w = counts.weight_at(at, c); w != 0 && F{}.supports(counts.start[at]))
                F{}.observe(made, counts.start[at], w);
    } else if constexpr (SummedFamily<F>) {
        made = F::from_sums(counts.sums[c]);
    }
    return made;
}

}  // namespace suffice
