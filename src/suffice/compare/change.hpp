// How far two samples of one thing lie apart: a divergence, and a test of whether both may be of one distribution.
//
// Divergence: that of Jensen and Shannon in nats, both samples counting alike: the entropy of the average less the
// average of the entropies (Lin 1991); 0: alike, log 2: nothing in common. Of a family it is taken between its most
// likely members, which for categories is the same number: half of l(one) + l(other) - l(both), each sample weighing
// one. Test: Pearson's of homogeneity for counts in cells, the likelihood ratio for a family; its statistic is nearly
// chi-square.
#pragma once
#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <vector>

#include "suffice/family/concepts.hpp"
#include "suffice/family/gaussian.hpp"
#include "suffice/math/special.hpp"

namespace suffice {

struct Change {
    double divergence = 0;
    double p_value = 1;  // how often samples of one distribution lie as far apart
    bool operator==(const Change&) const = default;
};

enum class CellOrder : std::uint8_t { none, ascending };

// Weights of the same cells in two samples; rows count as often as they weigh. Cells of which fewer than five rows are
// expected in the smaller sample are taken together: all such, or with their neighbours where cells have an order,
// which then become tenths of the rows at least. Nothing: one of the samples is empty.
std::optional<Change> change_of_cells(std::span<const double> before, std::span<const double> after, CellOrder order);

// p-values of many tests, each raised so that all of them together stay below a level by chance as seldom as it says,
// however the tests depend on each other (Holm 1979).
std::vector<double> adjusted_for_many(std::span<const double> p_values);

// Two samples of one family.
template <class F>
std::optional<Change> change_of_family(const F& family, typename F::Statistic before, typename F::Statistic after) {
    const double n = before.weight(), m = after.weight();
    if (!(n > 0) || !(m > 0)) return std::nullopt;
    // The log likelihood of the most likely member; one that has collapsed to a point is as wide as rounding.
    double floor = 0;
    const auto likelihood = [&](const typename F::Statistic& rows) -> std::optional<double> {
        auto parameter = family.most_likely(rows);
        if (!parameter) return std::nullopt;
        if constexpr (CollapsibleFamily<F>)
            if (family.spread(rows) < floor) family.widen(*parameter, floor);
        return family.log_likelihood(*parameter, rows);
    };
    const auto gain = [&]() -> std::optional<double> {
        auto both = before;
        both.merge(after);
        if constexpr (CollapsibleFamily<F>) {
            if (!(family.spread(both) > 0)) return 0;  // one value, the same in both
            floor = 1e-9 * family.spread(both);
        }
        const auto one = likelihood(before), other = likelihood(after), all = likelihood(both);
        if (!one || !other || !all) return std::nullopt;
        const double difference = *one + *other - *all;
        if (!std::isfinite(difference)) return std::nullopt;
        return std::max(difference, 0.0);
    };
    const auto ratio = gain();
    before.scale(1 / n);
    after.scale(1 / m);
    const auto apart = gain();
    if (!ratio || !apart) return std::nullopt;
    // Few rows make the ratio too large; of Gaussians it is known by how much (Anderson 2003, sec. 10.5.1).
    double correction = 1;
    if constexpr (std::same_as<F, Gaussian>) correction = std::max(0.0, 1 - 11.0 / 12 * (1 / n + 1 / m - 1 / (n + m)));
    const double degrees = static_cast<double>(family.parameter_count());
    return Change{*apart / 2, incomplete_gamma_complement(degrees / 2, *ratio * correction)};
}

}  // namespace suffice
