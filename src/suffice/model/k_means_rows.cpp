// Lloyd's steps with bounds.
#include "suffice/model/k_means_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "suffice/accumulate/fold.hpp"
#include "suffice/accumulate/for_each_unit.hpp"
#include "suffice/data/rows_of.hpp"
#include "suffice/family/sums.hpp"
#include "suffice/kernel/moments.hpp"
#include "suffice/kernel/nearest.hpp"
#include "suffice/kernel/nearest_two.hpp"

namespace suffice {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
// Of the squares that a squared distance is made from; bounds are widened by it.
constexpr double rounding = 1e-13;
constexpr std::size_t many_centres = 32;  // from here on it pays to measure the own centre before the search

std::vector<std::uint32_t> first_columns(std::size_t count) {
    std::vector<std::uint32_t> all(count);
    std::iota(all.begin(), all.end(), 0u);
    return all;
}

// What rows that changed their centre do to the sums.
struct Changes {
    std::vector<double> weight_of, sum;  // sum: of w (x - origin)
    std::vector<std::int64_t> count;     // of rows with a weight
    std::uint64_t changed = 0;
    bool operator==(const Changes&) const = default;

    double weight() const { return static_cast<double>(changed); }
    void merge(const Changes& from) {
        add_sums(weight_of, from.weight_of);
        add_sums(sum, from.sum);
        for (std::size_t c = 0; c < count.size(); ++c) count[c] += from.count[c];
        changed += from.changed;
    }
};

// What is known of each row, and of the centres.
struct Search {
    std::size_t dimension = 0;
    std::vector<double> origin, centres;  // centres relative to the origin
    kernel::PackedCentres packed;
    std::vector<double> half_gap;           // of each centre: half the distance to the next one
    std::vector<double> moved;              // of each centre, in the last step
    double most_moved = 0, next_moved = 0;  // the two largest
    std::size_t mover = 0;
    double largest_square = 0;  // of the centres
    std::vector<std::int32_t> nearest;
    std::vector<double> upper, lower;  // of the distance to the own centre and to any other

    std::size_t centre_count() const { return centres.size() / dimension; }

    void set_centres(std::vector<double> next) {
        const std::size_t k = next.size() / dimension;
        moved.assign(k, 0.0);
        most_moved = next_moved = largest_square = 0;
        for (std::size_t c = 0; c < k; ++c) {
            double square = 0, move = 0;
            for (std::size_t j = 0; j < dimension; ++j) {
                const double value = next[c * dimension + j];
                square += value * value;
                if (!centres.empty())
                    move += (value - centres[c * dimension + j]) * (value - centres[c * dimension + j]);
            }
            largest_square = std::max(largest_square, square);
            moved[c] = std::sqrt(move) * (1 + rounding);
            if (moved[c] > most_moved) {
                next_moved = std::exchange(most_moved, moved[c]);
                mover = c;
            } else {
                next_moved = std::max(next_moved, moved[c]);
            }
        }
        centres = std::move(next);
        packed = kernel::PackedCentres(centres.data(), k, dimension);
        find_gaps();
    }

private:
    // With every centre as a row, the second nearest is the nearest other one, unless two coincide.
    void find_gaps() {
        const std::size_t k = centre_count();
        half_gap.assign(k, 0.0);
        std::vector<std::int32_t> own(k);
        std::vector<double> square(k);
        const std::vector<double> zero(dimension, 0.0);
        kernel::nearest_two({centres.data(), k, dimension, static_cast<std::ptrdiff_t>(dimension)}, zero.data(), packed,
                            own.data(), square.data(), half_gap.data());
        for (double& gap : half_gap) gap = std::sqrt(std::max(gap - 4 * rounding * largest_square, 0.0)) / 2;
    }
};

struct StepScratch {
    std::vector<double> gathered, some, near, next;
    std::vector<std::int32_t> found;
    std::vector<std::uint32_t> active;
};

// Rows to their nearest centres. Each unit writes the bounds and centres of its own rows.
struct AssignPass {
    using Statistic = Changes;
    Search& search;
    const std::vector<std::uint32_t>& columns;
    bool first_step;

