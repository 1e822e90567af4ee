// Assigns rows to centres and moves each centre to the middle of its rows, until no row changes.
#include "suffice/group/centre_clusters.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "suffice/accumulate/for_each_unit.hpp"
#include "suffice/base/limits.hpp"
#include "suffice/group/group_step.hpp"
#include "suffice/group/k_means.hpp"
#include "suffice/group/step_limit_note.hpp"

namespace suffice {
namespace {

constexpr std::size_t drawn_unit_rows = 1024;

// Between rows that, for cosine, have the length one.
double distance_of(ClusterDistance kind, std::span<const double> a, std::span<const double> b) {
    double sum = 0;
    for (std::size_t j = 0; j < a.size(); ++j) {
        const double z = a[j] - b[j];
        switch (kind) {
            case ClusterDistance::cosine:
            case ClusterDistance::euclidean:
                sum += z * z;
                break;
            case ClusterDistance::manhattan:
                sum += std::abs(z);
                break;
            case ClusterDistance::chebyshev:
                sum = std::max(sum, std::abs(z));
                break;
        }
    }
    if (kind == ClusterDistance::euclidean) return std::sqrt(sum);
    return kind == ClusterDistance::cosine ? sum / 2 : sum;  // 1 - cos
}

Result<Matrix> directions(Matrix rows) {
    for (std::size_t row = 0; row < rows.row_count; ++row) {
        double square = 0;
        for (const double v : rows.row(row)) square += v * v;
        if (!(square > 0)) return Error("a row of zeros has no direction").at_row(row + 1);
        for (double& v : rows.row(row)) v /= std::sqrt(square);
    }
    return rows;
}

// Of all rows: the nearest centre and the distance to it.
void assign(const Matrix& rows, const Matrix& centres, ClusterDistance kind, const Context& context,
            std::vector<std::int32_t>& nearest, std::vector<double>& distance) {
    nearest.resize(rows.row_count);
    distance.resize(rows.row_count);
    for_each_unit((rows.row_count + drawn_unit_rows - 1) / drawn_unit_rows, context.thread_count, context,
                  [&](std::size_t unit, Workspace&) {
                      const std::size_t end = std::min((unit + 1) * drawn_unit_rows, rows.row_count);
                      for (std::size_t row = unit * drawn_unit_rows; row < end; ++row) {
                          distance[row] = infinity;
                          for (std::size_t c = 0; c < centres.row_count; ++c) {
                              const double way = distance_of(kind, rows.row(row), centres.row(c));
                              if (!(way < distance[row])) continue;
                              distance[row] = way;
                              nearest[row] = static_cast<std::int32_t>(c);
                          }
                      }
                  });
}

class Middles {
public:
    Middles(const Matrix& rows, std::span<const double> weight, ClusterDistance kind)
        : rows_(rows), weight_(weight), kind_(kind) {}

    double weight_of(std::size_t row) const { return weight_.empty() ? 1.0 : weight_[row]; }

