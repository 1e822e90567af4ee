// Scorers of densities without a form, and their estimation from points.
#include "suffice/estimate/points.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "suffice/data/rows_of.hpp"
#include "suffice/estimate/histogram.hpp"
#include "suffice/estimate/kernel_density.hpp"
#include "suffice/math/sampling.hpp"

namespace suffice {
namespace {

constexpr double smallest = std::numeric_limits<double>::min();
constexpr double missing = std::numeric_limits<double>::quiet_NaN();

struct PointsScratch {
    std::vector<double> gathered;
};

std::vector<double> row_of(const Block& block, std::size_t row, const std::vector<std::uint32_t>& columns) {
    std::vector<double> values;
    for (const std::uint32_t column : columns) values.push_back(value_at(block, row, column));
    return values;
}

Result<void> check_finite(std::span<const double> row, const std::vector<std::uint32_t>& columns) {
    for (std::size_t k = 0; k < row.size(); ++k)
        if (std::isinf(row[k])) return infinite_value(columns[k]);
    return {};
}

// A zero is kept as the smallest normal double, so that log posteriors stay finite.
double kept(double log_density) { return std::isinf(log_density) ? std::log(smallest) : log_density; }

class KernelScorer final : public Scorer {
public:
    KernelScorer(std::vector<std::uint32_t> columns, std::vector<KernelDensity> by_class)
        : columns_(std::move(columns)), by_class_(std::move(by_class)) {}

    void add(const Block& tile, kernel::Tile joint, Exactness, Workspace& workspace) const override {
        const kernel::Rows rows = rows_of(tile, columns_, workspace.of<PointsScratch>().gathered);
        Matrix queries(rows.row_count, columns_.size());
        std::vector<bool> odd(rows.row_count);
        for (std::size_t row = 0; row < rows.row_count; ++row)
            for (std::size_t k = 0; k < columns_.size(); ++k) {
                const double x = rows.row(row)[k];
                odd[row] = odd[row] || !(std::abs(x) < 1e150);
                queries(row, k) = odd[row] ? 0 : x;
            }
        Context alone;
        alone.thread_count = 1;
        for (std::size_t c = 0; c < by_class_.size(); ++c) {
            const auto log_density = by_class_[c].log_density(queries, alone).value();
            for (std::size_t row = 0; row < rows.row_count; ++row)
                joint.of_class(c)[row] += odd[row] ? missing : kept(log_density[row]);
        }
    }

    Result<void> add_row(const Block& block, std::size_t row, std::span<long double> joint) const override {
        const auto values = row_of(block, row, columns_);
        if (auto finite = check_finite(values, columns_); !finite) return finite;
        for (std::size_t c = 0; c < by_class_.size(); ++c) {
            const long double log_density = by_class_[c].log_density_of(values);
            joint[c] += std::isinf(log_density) ? std::log(static_cast<long double>(smallest)) : log_density;
        }
        return {};
    }

    void explain(const Block& block, std::size_t row, Explanation& into) const override {
        const auto values = row_of(block, row, columns_);
        const std::size_t first = into.terms.size();
        for (const std::uint32_t column : columns_)
            into.terms.push_back({column, Explanation::no_level, std::vector<double>(by_class_.size())});
        for (std::size_t c = 0; c < by_class_.size(); ++c) {
            double rest = kept(static_cast<double>(by_class_[c].log_density_of(values)));
            const auto contribution = by_class_[c].explain(values);
            for (std::size_t k = 0; k < columns_.size(); ++k) {
                into.terms[first + k].by_class[c] = contribution[k];
                rest -= contribution[k];
            }
            into.intercept[c] += rest;
        }
    }

    void sample(std::size_t class_code, Rng& rng, SampledRow& into) const override {
        const Matrix drawn = by_class_[class_code].sample(1, rng);
        for (std::size_t k = 0; k < columns_.size(); ++k) into.values[columns_[k]] = drawn(0, k);
    }

    void describe(Description& into) const override {
        for (std::size_t k = 0; k < columns_.size(); ++k) {
            auto& column = into.columns.emplace_back();
            column.column = columns_[k];
            column.family = "kernel";
            for (const KernelDensity& each : by_class_)
                column.by_class.push_back({{{"bandwidth", each.column_bandwidths()[k]}, {"rows", each.weight()}}});
        }
    }

private:
    std::vector<std::uint32_t> columns_;
    std::vector<KernelDensity> by_class_;
};

// Columns one by one: log densities of bins, the same edges for all classes.
struct BinnedColumn {
    std::uint32_t column = 0;
    std::vector<double> edges;
    std::vector<std::vector<double>> log_density;  // by class, by bin
    std::vector<double> log_outside;               // by class
};

class HistogramScorer final : public Scorer {
public:
    HistogramScorer(std::vector<BinnedColumn> columns, std::size_t class_count)
        : columns_(std::move(columns)), class_count_(class_count) {}

