// Lloyd's steps over rows in memory.
#include "suffice/group/k_means_rows.hpp"

#include <algorithm>
#include <numeric>

#include "suffice/accumulate/fold.hpp"
#include "suffice/accumulate/for_each_unit.hpp"
#include "suffice/data/rows_of.hpp"
#include "suffice/family/sums.hpp"
#include "suffice/group/k_means_search.hpp"
#include "suffice/kernel/nearest.hpp"

namespace suffice {
namespace {

struct VisitScratch {
    std::vector<double> gathered;
};

class LloydRows {
public:
    LloydRows(const LabeledBlock& rows, const std::vector<double>& origin, double mean_variance, const Context& context)
        : rows_(rows), context_(context), columns_(origin.size()), search_(rows.size(), origin, mean_variance) {
        std::iota(columns_.begin(), columns_.end(), 0u);
    }

    Result<KMeansRun> run(const Matrix& start, const KMeansLimits& limits) {
        KMeansRun done;
        const std::size_t k = start.row_count, d = search_.dimension();
        std::vector<double> centres(start.values);
        for (std::size_t at = 0; at < centres.size(); ++at) centres[at] -= search_.origin()[at % d];
        search_.set_centres(std::move(centres));
        weight_of_.assign(k, 0.0);
        sum_.assign(k * d, 0.0);
        count_.assign(k, 0);
        while (done.steps < limits.steps && !done.unchanged) {
            auto changed = assign();
            if (!changed) return changed.error();
            if (limits.wants_path) done.path.push_back(inertia());
            ++done.steps;
            const std::vector<double> before = search_.centres();
            search_.set_centres(means());
            done.moved = 0;
            for (std::size_t at = 0; at < before.size(); ++at)
                done.moved += (search_.centres()[at] - before[at]) * (search_.centres()[at] - before[at]);
            done.unchanged = *changed == 0;
            if (done.moved <= limits.move) break;
        }
        if (!done.unchanged)
            if (auto last = assign(); !last) return last.error();
        done.inertia = inertia();
        if (context_.stopped()) return Error(ErrorKind::cancelled, "the computation was stopped");
        done.centres = Matrix(k, d);
        for (std::size_t at = 0; at < k * d; ++at)
            done.centres.values[at] = search_.centres()[at] + search_.origin()[at % d];
        done.nearest = search_.take_nearest();
        return done;
    }

private:
    Result<std::uint64_t> assign() {
        MemoryStream stream(rows_, Schema{});
        const auto changes = fold(AssignPass{search_, first_step_}, stream, context_);
        if (!changes) return changes.error();
        first_step_ = false;
        add_sums(weight_of_, changes->weight_of);
        add_sums(sum_, changes->sum);
        for (std::size_t c = 0; c < count_.size(); ++c) count_[c] += changes->count[c];
        return changes->changed;
    }

    // An empty centre goes to the row that is farthest from its own, which leaves that one's mean.
    std::vector<double> means() {
        const std::size_t k = count_.size(), d = search_.dimension();
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
        const std::size_t d = search_.dimension();
        const auto square = squares();
        std::vector<std::size_t> order(square.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        const std::size_t count = std::min(empty.size(), order.size());
        std::ranges::partial_sort(order, order.begin() + static_cast<std::ptrdiff_t>(count), std::greater<>(),
                                  [&](std::size_t row) { return square[row]; });
        if (!(square[order[0]] > 0)) return;  // fewer distinct rows than centres
        for (std::size_t at = 0; at < count; ++at) {
            const std::size_t row = order[at], to = empty[at], from = static_cast<std::size_t>(search_.nearest()[row]);
            const double w = rows_.weight_of(row);
            for (std::size_t j = 0; j < d; ++j) {
                const double value = w * (value_at(rows_.rows, row, j) - search_.origin()[j]);
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
        const auto own = static_cast<std::size_t>(search_.nearest()[row]);
        return kernel::squared_distance(x, search_.origin().data(),
                                        search_.centres().data() + own * search_.dimension(), search_.dimension());
    }
    template <class Visit>
    void visit_rows(const Visit& visit) const {
        constexpr std::size_t unit_rows = MemoryStream::unit_rows;
        const std::size_t n = rows_.size();
        const unsigned threads = useful_threads(context_, n * search_.dimension() * sizeof(double));
        for_each_unit((n + unit_rows - 1) / unit_rows, threads, context_, [&](std::size_t unit, Workspace& workspace) {
            const std::size_t first = unit * unit_rows, count = std::min(unit_rows, n - first);
            const kernel::Rows rows =
                rows_of(slice(rows_.rows, first, count), columns_, workspace.of<VisitScratch>().gathered);
            for (std::size_t row = 0; row < count; ++row) visit(first + row, rows.row(row));
        });
    }

    const LabeledBlock& rows_;
    const Context& context_;
    std::vector<std::uint32_t> columns_;
    CentreSearch search_;
    bool first_step_ = true;
    std::vector<double> weight_of_, sum_;
    std::vector<std::int64_t> count_;
};

}  // namespace

Result<KMeansRun> KMeansRows::run(const Matrix& start, const KMeansLimits& limits, const Context& context) const {
    if (start.row_count == 0 || start.column_count != mean_.size())
        return Error(ErrorKind::usage, "the centres to start from need a value for each column");
    if (limits.steps == 0) return Error(ErrorKind::usage, "the limit of steps must be at least 1");
    return LloydRows(rows_, mean_, mean_variance_, context).run(start, limits);
}

}  // namespace suffice
