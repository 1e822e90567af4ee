// Scorers of densities without a form, and their estimation from points.
#include "suffice/estimate/points.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "suffice/data/rows_of.hpp"
#include "suffice/density/histogram.hpp"
#include "suffice/density/kernel_density.hpp"
#include "suffice/estimate/nearest_points.hpp"
#include "suffice/family/gaussian.hpp"
#include "suffice/math/sampling.hpp"
#include "suffice/score/expression.hpp"

namespace suffice {
namespace {

constexpr double smallest = std::numeric_limits<double>::min();
constexpr double missing = std::numeric_limits<double>::quiet_NaN();

struct PointsScratch {
    std::vector<double> gathered;
};

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

    Result<void> express(ScoreExpression&) const override {
        return Error(ErrorKind::usage, "a kernel density keeps all its rows and has no formula to export");
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

    // A bin holds its lower edge, the last one its upper edge too.
    Result<void> express(ScoreExpression& into) const override {
        for (const BinnedColumn& each : columns_) {
            PieceTerm term{.column = each.column, .edges = each.edges};
            term.edges.back() = std::nextafter(term.edges.back(), std::numeric_limits<double>::infinity());
            const auto constant = [&](auto value) {
                auto& coefficient = term.pieces.emplace_back().coefficient.emplace_back();
                for (std::size_t c = 0; c < class_count_; ++c) coefficient.push_back(value(c));
            };
            constant([&](std::size_t c) { return each.log_outside[c]; });
            for (std::size_t bin = 0; bin + 1 < each.edges.size(); ++bin)
                constant([&](std::size_t c) { return each.log_density[c][bin]; });
            constant([&](std::size_t c) { return each.log_outside[c]; });
            into.pieces.push_back(std::move(term));
        }
        return {};
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

// By how much each column varies within classes, pooled; where it never does, over all rows; a column that never varies
// tells nothing at any width.
std::vector<double> spread_within(const std::vector<ClassPoints>& by_class, std::size_t width) {
    std::vector<double> spread(width);
    for (std::size_t k = 0; k < width; ++k) {
        Gaussian::Statistic within, whole;
        for (const ClassPoints& each : by_class) {
            Gaussian::Statistic own;
            for (std::size_t row = 0; row < each.weight.size(); ++row)
                own.merge({each.weight[row], each.points(row, k), 0});
            whole.merge(own);
            within.merge({own.weight(), 0, own.scatter});
        }
        const double scatter = within.scatter > 0 ? within.scatter : whole.scatter;
        spread[k] = scatter > 0 ? std::sqrt(scatter / whole.weight()) : 1;
    }
    return spread;
}

// A class of one row, or one whose columns are constant or depend on each other, has no spread of its own to measure
// the bandwidth by: then each column takes its own, or `spread` where it has none.
Result<KernelDensity> class_density(const ClassPoints& own, const DensitySettings& settings,
                                    const std::vector<double>& spread, const std::string& of_class,
                                    std::vector<Note>& notes) {
    auto made = KernelDensity::from(own.points, own.weight, settings);
    if (made || made.error().kind == ErrorKind::usage || settings.scale == BandwidthScale::unit) return made;
    DensitySettings given = settings;
    if (given.rule == BandwidthRule::sheather_jones) given.rule = BandwidthRule::scott;  // it needs different values
    notes.push_back("class " + of_class +
                    " has no spread of its own in some column, so the bandwidth there is in proportion to that within "
                    "all classes");
    return KernelDensity::from(own.points, own.weight, given, {}, spread);
}

Result<void> add_kernels(const std::vector<ClassPoints>& by_class, std::vector<std::uint32_t> columns,
                         const std::vector<std::string>& classes, const PointsSettings& settings, Estimated& into) {
    const DensitySettings density{settings.kernel, settings.bandwidth.rule, settings.bandwidth.width,
                                  settings.bandwidth.scale};
    const ClassPoints all = all_of(by_class, columns.size());
    const std::vector<double> spread = spread_within(by_class, columns.size());
    std::vector<KernelDensity> made;
    for (std::size_t c = 0; c < by_class.size(); ++c) {
        // A class without points: the columns shall tell nothing about it.
        const ClassPoints& own = by_class[c].weight.empty() ? all : by_class[c];
        auto one = class_density(own, density, spread, classes[c], into.notes);
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
    BinnedColumn made{column, histogram_edges(all.points.values, all.weight, settings.points.bins.count), {}, {}};
    const std::size_t bins = made.edges.size() - 1;
    const auto fill = [&](const ClassPoints& points) {
        std::vector<double> count(bins);
        for (std::size_t row = 0; row < points.weight.size(); ++row)
            if (const auto bin = bin_of(made.edges, points.points(row, 0)); bin >= 0)
                count[static_cast<std::size_t>(bin)] += points.weight[row];
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
        double rows = 0;
        for (const ClassPoints& each : by_class) rows += std::accumulate(each.weight.begin(), each.weight.end(), 0.0);
        const double wanted = points.neighbors == 0 ? std::round(std::sqrt(rows)) : points.neighbors;
        if (wanted > rows * (1 + 1e-9))
            return Error(ErrorKind::usage, number_spelled(wanted) + " neighbours were asked for, but there are only " +
                                               number_spelled(rows) + " rows");
        done.scorers.push_back(nearest_scorer(columns, by_class, wanted, settings.units));
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
