// Counts numbers, and turns to bins when too many differ.
#include "suffice/accumulate/number_counts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "suffice/family/sums.hpp"

namespace suffice {
namespace {

// Where a bin begins; that of the lowest numbers would begin beyond them.
double edge_of(double key, double width) { return std::max(key * width, std::numeric_limits<double>::lowest()); }

// One behind the other, of a width that is a power of two: bins of pieces meet.
bool has_meeting_bins(const NumberCounts& counts) {
    if (!counts.is_binned()) return true;
    int exponent = 0;
    if (std::frexp(counts.width, &exponent) != 0.5) return false;
    for (std::size_t at = 0; at < counts.start.size(); ++at) {
        const double key = std::floor(counts.start.front() / counts.width) + static_cast<double>(at);
        if (counts.start[at] != edge_of(key, counts.width)) return false;
    }
    return true;
}

}  // namespace

void NumberSums::observe(double x, double weight) {
    plain.merge({weight, x, 0});
    if (x > 0) logs.merge({weight, std::log(x), 0});
    if (x > 0 && x < 1) {
        unit_weight += weight;
        log_complement += weight * std::log1p(-x);
    }
}

void NumberSums::merge(const NumberSums& from) {
    plain.merge(from.plain);
    logs.merge(from.logs);
    unit_weight += from.unit_weight;
    log_complement += from.log_complement;
}

void NumberSums::remove(const NumberSums& rows) {
    plain.remove(rows.plain);
    logs.remove(rows.logs);
    unit_weight = difference(unit_weight, rows.unit_weight);
    log_complement = unit_weight == 0 ? 0 : difference(log_complement, rows.log_complement);
}

void NumberSums::scale(double factor) {
    plain.scale(factor);
    logs.scale(factor);
    unit_weight *= factor;
    log_complement *= factor;
}

double NumberCounts::weight() const {
    double sum = 0;
    for (const double each : weights) sum += each;
    return sum;
}

std::size_t NumberCounts::place_of(double value) {
    const auto found = std::ranges::lower_bound(start, value);
    const auto place = static_cast<std::size_t>(found - start.begin());
    if (found == start.end() || *found != value) {
        start.insert(found, value);
        weights.insert(weights.begin() + static_cast<std::ptrdiff_t>(place * class_count), class_count, 0.0);
    }
    return place;
}

void NumberCounts::coarsen() {
    const double wider = 2 * width;
    std::vector<double> fresh_start, fresh_weights;
    for (std::size_t at = 0; at < start.size(); ++at) {
        const double edge = edge_of(std::floor(start[at] / wider), wider);
        if (fresh_start.empty() || fresh_start.back() != edge) {
            fresh_start.push_back(edge);
            fresh_weights.insert(fresh_weights.end(), class_count, 0.0);
        }
        for (std::size_t c = 0; c < class_count; ++c)
            fresh_weights[fresh_weights.size() - class_count + c] += weight_at(at, c);
    }
    start = std::move(fresh_start);
    weights = std::move(fresh_weights);
    width = wider;
}

// Bins from that of `first` to that of `last`, wider ones where these are too many.
void NumberCounts::cover(double first, double last) {
    const auto key = [&](double x) { return std::floor(x / width); };
    if (!start.empty()) {
        first = std::min(first, start.front());
        last = std::max(last, start.back());
    }
    while (key(last) - key(first) >= limit) {
        if (start.empty())
            width *= 2;
        else
            coarsen();
    }
    const double low = key(first);
    const auto count = static_cast<std::size_t>(key(last) - low) + 1;
    if (count == start.size()) return;
    const std::size_t before = start.empty() ? 0 : static_cast<std::size_t>(key(start.front()) - low);
    std::vector<double> fresh(count * class_count);
    std::ranges::copy(weights, fresh.begin() + static_cast<std::ptrdiff_t>(before * class_count));
    weights = std::move(fresh);
    start.resize(count);
    for (std::size_t at = 0; at < count; ++at) start[at] = edge_of(low + static_cast<double>(at), width);
}

std::size_t NumberCounts::bin_of(double x) {
    if (!start.empty()) {
        const double place = std::floor(x / width) - start.front() / width;
        if (place >= 0 && place < static_cast<double>(start.size())) return static_cast<std::size_t>(place);
    }
    cover(x, x);
    return static_cast<std::size_t>(std::floor(x / width) - std::floor(start.front() / width));
}

void NumberCounts::to_bins(std::uint32_t most) {
    const std::vector<double> values = std::move(start), counts = std::move(weights);
    start.clear();
    weights.clear();
    limit = most;
    const double low = values.front(), high = values.back();
    // A little below what can do; cover() finds the least that does. Powers of two all of them, or pieces would not
    // meet; and no finer than numbers of this size are, of which one alone has no range.
    const double largest = std::max(std::abs(low), std::abs(high)), parts = most + 1.0, range = high - low;
    const double part = std::isfinite(range) ? range / parts : high / parts - low / parts;
    const double finest = std::exp2(largest > 0 ? std::max(std::ilogb(largest) - 52, -1000) : -1000);
    width = range > 0 ? std::max(std::exp2(std::floor(std::log2(part))), finest) : finest;
    cover(low, high);
    for (std::size_t at = 0; at < values.size(); ++at)
        for (std::size_t c = 0; c < class_count; ++c)
            weights[bin_of(values[at]) * class_count + c] += counts[at * class_count + c];
}

NumberSums NumberCounts::sums_of(std::size_t c) const {
    if (is_binned()) return sums[c];
    NumberSums made;
    for (std::size_t at = 0; at < start.size(); ++at)
        if (weight_at(at, c) != 0) made.observe(start[at], weight_at(at, c));
    return made;
}

void NumberCounts::observe(const Seen& rows, Scratch& scratch) {
    for (std::size_t row = 0; row < rows.x.size(); ++row)
        if (rows.x[row] != std::floor(rows.x[row])) fraction_weight += rows.weight[row];
    std::size_t row = 0;
    std::size_t last = 0;
    for (; !is_binned() && row < rows.x.size(); ++row) {
        if (last >= start.size() || start[last] != rows.x[row]) last = place_of(rows.x[row]);
        weights[last * class_count + rows.code[row]] += rows.weight[row];
        if (start.size() <= limit) continue;
        Several<NumberSums> made;
        for (std::size_t c = 0; c < class_count; ++c) made.push_back(sums_of(c));
        to_bins(limit);
        sums = std::move(made);
    }
    if (row < rows.x.size())
        observe_bins({rows.x.subspan(row), rows.code.subspan(row), rows.weight.subspan(row)}, scratch);
}

// Means first, then squares around them, so that large means lose no digits.
void NumberCounts::observe_bins(const Seen& rows, Scratch& s) {
    for (auto* each : {&s.count, &s.sum, &s.square, &s.log_count, &s.log_sum, &s.log_square})
        each->assign(class_count, 0.0);
    s.logs.resize(rows.x.size());
    for (std::size_t row = 0; row < rows.x.size(); ++row) {
        const double x = rows.x[row], w = rows.weight[row];
        const std::size_t c = rows.code[row];
        weights[bin_of(x) * class_count + c] += w;
        s.count[c] += w;
        s.sum[c] += w * x;
        if (!(x > 0)) continue;
        s.logs[row] = std::log(x);
        s.log_count[c] += w;
        s.log_sum[c] += w * s.logs[row];
        if (x < 1) {
            sums[c].unit_weight += w;
            sums[c].log_complement += w * std::log1p(-x);
        }
    }
    for (std::size_t c = 0; c < class_count; ++c) {
        if (s.count[c] > 0) s.sum[c] /= s.count[c];
        if (s.log_count[c] > 0) s.log_sum[c] /= s.log_count[c];
    }
    for (std::size_t row = 0; row < rows.x.size(); ++row) {
        const std::size_t c = rows.code[row];
        const double apart = rows.x[row] - s.sum[c];
        s.square[c] += rows.weight[row] * apart * apart;
        if (!(rows.x[row] > 0)) continue;
        const double log_apart = s.logs[row] - s.log_sum[c];
        s.log_square[c] += rows.weight[row] * log_apart * log_apart;
    }
    for (std::size_t c = 0; c < class_count; ++c) {
        if (s.count[c] > 0) sums[c].plain.merge({s.count[c], s.sum[c], s.square[c]});
        if (s.log_count[c] > 0) sums[c].logs.merge({s.log_count[c], s.log_sum[c], s.log_square[c]});
    }
}

void NumberCounts::put(double value, std::span<const double> by_class) {
    const std::size_t place = is_binned() ? bin_of(value) : place_of(value);
    for (std::size_t c = 0; c < class_count; ++c) weights[place * class_count + c] += by_class[c];
}

// Brings both to bins of one width.
void NumberCounts::match_bins(NumberCounts& other) {
    for (NumberCounts* each : {this, &other}) {
        if (each->is_binned()) continue;
        Several<NumberSums> made;
        for (std::size_t c = 0; c < class_count; ++c) made.push_back(each->sums_of(c));
        if (!each->start.empty()) {
            each->to_bins(limit);
        } else {
            each->width = (each == this ? other : *this).width;
        }
        each->sums = std::move(made);
    }
    while (width < other.width) coarsen();
    while (other.width < width) other.coarsen();
}

void NumberCounts::merge(const NumberCounts& from) {
    fraction_weight += from.fraction_weight;
    if (!is_binned() && !from.is_binned()) {
        for (std::size_t at = 0; at < from.start.size(); ++at)
            put(from.start[at], {from.weights.data() + at * class_count, class_count});
        if (start.size() <= limit) return;
        Several<NumberSums> made;
        for (std::size_t c = 0; c < class_count; ++c) made.push_back(sums_of(c));
        to_bins(limit);
        sums = std::move(made);
        return;
    }
    NumberCounts other = from;
    match_bins(other);
    if (!other.start.empty()) {
        cover(other.start.front(), other.start.back());
        for (std::size_t at = 0; at < other.start.size(); ++at)
            put(other.start[at], {other.weights.data() + at * class_count, class_count});
    }
    sums.merge(other.sums);
}

void NumberCounts::remove(const NumberCounts& rows) {
    fraction_weight = difference(fraction_weight, rows.fraction_weight);
    NumberCounts other = rows;
    if (is_binned() || other.is_binned()) {
        match_bins(other);
        sums.remove(other.sums);
    }
    for (std::size_t at = 0; at < other.start.size(); ++at) {
        const std::size_t place = is_binned() ? bin_of(other.start[at]) : place_of(other.start[at]);
        for (std::size_t c = 0; c < class_count; ++c) {
            double& left = weights[place * class_count + c];
            left = difference(left, other.weight_at(at, c));
        }
    }
    drop_empty();
}

// Values that no row has any more; of bins those at the ends.
void NumberCounts::drop_empty() {
    std::vector<double> kept_start, kept_weights;
    const auto is_empty = [&](std::size_t at) {
        return std::all_of(weights.begin() + static_cast<std::ptrdiff_t>(at * class_count),
                           weights.begin() + static_cast<std::ptrdiff_t>((at + 1) * class_count),
                           [](double w) { return w == 0; });
    };
    std::size_t first = 0, last = start.size();
    while (first < last && is_empty(first)) ++first;
    while (last > first && is_empty(last - 1)) --last;
    for (std::size_t at = first; at < last; ++at) {
        if (!is_binned() && is_empty(at)) continue;
        kept_start.push_back(start[at]);
        kept_weights.insert(kept_weights.end(), weights.begin() + static_cast<std::ptrdiff_t>(at * class_count),
                            weights.begin() + static_cast<std::ptrdiff_t>((at + 1) * class_count));
    }
    start = std::move(kept_start);
    weights = std::move(kept_weights);
    if (!start.empty()) return;
    width = 0;  // nothing is left: as if nothing had been seen
    fraction_weight = 0;
    sums.clear();
}

void NumberCounts::scale(double factor) {
    scale_sums(weights, factor);
    fraction_weight *= factor;
    sums.scale(factor);
}

void NumberCounts::recode(const CodeMap& classes) {
    std::vector<double> fresh(start.size() * classes.count);
    for (std::size_t at = 0; at < start.size(); ++at)
        for (std::size_t c = 0; c < class_count; ++c)
            if (classes.to[c] != CodeMap::dropped) fresh[at * classes.count + classes.to[c]] = weight_at(at, c);
    weights = std::move(fresh);
    class_count = classes.count;
    if (is_binned()) sums.recode(classes, NumberSums{});
    drop_empty();
}

bool NumberCounts::valid() const {
    constexpr std::uint32_t least_bins = 4;  // of any width: what is below and above zero lies in bins of its own
    const auto finite = [](double x) { return std::isfinite(x); };
    return limit >= least_bins && limit <= most_bins && width >= 0 && std::isfinite(width) && start.size() <= limit &&
           weights.size() == start.size() * class_count && sums.size() == (is_binned() ? class_count : 0) &&
           std::ranges::all_of(start, finite) && has_meeting_bins(*this) &&
           std::ranges::adjacent_find(start, std::greater_equal{}) == start.end() &&
           std::ranges::all_of(weights, [](double w) { return w >= 0 && std::isfinite(w); });
}

NumberCounts NumberCounts::binned(std::uint32_t most) const {
    NumberCounts made = *this;
    if (!made.is_binned() && !made.start.empty()) made.to_bins(most);
    while (made.is_binned() && made.start.size() > most) made.coarsen();
    return made;
}

NumberCounts NumberCounts::coarser() const {
    NumberCounts made = *this;
    made.coarsen();
    return made;
}

}  // namespace suffice
