// Walks along the chain of categories, then to the numbers.
#include "suffice/model/column_model.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "suffice/base/random.hpp"
#include "suffice/math/cholesky.hpp"
#include "suffice/math/log_sum_exp.hpp"
#include "suffice/math/normal_rule.hpp"
#include "suffice/math/special.hpp"

namespace suffice {
namespace {

constexpr std::size_t fewest_nodes = 5, most_nodes = 16;  // of a number, where it is not drawn

const NormalRule& nodes_of(std::size_t count) {
    static const auto rules = [] {
        std::vector<NormalRule> all;
        for (std::size_t n = 0; n <= most_nodes; ++n) all.push_back(n == 0 ? NormalRule{} : normal_rule(n));
        return all;
    }();
    return rules[count];
}

// As many nodes for each number as keep the ways few; 0: too few, so that draws are better.
std::size_t nodes_within(std::size_t levels, std::size_t numbers) {
    if (numbers == 0) return levels <= RowCompletion::most_ways ? 1 : 0;
    for (std::size_t n = most_nodes; n >= fewest_nodes; --n) {
        double ways = static_cast<double>(levels);
        for (std::size_t i = 0; i < numbers; ++i) ways *= static_cast<double>(n);
        if (ways <= static_cast<double>(RowCompletion::most_ways)) return n;
    }
    return 0;
}

}  // namespace

std::optional<std::size_t> CategoryLink::place(double value) const {
    const auto found = std::ranges::find_if(code, [&](std::uint32_t each) { return each == value; });
    if (found == code.end()) return std::nullopt;
    return static_cast<std::size_t>(found - code.begin());
}

void CategoryLink::log_shares(std::span<const double> indicators, std::vector<double>& out) const {
    const std::size_t d = indicators.size();
    out = parameter.intercept;
    for (std::size_t c = 0; c < out.size(); ++c)
        for (std::size_t j = 0; j < d; ++j)
            if (indicators[j] != 0) out[c] += parameter.coefficient[c * d + j] * indicators[j];
    log_softmax(out);
}

std::size_t ColumnModel::indicator_count() const {
    return std::accumulate(chain.begin(), chain.end(), std::size_t{0},
                           [](std::size_t sum, const CategoryLink& each) { return sum + each.indicator_count(); });
}

bool ColumnModel::valid(std::size_t column_count) const {
    const auto finite = [](const std::vector<double>& all) {
        return std::ranges::all_of(all, [](double value) { return std::isfinite(value); });
    };
    std::size_t before = 0;
    for (const CategoryLink& each : chain) {
        const std::size_t k = each.code.size();
        if (each.column >= column_count || k == 0 || !std::ranges::is_sorted(each.code) ||
            each.parameter.intercept.size() != k || each.parameter.coefficient.size() != k * before ||
            !finite(each.parameter.intercept) || !finite(each.parameter.coefficient))
            return false;
        before += each.indicator_count();
    }
    const std::size_t m = number.size();
    std::vector<double> factor = covariance;
    return std::ranges::all_of(number, [&](std::uint32_t column) { return column < column_count; }) &&
           mean.size() == (m == 0 ? 0 : (1 + before) * m) && covariance.size() == m * m && finite(mean) &&
           finite(covariance) && factorize(factor, m);
}

RowCompletion::RowCompletion(const ColumnModel& model) : model_(model) {
    std::size_t first = 0;
    for (const CategoryLink& each : model.chain) {
        first_indicator_.push_back(first);
        first += each.indicator_count();
    }
}

// absent = its mean + slope (present - its mean) + residual, slope = S_ap S_pp^-1.
const RowCompletion::Gaps& RowCompletion::gaps_of(std::span<const double> row) {
    const std::size_t d = model_.number.size();
    std::vector<bool> missing(d);
    for (std::size_t i = 0; i < d; ++i) missing[i] = std::isnan(row[model_.number[i]]);
    const auto known = gaps_.find(missing);
    if (known != gaps_.end()) return known->second;
    Gaps gaps;
    for (std::size_t i = 0; i < d; ++i) (missing[i] ? gaps.absent : gaps.present).push_back(i);
    const std::size_t m = gaps.present.size(), a = gaps.absent.size();
    const auto& s = model_.covariance;
    for (const std::size_t i : gaps.present)
        for (const std::size_t j : gaps.present) gaps.factor.push_back(s[i * d + j]);
    factorize(gaps.factor, m);  // a principal minor of a positive definite matrix is one too
    gaps.slope.resize(a * m);
    gaps.residual.resize(a * a);
    for (std::size_t i = 0; i < a; ++i) {
        const std::span<double> slope(gaps.slope.data() + i * m, m);
        for (std::size_t k = 0; k < m; ++k) slope[k] = s[gaps.absent[i] * d + gaps.present[k]];
        solve_factorized(gaps.factor, slope);
        for (std::size_t j = 0; j < a; ++j) {
            double left = s[gaps.absent[i] * d + gaps.absent[j]];
            for (std::size_t k = 0; k < m; ++k) left -= slope[k] * s[gaps.present[k] * d + gaps.absent[j]];
            gaps.residual[i * a + j] = left;
        }
    }
    if (!factorize(gaps.residual, a)) std::ranges::fill(gaps.residual, 0.0);  // they follow from those present
    return gaps_.emplace(std::move(missing), std::move(gaps)).first->second;
}

void RowCompletion::fill_link(std::size_t h, std::size_t place, Filling& filling) const {
    filling.row[model_.chain[h].column] = model_.chain[h].code[place];
    if (place > 0) filling.indicators[first_indicator_[h] + place - 1] = 1;
}

// What is present says how likely the categories are, and where the numbers that are not are expected.
void RowCompletion::expect_numbers(const Gaps& gaps, Filling& filling) const {
    const std::size_t d = model_.number.size(), m = gaps.present.size();
    filling.mean.assign(model_.mean.begin(), model_.mean.begin() + static_cast<std::ptrdiff_t>(d));
    for (std::size_t j = 0; j < filling.indicators.size(); ++j)
        for (std::size_t i = 0; filling.indicators[j] != 0 && i < d; ++i)
            filling.mean[i] += model_.mean[(1 + j) * d + i] * filling.indicators[j];
    std::vector<double> way(m);
    for (std::size_t k = 0; k < m; ++k)
        way[k] = filling.row[model_.number[gaps.present[k]]] - filling.mean[gaps.present[k]];
    if (has_gap_in_chain_) filling.log_weight -= 0.5 * squared_distance(gaps.factor, way);
    for (std::size_t i = 0; i < gaps.absent.size(); ++i)
        for (std::size_t k = 0; k < m; ++k) filling.mean[gaps.absent[i]] += gaps.slope[i * m + k] * way[k];
}

void RowCompletion::add_numbers(std::span<const double> standard, double log_weight, const Gaps& gaps,
                                const Filling& filling, CompletedRow& into) const {
    const std::size_t a = gaps.absent.size(), start = into.values.size();
    into.values.insert(into.values.end(), filling.row.begin(), filling.row.end());
    for (std::size_t i = 0; i < a; ++i) {
        double value = filling.mean[gaps.absent[i]];
        for (std::size_t j = 0; j <= i; ++j) value += gaps.residual[i * a + j] * standard[j];
        into.values[start + model_.number[gaps.absent[i]]] = value;
    }
    into.log_weight.push_back(filling.log_weight + log_weight);
}

void RowCompletion::add_levels(std::size_t h, std::size_t nodes, const Gaps& gaps, Filling filling,
                               CompletedRow& into) {
    for (; h < model_.chain.size(); ++h) {
        const CategoryLink& link = model_.chain[h];
        const bool missing = std::isnan(filling.row[link.column]);
        if (has_gap_in_chain_)
            link.log_shares(std::span(filling.indicators).first(first_indicator_[h]), filling.shares);
        if (missing) {
            for (std::size_t place = 0; place < link.code.size(); ++place) {
                Filling next = filling;
                next.log_weight += filling.shares[place];
                fill_link(h, place, next);
                add_levels(h + 1, nodes, gaps, std::move(next), into);
            }
            return;
        }
        const auto place = link.place(filling.row[link.column]);
        if (!place) continue;  // never seen: it says nothing of the others
        if (has_gap_in_chain_) filling.log_weight += filling.shares[*place];
        fill_link(h, *place, filling);
    }
    expect_numbers(gaps, filling);
    const NormalRule& rule = nodes_of(nodes);
    std::vector<std::size_t> at(gaps.absent.size());
    std::vector<double> standard(at.size());
    for (;;) {  // counts through the nodes of all numbers
        double log_weight = 0;
        for (std::size_t i = 0; i < at.size(); ++i) {
            standard[i] = rule.at[at[i]];
            log_weight += std::log(rule.weight[at[i]]);
        }
        add_numbers(standard, log_weight, gaps, filling, into);
        std::size_t i = 0;
        while (i < at.size() && ++at[i] == nodes) at[i++] = 0;
        if (i == at.size()) return;
    }
}

double RowCompletion::drawn(std::size_t column, std::size_t way) {
    std::vector<double>& all = drawn_[column];
    if (all.empty()) {
        Rng rng = Rng(0, "missing values").fork(column);
        for (std::size_t i = 0; i < most_ways; ++i) all.push_back(rng.uniform_open());
    }
    return all[way];
}

void RowCompletion::add_drawn(std::size_t way, const Gaps& gaps, Filling filling, CompletedRow& into) {
    for (std::size_t h = 0; h < model_.chain.size(); ++h) {
        const CategoryLink& link = model_.chain[h];
        const bool missing = std::isnan(filling.row[link.column]);
        if (has_gap_in_chain_)
            link.log_shares(std::span(filling.indicators).first(first_indicator_[h]), filling.shares);
        auto place = link.place(filling.row[link.column]);
        if (missing) {
            double left = drawn(link.column, way);
            place = 0;
            while (*place + 1 < link.code.size() && (left -= std::exp(filling.shares[*place])) > 0) ++*place;
        } else if (has_gap_in_chain_ && place) {
            filling.log_weight += filling.shares[*place];
        }
        if (place) fill_link(h, *place, filling);
    }
    expect_numbers(gaps, filling);
    std::vector<double> standard;
    for (const std::size_t i : gaps.absent) standard.push_back(normal_quantile(drawn(model_.number[i], way)));
    add_numbers(standard, 0, gaps, filling, into);
}

void RowCompletion::complete(std::span<const double> row, CompletedRow& into) {
    into.values.clear();
    into.log_weight.clear();
    const Gaps& gaps = gaps_of(row);
    std::size_t levels = 1;
    has_gap_in_chain_ = false;
    for (const CategoryLink& link : model_.chain)
        if (std::isnan(row[link.column])) {
            has_gap_in_chain_ = true;
            levels = std::min(levels * link.code.size(), 2 * most_ways);
        }
    const Filling filling{{row.begin(), row.end()}, std::vector<double>(model_.indicator_count()), {}, {}, 0};
    if (const std::size_t nodes = nodes_within(levels, gaps.absent.size()); nodes > 0) {
        add_levels(0, nodes, gaps, filling, into);
        return;
    }
    for (std::size_t way = 0; way < most_ways; ++way) add_drawn(way, gaps, filling, into);
}

}  // namespace suffice
