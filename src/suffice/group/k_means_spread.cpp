// Greedy k-means++ over rows in memory.
#include <algorithm>
#include <limits>
#include <numeric>

#include "suffice/accumulate/fold.hpp"
#include "suffice/accumulate/for_each_unit.hpp"
#include "suffice/base/limits.hpp"
#include "suffice/data/rows_of.hpp"
#include "suffice/group/k_means_rows.hpp"
#include "suffice/kernel/scores.hpp"

namespace suffice {
namespace {

constexpr std::size_t unit_rows = MemoryStream::unit_rows, tile_rows = 256;
// A squared distance this small beside the squares it is made from is none.
constexpr double rounding = 4 * std::numeric_limits<double>::epsilon();

struct SpreadScratch {
    std::vector<double> gathered, joint;
};

// The squared distance of every row to the nearest of the centres so far.
class Closest {
public:
    Closest(const LabeledBlock& rows, const std::vector<double>& mean, const Context& context)
        : rows_(rows),
          mean_(mean),
          context_(context),
          columns_(mean.size()),
          square_(rows.size()),
          closest_(rows.size(), infinity) {
        std::iota(columns_.begin(), columns_.end(), 0u);
        visit([&](std::size_t first, const kernel::Rows& part, SpreadScratch&) {
            for (std::size_t row = 0; row < part.row_count; ++row)
                for (std::size_t j = 0; j < mean_.size(); ++j) {
                    const double z = part.row(row)[j] - mean_[j];
                    square_[first + row] += z * z;
                }
        });
    }

    std::size_t unit_count() const { return (rows_.size() + unit_rows - 1) / unit_rows; }

    // What each unit would cost with one of the candidates among the centres, one candidate after the other; with
    // `keep` the candidate joins them.
    std::vector<double> costs(const std::vector<std::size_t>& candidates, bool keep) {
        const std::size_t d = mean_.size(), count = candidates.size();
        std::vector<double> centre, bias, cost(count * unit_count());
        for (const std::size_t row : candidates) {
            for (std::size_t j = 0; j < d; ++j) centre.push_back(value_at(rows_.rows, row, j) - mean_[j]);
            bias.push_back(-square_[row] / 2);
        }
        visit([&](std::size_t first, const kernel::Rows& part, SpreadScratch& scratch) {
            scratch.joint.assign(count * tile_rows, 0.0);
            const kernel::Tile tile{scratch.joint.data(), part.row_count, count, tile_rows};
            kernel::affine_scores(part, mean_.data(), centre.data(), bias.data(), tile);
            for (std::size_t c = 0; c < count; ++c) {
                double sum = 0;
                for (std::size_t row = 0; row < part.row_count; ++row) {
                    const double own = square_[first + row], way = own - 2 * tile.of_class(c)[row];
                    const double square =
                        std::min(closest_[first + row], way > rounding * (own - 2 * bias[c]) ? way : 0.0);
                    sum += rows_.weight_of(first + row) * square;
                    if (keep) closest_[first + row] = square;
                }
                cost[c * unit_count() + first / unit_rows] += sum;
            }
        });
        return cost;
    }

    // The row where the cost, summed row by row, reaches `rest`.
    std::size_t row_at(double rest, const std::vector<double>& cost_of_unit) const {
        std::size_t unit = 0;
        while (unit + 1 < unit_count() && rest > cost_of_unit[unit]) rest -= cost_of_unit[unit++];
        std::size_t row = unit * unit_rows;
        for (const std::size_t last = std::min(row + unit_rows, rows_.size()) - 1; row < last; ++row) {
            rest -= rows_.weight_of(row) * closest_[row];
            if (rest <= 0) break;
        }
        return row;
    }

private:
    // Tiles of a unit are visited in order by one thread.
    template <class Visit>
    void visit(const Visit& visit_tile) {
        const unsigned threads = useful_threads(context_, rows_.size() * mean_.size() * sizeof(double));
        for_each_unit(unit_count(), threads, context_, [&](std::size_t unit, Workspace& workspace) {
            auto& scratch = workspace.of<SpreadScratch>();
            const std::size_t end = std::min((unit + 1) * unit_rows, rows_.size());
            for (std::size_t first = unit * unit_rows; first < end; first += tile_rows) {
                const std::size_t count = std::min(tile_rows, end - first);
                visit_tile(first, rows_of(slice(rows_.rows, first, count), columns_, scratch.gathered), scratch);
            }
        });
    }

    const LabeledBlock& rows_;
    const std::vector<double>& mean_;
    const Context& context_;
    std::vector<std::uint32_t> columns_;
    std::vector<double> square_, closest_;
};

}  // namespace

Result<std::vector<std::size_t>> KMeansRows::spread(std::size_t first, std::size_t count,
                                                    std::span<const double> uniform, const Context& context) const {
    const std::size_t draws = count > 1 ? uniform.size() / (count - 1) : 0;
    if (first >= rows_.size() || count == 0 || (count > 1 && draws == 0))
        return Error(ErrorKind::usage, "k-means++ needs a first row and draws for the others");
    Closest closest(rows_, mean_, context);
    std::vector<std::size_t> chosen{first};
    auto cost = closest.costs(chosen, true);
    while (chosen.size() < count && !context.stopped()) {
        const double total = std::accumulate(cost.begin(), cost.end(), 0.0);
        if (!(total > 0)) break;
        std::vector<std::size_t> candidates;
        for (std::size_t t = 0; t < draws; ++t)
            candidates.push_back(closest.row_at(uniform[(chosen.size() - 1) * draws + t] * total, cost));
        const auto trial = closest.costs(candidates, false);
        std::size_t best = 0;
        double least = infinity;
        for (std::size_t t = 0; t < draws; ++t) {
            const auto from = trial.begin() + static_cast<std::ptrdiff_t>(t * closest.unit_count());
            const double sum = std::accumulate(from, from + static_cast<std::ptrdiff_t>(closest.unit_count()), 0.0);
            if (sum < least) {
                least = sum;
                best = t;
            }
        }
        chosen.push_back(candidates[best]);
        cost = closest.costs({candidates[best]}, true);
    }
    if (context.stopped()) return Error(ErrorKind::cancelled, "the computation was stopped");
    return chosen;
}

}  // namespace suffice