    Changes empty() const {
        return {std::vector<double>(search.centre_count()), std::vector<double>(search.centres.size()),
                std::vector<std::int64_t>(search.centre_count())};
    }
    std::size_t footprint() const { return (search.centres.size() + 2 * search.centre_count()) * sizeof(double); }

    Result<void> observe(Changes& into, const LabeledBlock& unit, const Schema&, Workspace& workspace) const {
        auto& scratch = workspace.of<StepScratch>();
        const kernel::Rows rows = rows_of(unit.rows, columns, scratch.gathered);
        scratch.active.clear();
        if (!first_step) find_active(unit, rows, scratch);
        const std::size_t count = first_step ? rows.row_count : scratch.active.size(), d = search.dimension;
        // Rows picked out of memory come slowly: from two fifths on, searching all of them in order is quicker.
        const bool all = first_step || count * 5 > rows.row_count * 2;
        kernel::Rows searched = rows;
        if (!all) {
            scratch.some.resize(count * d);
            for (std::size_t at = 0; at < count; ++at)
                std::copy_n(rows.row(scratch.active[at]), d, scratch.some.data() + at * d);
            searched = {scratch.some.data(), count, d, static_cast<std::ptrdiff_t>(d)};
        }
        scratch.found.resize(searched.row_count);
        scratch.near.resize(searched.row_count);
        scratch.next.resize(searched.row_count);
        kernel::nearest_two(searched, search.origin.data(), search.packed, scratch.found.data(), scratch.near.data(),
                            scratch.next.data());
        // |x|^2 <= 2 |x - c|^2 + 2 |c|^2
        for (std::size_t at = 0; at < searched.row_count; ++at) {
            const double square = std::max(scratch.near[at], 0.0);
            const double slack = rounding * (2 * square + 4 * search.largest_square);
            scratch.near[at] = std::sqrt(square + slack);
            scratch.next[at] = std::sqrt(std::max(scratch.next[at] - slack, 0.0));
        }
        for (std::size_t at = 0; at < searched.row_count; ++at) {
            const std::size_t row = all ? at : scratch.active[at], whole = unit.first_row + row;
            search.upper[whole] = scratch.near[at];
            search.lower[whole] = scratch.next[at];
            const std::int32_t before = search.nearest[whole], now = scratch.found[at];
            if (before == now) continue;
            search.nearest[whole] = now;
            ++into.changed;
            if (!first_step) move_row(into, rows.row(row), unit.weight_of(row), before, now);
        }
        if (first_step) add_all(into, unit, rows, scratch.found);
        return {};
    }

private:
    void find_active(const LabeledBlock& unit, const kernel::Rows& rows, StepScratch& scratch) const {
        const bool measure = search.centre_count() >= many_centres;
        for (std::size_t row = 0; row < rows.row_count; ++row) {
            const std::size_t whole = unit.first_row + row;
            const auto own = static_cast<std::size_t>(search.nearest[whole]);
            double& upper = search.upper[whole];
            double& lower = search.lower[whole];
            upper += search.moved[own];
            lower -= own == search.mover ? search.next_moved : search.most_moved;
            const double reach = std::max(search.half_gap[own], lower);
            if (upper < reach) continue;
            if (measure) {
                const double square =
                    kernel::squared_distance(rows.row(row), search.origin.data(),
                                             search.centres.data() + own * search.dimension, search.dimension);
                upper = std::sqrt(square * (1 + rounding));
                if (upper < reach) continue;
            }
            scratch.active.push_back(static_cast<std::uint32_t>(row));
        }
    }
    void move_row(Changes& into, const double* x, double weight, std::int32_t before, std::int32_t now) const {
        if (!(weight > 0)) return;
        const std::size_t d = search.dimension;
        const auto from = static_cast<std::size_t>(before), to = static_cast<std::size_t>(now);
        for (std::size_t j = 0; j < d; ++j) {
            const double value = weight * (x[j] - search.origin[j]);
            into.sum[from * d + j] -= value;
            into.sum[to * d + j] += value;
        }
        into.weight_of[from] -= weight;
        into.weight_of[to] += weight;
        --into.count[from];
        ++into.count[to];
    }
    void add_all(Changes& into, const LabeledBlock& unit, const kernel::Rows& rows,
                 const std::vector<std::int32_t>& found) const {
        kernel::class_moments(rows, found.data(), unit.weight.empty() ? nullptr : unit.weight.data(),
                              search.centre_count(), search.origin.data(), into.weight_of.data(), into.sum.data(),
                              nullptr);
        for (std::size_t row = 0; row < rows.row_count; ++row)
            if (unit.weight_of(row) > 0) ++into.count[static_cast<std::size_t>(found[row])];
    }
};

class LloydRows {
public:
    LloydRows(const LabeledBlock& rows, const std::vector<double>& origin, const Context& context)
        : rows_(rows), context_(context), columns_(first_columns(origin.size())) {
        search_.dimension = origin.size();
        search_.origin = origin;
        search_.nearest.assign(rows.size(), -1);
        search_.upper.resize(rows.size());
        search_.lower.resize(rows.size());
    }