    // Of the rows `members`, into `centre`, which stays where nothing weighs.
    void write(const std::vector<std::size_t>& members, std::span<double> centre) const {
        if (kind_ == ClusterDistance::cosine) return write_direction(members, centre);
        if (kind_ == ClusterDistance::manhattan) return write_medians(members, centre);
        write_medoid(members, centre);
    }

private:
    void write_direction(const std::vector<std::size_t>& members, std::span<double> centre) const {
        std::vector<double> sum(centre.size());
        for (const std::size_t row : members)
            for (std::size_t j = 0; j < sum.size(); ++j) sum[j] += weight_of(row) * rows_(row, j);
        double square = 0;
        for (const double v : sum) square += v * v;
        if (!(square > 0)) return;  // directions that cancel: any centre costs the same
        for (std::size_t j = 0; j < sum.size(); ++j) centre[j] = sum[j] / std::sqrt(square);
    }
    void write_medians(const std::vector<std::size_t>& members, std::span<double> centre) const {
        std::vector<std::size_t> order(members);
        double total = 0;
        for (const std::size_t row : members) total += weight_of(row);
        for (std::size_t j = 0; j < centre.size(); ++j) {
            std::ranges::sort(order, {}, [&](std::size_t row) { return rows_(row, j); });
            double below = 0;
            for (std::size_t at = 0; at < order.size(); ++at) {
                below += weight_of(order[at]);
                if (2 * below < total) continue;
                const bool between = 2 * below == total && at + 1 < order.size();
                centre[j] = between ? (rows_(order[at], j) + rows_(order[at + 1], j)) / 2 : rows_(order[at], j);
                break;
            }
        }
    }
    void write_medoid(const std::vector<std::size_t>& members, std::span<double> centre) const {
        const auto cost_at = [&](std::span<const double> at) {
            double cost = 0;
            for (const std::size_t row : members) cost += weight_of(row) * distance_of(kind_, rows_.row(row), at);
            return cost;
        };
        double least = cost_at(centre);
        std::optional<std::size_t> best;
        for (const std::size_t row : members)
            if (const double cost = cost_at(rows_.row(row)); cost < least) {
                least = cost;
                best = row;
            }
        if (best) std::ranges::copy(rows_.row(*best), centre.begin());
    }

