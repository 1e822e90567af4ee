// Bounds after Hamerly (2010) around searches in single precision.
#include "suffice/group/k_means_search.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "suffice/data/rows_of.hpp"
#include "suffice/family/sums.hpp"
#include "suffice/kernel/moments.hpp"
#include "suffice/kernel/nearest.hpp"

namespace suffice {
namespace {

// Of the squares that a squared distance is made from; bounds are widened by it.
constexpr double rounding_of_bounds = 1e-13;
constexpr double narrow_rounding = 2.5e-7;  // of a float that was made from two others
constexpr std::size_t many_centres = 32;    // from here on it pays to measure the own centre before the search
// Picking a row out of memory and making a tile of it takes as long as searching so many centres.
constexpr std::size_t picking_cost = 60;
constexpr std::size_t rows_ahead = 8;  // asked for before they are read
// The copy in single precision is kept from step to step up to this size; of more rows it is made anew in each, a tile
// at a time.
constexpr std::size_t most_kept = std::size_t{256} << 20;

}  // namespace

void CentreChanges::merge(const CentreChanges& from) {
    add_sums(weight_of, from.weight_of);
    add_sums(sum, from.sum);
    for (std::size_t c = 0; c < count.size(); ++c) count[c] += from.count[c];
    changed += from.changed;
}

struct CentreSearch::Scratch {
    std::vector<double> gathered, some, near, next;
    std::vector<float> whole, tiles, square, upper, lower;
    std::vector<std::int32_t> found, found_again;
    std::vector<std::uint32_t> active, open, changed;
};

// What a search wrote: centres and bounds of so many rows.
struct CentreSearch::Found {
    std::size_t count;
    std::int32_t* nearest;
    float *upper, *lower;
};

CentreSearch::CentreSearch(std::size_t row_count, std::vector<double> origin, double mean_variance)
    : origin_(std::move(origin)), columns_(origin_.size()), nearest_(row_count, -1) {
    if (mean_variance > 0 && std::isfinite(1 / std::sqrt(mean_variance))) scale_ = 1 / std::sqrt(mean_variance);
    std::iota(columns_.begin(), columns_.end(), 0u);
    const std::size_t whole = kernel::narrow_size(row_count, 1);
    const std::size_t copied = kernel::narrow_size(row_count, dimension());
    keeps_tiles_ = copied * sizeof(float) <= most_kept;
    if (keeps_tiles_) tiles_ = PageArray<float>(copied);
    square_ = PageArray<float>(whole);
    upper_ = PageArray<float>(whole);
    lower_ = PageArray<float>(whole);
}

void CentreSearch::set_centres(std::vector<double> next) {
    const std::size_t d = dimension(), k = next.size() / d;
    moved_.assign(k, 0.0F);
    largest_square_ = 0;
    std::size_t mover = 0;
    double most = 0, second = 0;
    for (std::size_t c = 0; c < k; ++c) {
        double square = 0, move = 0;
        for (std::size_t j = 0; j < d; ++j) {
            const double value = next[c * d + j];
            square += value * value;
            if (!centres_.empty()) move += (value - centres_[c * d + j]) * (value - centres_[c * d + j]);
        }
        largest_square_ = std::max(largest_square_, square);
        const double far = std::sqrt(move) * scale_ * (1 + narrow_rounding);
        moved_[c] = static_cast<float>(far);
        if (far > most) {
            second = std::exchange(most, far);
            mover = c;
        } else {
            second = std::max(second, far);
        }
    }
    passed_.assign(k, static_cast<float>(most * (1 + narrow_rounding)));
    passed_[mover] = static_cast<float>(second * (1 + narrow_rounding));
    centres_ = std::move(next);
    packed_ = kernel::PackedCentres(centres_.data(), k, d);
    narrow_ = kernel::NarrowCentres(centres_.data(), k, d, scale_);
    find_gaps();
}

// With every centre as a row, the second nearest is the nearest other one, unless two coincide.
void CentreSearch::find_gaps() {
    const std::size_t k = centre_count(), d = dimension();
    std::vector<std::int32_t> own(k);
    std::vector<double> square(k), gap(k);
    const std::vector<double> zero(d, 0.0);
    kernel::nearest_two({centres_.data(), k, d, static_cast<std::ptrdiff_t>(d)}, zero.data(), packed_, own.data(),
                        square.data(), gap.data());
    half_gap_.resize(k);
    for (std::size_t c = 0; c < k; ++c) {
        const double least = std::sqrt(std::max(gap[c] - 4 * rounding_of_bounds * largest_square_, 0.0)) / 2;
        half_gap_[c] = static_cast<float>(least * scale_ * (1 - narrow_rounding));
    }
}

void CentreSearch::assign(CentreChanges& into, const LabeledBlock& unit, bool first_step, Workspace& workspace) {
    auto& scratch = workspace.of<Scratch>();
    const kernel::Rows rows = rows_of(unit.rows, columns_, scratch.gathered);
    const std::size_t n = rows.row_count, d = dimension(), whole = kernel::narrow_size(n, 1);
    float* square = square_.data() + unit.first_row;
    scratch.active.clear();
    if (!first_step) find_active(unit, rows, scratch);
    const std::size_t active = scratch.active.size(), k = centre_count();
    const bool all = first_step || active * (k + picking_cost) > n * k;
    scratch.found.resize(whole);
    Found found{n, scratch.found.data(), upper_.data() + unit.first_row, lower_.data() + unit.first_row};
    kernel::Rows searched = rows;
    if (all) {
        if (!keeps_tiles_) scratch.whole.resize(kernel::narrow_size(n, d));
        float* tiles = keeps_tiles_ ? tiles_.data() + unit.first_row * d : scratch.whole.data();
        if (first_step || !keeps_tiles_) kernel::narrow_rows(rows, origin_.data(), scale_, tiles, square);
        kernel::nearest_narrow(tiles, square, n, narrow_, found.nearest, found.upper, found.lower);
    } else {
        if (active == 0) return;
        scratch.some.resize(active * d);
        for (std::size_t at = 0; at < active; ++at) {
            if (at + rows_ahead < active) kernel::prefetch_row(rows.row(scratch.active[at + rows_ahead]), d);
            std::copy_n(rows.row(scratch.active[at]), d, scratch.some.data() + at * d);
        }
        searched = {scratch.some.data(), active, d, static_cast<std::ptrdiff_t>(d)};
        scratch.tiles.resize(kernel::narrow_size(active, d));
        for (auto* each : {&scratch.square, &scratch.upper, &scratch.lower}) each->resize(whole);
        kernel::narrow_rows(searched, origin_.data(), scale_, scratch.tiles.data(), scratch.square.data());
        found = {active, scratch.found.data(), scratch.upper.data(), scratch.lower.data()};
        kernel::nearest_narrow(scratch.tiles.data(), scratch.square.data(), active, narrow_, found.nearest, found.upper,
                               found.lower);
    }
    settle(searched, scratch, found);
    scratch.changed.resize(n);
    std::size_t changed = 0;
    for (std::size_t at = 0; at < found.count; ++at) {
        const std::size_t row = all ? at : scratch.active[at], place = unit.first_row + row;
        if (!all) {
            upper_[place] = found.upper[at];
            lower_[place] = found.lower[at];
        }
        scratch.changed[changed] = static_cast<std::uint32_t>(at);
        changed += nearest_[place] != found.nearest[at] ? 1 : 0;
    }
    into.changed += changed;
    if (first_step) add_all(into, unit, rows, found.nearest);
    for (std::size_t each = 0; each < changed; ++each) {
        const std::size_t at = scratch.changed[each], place = unit.first_row + (all ? at : scratch.active[at]);
        if (all && each + rows_ahead < changed) kernel::prefetch_row(rows.row(scratch.changed[each + rows_ahead]), d);
        const std::int32_t before = std::exchange(nearest_[place], found.nearest[at]);
        if (!first_step)
            move_row(into, searched.row(at), unit.weight_of(place - unit.first_row), before, found.nearest[at]);
    }
}

// Searches once more, in double, where the answer is still open.
void CentreSearch::settle(const kernel::Rows& rows, Scratch& scratch, const Found& found) const {
    const std::size_t d = dimension();
    scratch.open.clear();
    for (std::size_t at = 0; at < found.count; ++at)
        if (found.nearest[at] < 0) scratch.open.push_back(static_cast<std::uint32_t>(at));
    if (scratch.open.empty()) return;
    const std::size_t count = scratch.open.size();
    std::vector<double> open(count * d);
    for (std::size_t at = 0; at < count; ++at) std::copy_n(rows.row(scratch.open[at]), d, open.data() + at * d);
    scratch.found_again.resize(count);
    scratch.near.resize(count);
    scratch.next.resize(count);
    kernel::nearest_two({open.data(), count, d, static_cast<std::ptrdiff_t>(d)}, origin_.data(), packed_,
                        scratch.found_again.data(), scratch.near.data(), scratch.next.data());
    for (std::size_t at = 0; at < count; ++at) {
        // |x|^2 <= 2 |x - c|^2 + 2 |c|^2
        const double square = std::max(scratch.near[at], 0.0);
        const double slack = rounding_of_bounds * (2 * square + 4 * largest_square_);
        const std::size_t to = scratch.open[at];
        found.nearest[to] = scratch.found_again[at];
        found.upper[to] = static_cast<float>(std::sqrt(square + slack) * scale_ * (1 + narrow_rounding));
        found.lower[to] =
            static_cast<float>(std::sqrt(std::max(scratch.next[at] - slack, 0.0)) * scale_ * (1 - narrow_rounding));
    }
}

void CentreSearch::find_active(const LabeledBlock& unit, const kernel::Rows& rows, Scratch& scratch) {
    const std::size_t n = rows.row_count, d = dimension();
    const std::int32_t* nearest = nearest_.data() + unit.first_row;
    float* upper = upper_.data() + unit.first_row;
    float* lower = lower_.data() + unit.first_row;
    scratch.active.resize(n + 16);
    scratch.active.resize(kernel::loosen_bounds(nearest, n, moved_.data(), passed_.data(), half_gap_.data(), upper,
                                                lower, scratch.active.data()));
    if (centre_count() < many_centres) return;
    std::size_t kept = 0;
    for (const std::uint32_t row : scratch.active) {
        const auto own = static_cast<std::size_t>(nearest[row]);
        const double square = kernel::squared_distance(rows.row(row), origin_.data(), centres_.data() + own * d, d);
        upper[row] = static_cast<float>(std::sqrt(square * (1 + rounding_of_bounds)) * scale_ * (1 + narrow_rounding));
        if (!(upper[row] < std::max(half_gap_[own], lower[row]))) scratch.active[kept++] = row;
    }
    scratch.active.resize(kept);
}

void CentreSearch::move_row(CentreChanges& into, const double* x, double weight, std::int32_t before,
                            std::int32_t now) const {
    if (!(weight > 0)) return;
    const std::size_t d = dimension();
    const auto from = static_cast<std::size_t>(before), to = static_cast<std::size_t>(now);
    for (std::size_t j = 0; j < d; ++j) {
        const double value = weight * (x[j] - origin_[j]);
        into.sum[from * d + j] -= value;
        into.sum[to * d + j] += value;
    }
    into.weight_of[from] -= weight;
    into.weight_of[to] += weight;
    --into.count[from];
    ++into.count[to];
}

void CentreSearch::add_all(CentreChanges& into, const LabeledBlock& unit, const kernel::Rows& rows,
                           const std::int32_t* found) const {
    kernel::class_moments(rows, found, unit.weight.empty() ? nullptr : unit.weight.data(), centre_count(),
                          origin_.data(), into.weight_of.data(), into.sum.data(), nullptr);
    for (std::size_t row = 0; row < rows.row_count; ++row)
        if (unit.weight_of(row) > 0) ++into.count[static_cast<std::size_t>(found[row])];
}

}  // namespace suffice