    void add(const Block& tile, kernel::Tile joint, Exactness, Workspace&) const override {
        for (const BinnedColumn& each : columns_)
            for (std::size_t row = 0; row < joint.row_count; ++row) {
                const double x = value_at(tile, row, each.column);
                for (std::size_t c = 0; c < class_count_; ++c)
                    joint.of_class(c)[row] += std::isinf(x) ? missing : at(each, c, x);
            }
    }
    Result<void> add_row(const Block& block, std::size_t row, std::span<long double> joint) const override {
        for (const BinnedColumn& each : columns_) {
            const double x = value_at(block, row, each.column);
            if (std::isinf(x)) return infinite_value(each.column);
            for (std::size_t c = 0; c < class_count_; ++c) joint[c] += at(each, c, x);
        }
        return {};
    }
    void explain(const Block& block, std::size_t row, Explanation& into) const override {
        for (const BinnedColumn& each : columns_) {
            auto& term = into.terms.emplace_back(each.column, Explanation::no_level, std::vector<double>(class_count_));
            for (std::size_t c = 0; c < class_count_; ++c)
                term.by_class[c] = at(each, c, value_at(block, row, each.column));
        }
    }
    void sample(std::size_t class_code, Rng& rng, SampledRow& into) const override {
        for (const BinnedColumn& each : columns_) {
            std::vector<double> share;
            for (std::size_t bin = 0; bin + 1 < each.edges.size(); ++bin)
                share.push_back(std::exp(each.log_density[class_code][bin]) * (each.edges[bin + 1] - each.edges[bin]));
            const std::size_t bin = sample_index(share, rng);
            into.values[each.column] = each.edges[bin] + rng.uniform() * (each.edges[bin + 1] - each.edges[bin]);
        }
    }
    void describe(Description& into) const override {
        for (const BinnedColumn& each : columns_) {
            auto& column = into.columns.emplace_back();
            column.column = each.column;
            column.family = "histogram";
            for (std::size_t c = 0; c < class_count_; ++c) {
                std::vector<double> density;
                for (double log_density : each.log_density[c]) density.push_back(std::exp(log_density));
                column.by_class.push_back({{{"edges", each.edges}, {"density", std::move(density)}}});
            }
        }
    }

private:
    // A missing value tells nothing.
    static double at(const BinnedColumn& column, std::size_t c, double x) {
        if (std::isnan(x)) return 0;
        const auto bin = bin_of(column.edges, x);
        return bin < 0 ? column.log_outside[c] : column.log_density[c][static_cast<std::size_t>(bin)];
    }

    std::vector<BinnedColumn> columns_;
    std::size_t class_count_;
};

// p(x | c) = k_c / (n_c V), with V the ball around x that reaches the k-th nearest of all points: with empirical priors
// the posterior is k_c / k. It integrates to no finite number, so a draw is one of the points.
class NearestScorer final : public Scorer {
public:
    NearestScorer(std::vector<std::uint32_t> columns, const std::vector<ClassPoints>& by_class, std::size_t neighbours)
        : columns_(std::move(columns)), class_weight_(by_class.size()), neighbours_(neighbours) {
        for (std::size_t c = 0; c < by_class.size(); ++c)
            for (std::size_t row = 0; row < by_class[c].weight.size(); ++row) {
                const auto point = by_class[c].points.row(row);
                values_.insert(values_.end(), point.begin(), point.end());
                weight_.push_back(by_class[c].weight[row]);
                class_of_.push_back(static_cast<std::uint32_t>(c));
                class_weight_[c] += by_class[c].weight[row];
            }
    }