    const Matrix& rows_;
    std::span<const double> weight_;
    ClusterDistance kind_;
};

Result<CentreClusters> run(const Matrix& rows, const Middles& middles, Matrix centres,
                           const CentreClusterSettings& settings, const Context& context) {
    CentreClusters done;
    done.distance = settings.distance;
    std::vector<std::int32_t> nearest;
    std::vector<double> distance;
    const auto cost_now = [&] {
        double cost = 0;
        for (std::size_t row = 0; row < rows.row_count; ++row) cost += middles.weight_of(row) * distance[row];
        return cost;
    };
    const auto follow = [&] {
        if (!settings.follow) return;
        std::vector<double> weight(centres.row_count);
        for (std::size_t row = 0; row < rows.row_count; ++row)
            weight[static_cast<std::size_t>(nearest[row])] += middles.weight_of(row);
        done.followed.push_back(with_weight(centres, weight));
    };
    for (; done.steps < settings.step_limit && !done.settled; ++done.steps) {
        assign(rows, centres, settings.distance, context, nearest, distance);
        if (context.stopped()) return Error(ErrorKind::cancelled, "the computation was stopped");
        done.path.push_back(cost_now());
        follow();
        if (done.steps > 0 && done.path[done.steps] > done.path[done.steps - 1] * (1 + 1e-12) + 1e-300)
            return Error(ErrorKind::internal, "the sum of distances rose in a step");
        done.settled = nearest == done.nearest;
        done.nearest = nearest;
        std::vector<std::vector<std::size_t>> members(centres.row_count);
        for (std::size_t row = 0; row < rows.row_count; ++row)
            if (middles.weight_of(row) > 0) members[static_cast<std::size_t>(nearest[row])].push_back(row);
        for (std::size_t c = 0; c < centres.row_count; ++c) {
            if (!members[c].empty()) {
                middles.write(members[c], centres.row(c));
                continue;
            }
            const auto far = static_cast<std::size_t>(std::ranges::max_element(distance) - distance.begin());
            if (!(distance[far] > 0)) continue;
            std::ranges::copy(rows.row(far), centres.row(c).begin());
            distance[far] = 0;
            done.settled = false;
        }
    }
    assign(rows, centres, settings.distance, context, nearest, distance);
    done.cost = cost_now();
    follow();
    done.nearest = std::move(nearest);
    done.centres = std::move(centres);
    if (!done.settled)
        done.notes.push_back(step_limit_note("clustering", settings.step_limit, "the sum of distances still fell",
                                             done.path.back() - done.cost));
    return done;
}

// The heaviest first, as groups are numbered everywhere.
void number_by_weight(CentreClusters& found, std::span<const double> weight) {
    std::vector<double> of_centre(found.centres.row_count);
    for (std::size_t row = 0; row < found.nearest.size(); ++row)
        of_centre[static_cast<std::size_t>(found.nearest[row])] += weight[row];
    const auto order = heaviest_first(of_centre);
    const auto moved = [&](const Matrix& before) {
        Matrix after(before.row_count, before.column_count);
        for (std::size_t k = 0; k < order.size(); ++k) std::ranges::copy(before.row(order[k]), after.row(k).begin());
        return after;
    };
    found.centres = moved(found.centres);
    for (Matrix& each : found.followed) each = moved(each);
    std::vector<std::int32_t> number(order.size());
    for (std::size_t k = 0; k < order.size(); ++k) number[order[k]] = static_cast<std::int32_t>(k);
    for (std::int32_t& each : found.nearest) each = number[static_cast<std::size_t>(each)];
}

}  // namespace

Result<CentreClusters> fit_centre_clusters(const Matrix& rows, std::span<const double> weight,
                                           const CentreClusterSettings& settings, const Context& context) {
    const auto usage = [](const char* sentence) { return Error(ErrorKind::usage, sentence); };
    if (settings.centre_count == 0) return usage("the number of centres must be at least 1");
    if (settings.starts == 0) return usage("the number of starts must be at least 1");
    if (settings.step_limit == 0) return usage("the limit of steps must be at least 1");
    if (!weight.empty() && weight.size() != rows.row_count) return usage("there must be a weight for each row");
    for (std::size_t row = 0; row < rows.row_count; ++row) {
        if (!weight.empty() && !(weight[row] >= 0 && std::isfinite(weight[row])))
            return Error("a weight must be zero or a positive number").at_row(row + 1);
        for (const double v : rows.row(row))
            if (!std::isfinite(v))
                return Error("clustering needs finite numbers without missing values").at_row(row + 1);
    }
    if (rows.row_count < settings.centre_count)
        return Error("there are " + std::to_string(rows.row_count) + " rows, too few for " +
                     std::to_string(settings.centre_count) + " centres");
    auto points = settings.distance == ClusterDistance::cosine ? directions(rows) : Result<Matrix>(rows);
    if (!points) return points.error();
    std::vector<double> weights(weight.begin(), weight.end());
    if (weights.empty()) weights.assign(rows.row_count, 1.0);
    const Middles middles(*points, weight, settings.distance);
    std::optional<CentreClusters> best;
    for (std::size_t start = 0; start < settings.starts; ++start) {
        Rng rng = Rng(context.seed, "centre_clusters").fork(start);
        const auto chosen = spread_rows(*points, weights, settings.centre_count, rng);
        if (chosen.size() < settings.centre_count)
            return Error("there are only " + std::to_string(chosen.size()) + " distinct rows, too few for " +
                         std::to_string(settings.centre_count) + " centres");
        Matrix centres(chosen.size(), rows.column_count);
        for (std::size_t c = 0; c < chosen.size(); ++c)
            std::ranges::copy(points->row(chosen[c]), centres.row(c).begin());
        auto tried = run(*points, middles, std::move(centres), settings, context);
        if (!tried) return tried.error();
        if (!best || tried->cost < best->cost) best = std::move(*tried);
    }
    number_by_weight(*best, weights);
    return std::move(*best);
}

Result<std::vector<std::int32_t>> CentreClusters::predict(const Matrix& rows, const Context& context) const {
    if (rows.column_count != centres.column_count)
        return Error(ErrorKind::usage, "the rows and the centres differ in columns");
    auto points = distance == ClusterDistance::cosine ? directions(rows) : Result<Matrix>(rows);
    if (!points) return points.error();
    std::vector<std::int32_t> found;
    std::vector<double> way;
    assign(*points, centres, distance, context, found, way);
    return found;
}

}  // namespace suffice