    Result<KMeansRun> run(const Matrix& start, const KMeansLimits& limits) {
        KMeansRun done;
        const std::size_t k = start.row_count, d = search_.dimension;
        std::vector<double> centres(start.values);
        for (std::size_t at = 0; at < centres.size(); ++at) centres[at] -= search_.origin[at % d];
        search_.set_centres(std::move(centres));
        weight_of_.assign(k, 0.0);
        sum_.assign(k * d, 0.0);
        count_.assign(k, 0);
        while (done.steps < limits.steps && !done.unchanged) {
            auto changed = assign();
            if (!changed) return changed.error();
            if (limits.wants_path) done.path.push_back(inertia());
            ++done.steps;
            const std::vector<double> before = search_.centres;
            search_.set_centres(means());
            done.moved = 0;
            for (std::size_t at = 0; at < before.size(); ++at)
                done.moved += (search_.centres[at] - before[at]) * (search_.centres[at] - before[at]);
            done.unchanged = *changed == 0;
            if (done.moved <= limits.move) break;
        }
        if (!done.unchanged)
            if (auto last = assign(); !last) return last.error();
        done.inertia = inertia();
        if (context_.stopped()) return Error(ErrorKind::cancelled, "the computation was stopped");
        done.centres = Matrix(k, d);
        for (std::size_t at = 0; at < k * d; ++at)
            done.centres.values[at] = search_.centres[at] + search_.origin[at % d];
        done.nearest = std::move(search_.nearest);
        return done;
    }

private:
    Result<std::uint64_t> assign() {
        MemoryStream stream(rows_, Schema{});
        const auto changes = fold(AssignPass{search_, columns_, first_step_}, stream, context_);
        if (!changes) return changes.error();
        first_step_ = false;
        add_sums(weight_of_, changes->weight_of);
        add_sums(sum_, changes->sum);
        for (std::size_t c = 0; c < count_.size(); ++c) count_[c] += changes->count[c];
        return changes->changed;
    }