    void add(const Block& tile, kernel::Tile joint, Exactness, Workspace&) const override {
        for (std::size_t row = 0; row < joint.row_count; ++row) {
            const auto values = row_of(tile, row, columns_);
            if (std::ranges::any_of(values, [](double x) { return std::isinf(x); })) {
                for (std::size_t c = 0; c < class_weight_.size(); ++c) joint.of_class(c)[row] = missing;
                continue;
            }
            const auto log_density = score(values);
            for (std::size_t c = 0; c < log_density.size(); ++c) joint.of_class(c)[row] += log_density[c];
        }
    }
    Result<void> add_row(const Block& block, std::size_t row, std::span<long double> joint) const override {
        const auto values = row_of(block, row, columns_);
        if (auto finite = check_finite(values, columns_); !finite) return finite;
        const auto log_density = score(values);
        for (std::size_t c = 0; c < log_density.size(); ++c) joint[c] += log_density[c];
        return {};
    }
    // The neighbours decide together, so no column has a share of its own.
    void explain(const Block& block, std::size_t row, Explanation& into) const override {
        const auto log_density = score(row_of(block, row, columns_));
        for (std::size_t c = 0; c < log_density.size(); ++c) into.intercept[c] += log_density[c];
    }
    void sample(std::size_t class_code, Rng& rng, SampledRow& into) const override {
        std::vector<double> share = weight_;
        for (std::size_t point = 0; point < share.size(); ++point)
            if (class_of_[point] != class_code) share[point] = 0;
        const std::size_t point = sample_index(share, rng);
        for (std::size_t k = 0; k < columns_.size(); ++k)
            into.values[columns_[k]] = values_[point * columns_.size() + k];
    }
    void describe(Description& into) const override {
        for (const std::uint32_t column : columns_) {
            auto& told = into.columns.emplace_back();
            told.column = column;
            told.family = "nearest";
            for (double weight : class_weight_)
                told.by_class.push_back({{{"neighbours", static_cast<double>(neighbours_)}, {"rows", weight}}});
        }
    }

private:
    // Distances in the columns that are there. Points beyond the k-th at its very distance stay out, those first in
    // the data come first.
    std::vector<double> score(std::span<const double> row) const {
        const std::size_t d = columns_.size();
        std::vector<std::pair<double, std::size_t>> reached(weight_.size());
        double dimension = 0;
        for (double x : row) dimension += std::isnan(x) ? 0 : 1;
        for (std::size_t point = 0; point < weight_.size(); ++point) {
            double square = 0;
            for (std::size_t k = 0; k < d; ++k)
                if (const double way = row[k] - values_[point * d + k]; !std::isnan(way)) square += way * way;
            reached[point] = {square, point};
        }
        const auto last = reached.begin() + static_cast<std::ptrdiff_t>(neighbours_ - 1);
        std::ranges::nth_element(reached, last);
        std::vector<double> near(class_weight_.size());
        for (auto each = reached.begin(); each <= last; ++each) near[class_of_[each->second]] += weight_[each->second];
        const double radius = std::sqrt(std::max(last->first, smallest));
        const double log_volume = dimension * std::log(radius) + log_kernel_volume(KernelShape::tophat, d);
        for (std::size_t c = 0; c < near.size(); ++c)
            near[c] = std::log(std::max(near[c], smallest)) - std::log(std::max(class_weight_[c], smallest)) -
                      (dimension > 0 ? log_volume : 0);
        return near;
    }

