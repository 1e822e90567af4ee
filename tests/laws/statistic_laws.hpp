// The laws of a Statistic: it is a commutative monoid under merge, remove undoes merge, weights count rows.
#pragma once
#include "laws/findings.hpp"

#include "suffice/persist/bytes.hpp"

namespace suffice::laws {

template <Family F>
void check_statistic(Findings& findings) {
    const auto [family, parameter] = F::typical();
    const auto rows = draw_rows(family, parameter, 200, 7);
    const auto part = [&](std::size_t from, std::size_t to) { return gather(family, rows, from, to); };
    const auto whole = gather(family, rows);

    auto nothing = family.empty();
    nothing.merge(family.empty());
    findings.require(nothing == family.empty() && near_equal(nothing, family.empty()),
                     "empty merged with empty is empty");
    auto left = whole, right = family.empty();
    left.merge(family.empty());
    right.merge(whole);
    findings.require(near_equal(left, whole, 1e-14) && near_equal(right, whole, 1e-14),
                     "empty changes nothing on either side");

    for (std::size_t cut = 0; cut <= rows.size(); cut += 13) {
        auto pieces = part(0, cut);
        pieces.merge(part(cut, rows.size()));
        findings.require(near_equal(pieces, whole), "the cut does not matter");
    }
    auto thirds = part(120, 200), others = part(0, 30);
    others.merge(part(30, 120));
    thirds.merge(others);
    findings.require(near_equal(thirds, whole), "the order of pieces does not matter");
    auto backwards = family.empty();
    for (std::size_t i = rows.size(); i > 0; --i) family.observe(backwards, rows[i - 1], 1.0);
    findings.require(near_equal(backwards, whole), "the order of rows does not matter");

    for (std::size_t before : {0, 50}) {
        auto twice = part(0, before), once = part(0, before), none = part(0, before);
        family.observe(twice, rows[60], 1);
        family.observe(twice, rows[60], 1);
        family.observe(once, rows[60], 2);
        findings.require(near_equal(twice, once), "weight two is two rows");
        family.observe(none, rows[60], 0);
        findings.require(near_equal(none, part(0, before)), "weight zero is no row");
    }
    findings.require_near(whole.weight(), 200, 1e-9, "weight() is the number of rows");
    findings.require(family.valid(whole) && family.valid(family.empty()), "what was gathered is valid");

    const auto before = whole;
    (void)family.most_likely(whole);
    findings.require(before == whole, "estimating leaves the statistic as it was");
    findings.require(!family.most_likely(family.empty()), "no rows are refused, not estimated");

    const auto returned = from_bytes<typename F::Statistic>(to_bytes(whole));
    findings.require(returned && *returned == whole, "bytes give the statistic back");
    const auto known = from_bytes<typename F::Parameter>(to_bytes(parameter));
    findings.require(known && *known == parameter, "bytes give the parameter back");
    auto cut_short = to_bytes(whole);
    if (!cut_short.empty()) cut_short.pop_back();
    findings.require(!from_bytes<typename F::Statistic>(cut_short), "bytes that end early are refused");

    double sum = 0;
    for (const auto& row : rows) sum += family.log_density(parameter, row);
    findings.require_near(family.log_likelihood(parameter, whole), sum, 1e-9 * (1 + std::abs(sum)),
                          "the statistic knows the likelihood of its rows");
    const auto best = family.most_likely(whole);
    findings.require(best && family.valid(*best) &&
                         family.log_likelihood(*best, whole) >= family.log_likelihood(parameter, whole) - 1e-9,
                     "the most likely parameter is at least as likely as the truth");

    if constexpr (RemovableStatistic<typename F::Statistic>) {
        auto rest = whole;
        rest.remove(part(0, 120));
        findings.require(near_equal(rest, part(120, 200)) && family.valid(rest), "remove undoes merge");
        auto last = whole;
        for (std::size_t i = 0; i + 1 < rows.size(); ++i) last.remove(part(i, i + 1));
        findings.require(family.valid(last) && std::abs(last.weight() - 1) < 1e-9,
                         "all rows but one can be removed one by one");
        auto gone = whole;
        gone.remove(whole);
        findings.require(gone == family.empty(), "removing everything leaves empty");
        auto never = part(0, 10);
        never.remove(whole);
        findings.require(!family.valid(never), "removing rows that were never in is seen");
    }
    if constexpr (DecayableStatistic<typename F::Statistic>) {
        auto doubled = whole, both = whole;
        doubled.scale(2);
        both.merge(whole);
        findings.require(near_equal(doubled, both), "scaling by two is having every row twice");
        auto faded = whole;
        faded.scale(0);
        findings.require(near_equal(faded, family.empty()), "scaling by zero is empty");
    }
}

}  // namespace suffice::laws