    // An empty centre goes to the row that is farthest from its own, which leaves that one's mean.
    std::vector<double> means() {
        const std::size_t k = count_.size(), d = search_.dimension;
        std::vector<double> weight = weight_of_, sum = sum_;
        std::vector<std::size_t> empty;
        for (std::size_t c = 0; c < k; ++c)
            if (count_[c] == 0) {
                empty.push_back(c);
                weight[c] = 0;
                std::fill_n(sum.begin() + static_cast<std::ptrdiff_t>(c * d), d, 0.0);
            }
        if (!empty.empty()) fill_empty(empty, weight, sum);
        const auto largest = static_cast<std::size_t>(std::ranges::max_element(weight) - weight.begin());
        std::vector<double> next(k * d);
        for (std::size_t c = 0; c < k; ++c) {
            const std::size_t from = weight[c] > 0 ? c : largest;
            for (std::size_t j = 0; j < d; ++j) next[c * d + j] = sum[from * d + j] / weight[from];
        }
        return next;
    }
    void fill_empty(const std::vector<std::size_t>& empty, std::vector<double>& weight, std::vector<double>& sum) {
        const std::size_t d = search_.dimension;
        const auto square = squares();
        std::vector<std::size_t> order(square.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        const std::size_t count = std::min(empty.size(), order.size());
        std::ranges::partial_sort(order, order.begin() + static_cast<std::ptrdiff_t>(count), std::greater<>(),
                                  [&](std::size_t row) { return square[row]; });
        if (!(square[order[0]] > 0)) return;  // fewer distinct rows than centres
        for (std::size_t at = 0; at < count; ++at) {
            const std::size_t row = order[at], to = empty[at], from = static_cast<std::size_t>(search_.nearest[row]);
            const double w = rows_.weight_of(row);
            for (std::size_t j = 0; j < d; ++j) {
                const double value = w * (value_at(rows_.rows, row, j) - search_.origin[j]);
                sum[from * d + j] -= value;
                sum[to * d + j] = value;
            }
            weight[from] -= w;
            weight[to] = w;
        }
    }
    // Of each row to its own centre, exactly.
    std::vector<double> squares() const {
        std::vector<double> out(rows_.size());
        visit_rows([&](std::size_t row, const double* x) { out[row] = own_square(row, x); });
        return out;
    }
    double inertia() const {
        std::vector<double> of_unit((rows_.size() + MemoryStream::unit_rows - 1) / MemoryStream::unit_rows);
        visit_rows([&](std::size_t row, const double* x) {
            of_unit[row / MemoryStream::unit_rows] += rows_.weight_of(row) * own_square(row, x);
        });
        return std::accumulate(of_unit.begin(), of_unit.end(), 0.0);
    }
    double own_square(std::size_t row, const double* x) const {
        const auto own = static_cast<std::size_t>(search_.nearest[row]);
        return kernel::squared_distance(x, search_.origin.data(), search_.centres.data() + own * search_.dimension,
                                        search_.dimension);
    }
    template <class Visit>
    void visit_rows(const Visit& visit) const {
        constexpr std::size_t unit_rows = MemoryStream::unit_rows;
        const std::size_t n = rows_.size();
        const unsigned threads = useful_threads(context_, n * search_.dimension * sizeof(double));
        for_each_unit((n + unit_rows - 1) / unit_rows, threads, context_, [&](std::size_t unit, Workspace& workspace) {
            const std::size_t first = unit * unit_rows, count = std::min(unit_rows, n - first);
            const kernel::Rows rows =
                rows_of(slice(rows_.rows, first, count), columns_, workspace.of<StepScratch>().gathered);
            for (std::size_t row = 0; row < count; ++row) visit(first + row, rows.row(row));
        });
    }

    const LabeledBlock& rows_;
    const Context& context_;
    std::vector<std::uint32_t> columns_;
    Search search_;
    bool first_step_ = true;
    std::vector<double> weight_of_, sum_;
    std::vector<std::int64_t> count_;
};

}  // namespace

Result<KMeansRun> KMeansRows::run(const Matrix& start, const KMeansLimits& limits, const Context& context) const {
    if (start.row_count == 0 || start.column_count != mean_.size())
        return Error(ErrorKind::usage, "the centres to start from need a value for each column");
    if (limits.steps == 0) return Error(ErrorKind::usage, "the limit of steps must be at least 1");
    return LloydRows(rows_, mean_, context).run(start, limits);
}

}  // namespace suffice