    std::vector<std::uint32_t> columns_, class_of_;
    std::vector<double> values_, weight_, class_weight_;
    std::size_t neighbours_;
};

ClassPoints column_of(const ClassPoints& from, std::size_t column) {
    ClassPoints one{Matrix(from.weight.size(), 1), from.weight};
    for (std::size_t row = 0; row < from.weight.size(); ++row) one.points(row, 0) = from.points(row, column);
    return one;
}

ClassPoints all_of(const std::vector<ClassPoints>& by_class, std::size_t width) {
    ClassPoints all{Matrix(0, width), {}};
    for (const ClassPoints& each : by_class) {
        all.points.values.insert(all.points.values.end(), each.points.values.begin(), each.points.values.end());
        all.weight.insert(all.weight.end(), each.weight.begin(), each.weight.end());
    }
    all.points.row_count = all.weight.size();
    return all;
}

// A class with too few rows, or a constant column, has no spread of its own to measure the bandwidth by: it takes
// that of all rows, and where that fails too, one unit.
Result<KernelDensity> class_density(const ClassPoints& own, const ClassPoints& all, const DensitySettings& settings,
                                    const std::string& of_class, std::vector<std::string>& notes) {
    auto made = KernelDensity::from(own.points, own.weight, settings);
    if (made || made.error().kind == ErrorKind::usage || settings.scale == BandwidthScale::unit) return made;
    DensitySettings given = settings;
    given.rule = BandwidthRule::given;
    given.scale = BandwidthScale::unit;
    given.bandwidth = 1;
    if (const auto whole = KernelDensity::from(all.points, all.weight, settings)) {
        double log_sum = 0;  // one bandwidth for all columns: the geometric mean
        for (double width : whole->column_bandwidths()) log_sum += std::log(width);
        given.bandwidth = std::exp(log_sum / static_cast<double>(all.points.column_count));
    }
    notes.push_back("class " + of_class +
                    " has no spread of its own in some column, so its bandwidth is that of all rows");
    return KernelDensity::from(own.points, own.weight, given);
}

Result<void> add_kernels(const std::vector<ClassPoints>& by_class, std::vector<std::uint32_t> columns,
                         const std::vector<std::string>& classes, const PointsSettings& settings, Estimated& into) {
    const DensitySettings density{settings.kernel, settings.rule, settings.bandwidth, settings.scale};
    const ClassPoints all = all_of(by_class, columns.size());
    std::vector<KernelDensity> made;
    for (std::size_t c = 0; c < by_class.size(); ++c) {
        // A class without points: the columns shall tell nothing about it.
        const ClassPoints& own = by_class[c].weight.empty() ? all : by_class[c];
        auto one = class_density(own, all, density, classes[c], into.notes);
        if (!one) return one.error();
        into.log_likelihood += by_class[c].weight.size() > 1 ? one->weight() * one->leave_one_out() : 0;
        into.parameter_count += 1;
        made.push_back(std::move(*one));
    }
    into.scorers.push_back(std::make_unique<KernelScorer>(std::move(columns), std::move(made)));
    return {};
}

BinnedColumn bin_column(const std::vector<ClassPoints>& by_class, std::uint32_t column, const Settings& settings,
                        Estimated& into) {
    const ClassPoints all = all_of(by_class, 1);
    const bool smoothed = settings.estimate == Estimate::map || settings.estimate == Estimate::predictive;
    const double pseudo = smoothed ? settings.smoothing : 0;
    BinnedColumn made{column, histogram_edges(all.points.values, all.weight, settings.points.bins), {}, {}};
    const std::size_t bins = made.edges.size() - 1;
    const auto fill = [&](const ClassPoints& points) {
        std::vector<double> count(bins);
        for (std::size_t row = 0; row < points.weight.size(); ++row)
            count[static_cast<std::size_t>(bin_of(made.edges, points.points(row, 0)))] += points.weight[row];
        return count;
    };
    for (const ClassPoints& each : by_class) {
        const auto count = fill(each.weight.empty() ? all : each);
        const double total = std::accumulate(count.begin(), count.end(), 0.0) + pseudo * static_cast<double>(bins);
        auto& log_density = made.log_density.emplace_back();
        for (std::size_t bin = 0; bin < bins; ++bin) {
            const double width = made.edges[bin + 1] - made.edges[bin];
            log_density.push_back(std::log(std::max((count[bin] + pseudo) / (total * width), smallest)));
            if (!each.weight.empty() && count[bin] > 0) into.log_likelihood += count[bin] * log_density.back();
        }
        const double width = made.edges[1] - made.edges[0];
        made.log_outside.push_back(std::log(std::max(pseudo / (total * width), smallest)));
        into.parameter_count += bins - 1;
    }
    return made;
}

}  // namespace

Result<Estimated> estimate_points(const std::vector<ClassPoints>& by_class, const std::vector<std::uint32_t>& columns,
                                  const std::vector<std::string>& classes, const Settings& settings) {
    Estimated done;
    const PointsSettings& points = settings.points;
    const std::size_t row_count = std::accumulate(by_class.begin(), by_class.end(), std::size_t{0},
                                                  [](std::size_t sum, const auto& c) { return sum + c.weight.size(); });
    if (row_count == 0) return done;
    if (points.form == PointsForm::nearest) {
        const auto root = static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(row_count))));
        const std::size_t wanted = points.neighbours == 0 ? root : points.neighbours;
        if (wanted > row_count)
            return Error(ErrorKind::usage, std::to_string(wanted) + " neighbours were asked for, but there are only " +
                                               std::to_string(row_count) + " rows");
        done.scorers.push_back(std::make_unique<NearestScorer>(columns, by_class, wanted));
        done.parameter_count = 1;
        return done;
    }
    if (points.form == PointsForm::kernel && !points.by_column) {
        if (auto added = add_kernels(by_class, columns, classes, points, done); !added) return added.error();
        return done;
    }
    std::vector<BinnedColumn> binned;
    for (std::size_t k = 0; k < columns.size(); ++k) {
        std::vector<ClassPoints> one;
        for (const ClassPoints& each : by_class) one.push_back(column_of(each, k));
        if (points.form == PointsForm::histogram) {
            binned.push_back(bin_column(one, columns[k], settings, done));
        } else if (auto added = add_kernels(one, {columns[k]}, classes, points, done); !added) {
            return added.error();
        }
    }
    if (!binned.empty()) done.scorers.push_back(std::make_unique<HistogramScorer>(std::move(binned), by_class.size()));
    return done;
}

}  // namespace suffice
