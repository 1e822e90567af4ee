// Scores rows by the points nearest to them.
#include "suffice/estimate/nearest_points.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "suffice/data/rows_of.hpp"
#include "suffice/density/kernel_density.hpp"
#include "suffice/family/gaussian.hpp"
#include "suffice/math/sampling.hpp"

namespace suffice {
namespace {

constexpr double smallest_distance = std::numeric_limits<double>::min();
constexpr double unknown_score = std::numeric_limits<double>::quiet_NaN();

// p(x | c) = k_c / (n_c V), with V the ball around x that reaches the k-th nearest of all points: with empirical priors
// the posterior is k_c / k. It integrates to no finite number, so a draw is one of the points.
class NearestScorer final : public Scorer {
public:
    NearestScorer(std::vector<std::uint32_t> columns, const std::vector<ClassPoints>& by_class, double neighbours,
                  std::vector<double> scale)
        : columns_(std::move(columns)),
          class_weight_(by_class.size()),
          scale_(std::move(scale)),
          neighbours_(neighbours) {
        for (double each : scale_) log_scale_ += std::log(each);
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
                for (std::size_t c = 0; c < class_weight_.size(); ++c) joint.of_class(c)[row] = unknown_score;
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
                told.by_class.push_back({{{"neighbours", neighbours_}, {"rows", weight}}});
        }
    }

    Result<void> express(ScoreExpression&) const override {
        return Error(ErrorKind::usage, "nearest rows need all the rows and have no formula to export");
    }

private:
    // Distances in the columns that are there, each in units of its scale. Neighbours are counted as often as they were
    // seen; points beyond the k-th at its very distance stay out, those first in the data come first.
    std::vector<double> score(std::span<const double> row) const {
        const std::size_t d = columns_.size();
        std::vector<std::pair<double, std::size_t>> reached(weight_.size());
        double dimension = 0, log_scale = log_scale_;
        for (std::size_t k = 0; k < d; ++k) {
            dimension += std::isnan(row[k]) ? 0 : 1;
            log_scale -= std::isnan(row[k]) ? std::log(scale_[k]) : 0;
        }
        for (std::size_t point = 0; point < weight_.size(); ++point) {
            double square = 0;
            for (std::size_t k = 0; k < d; ++k)
                if (const double way = (row[k] - values_[point * d + k]) / scale_[k]; !std::isnan(way))
                    square += way * way;
            reached[point] = {square, point};
        }
        std::vector<double> near(class_weight_.size());
        const double reach = nearest_weights(reached, near);
        const double radius = std::sqrt(std::max(reach, smallest_distance));
        const double log_volume = dimension * std::log(radius) + log_scale + log_kernel_volume(KernelShape::tophat, d);
        for (std::size_t c = 0; c < near.size(); ++c)
            near[c] = std::log(std::max(near[c], smallest_distance)) -
                      std::log(std::max(class_weight_[c], smallest_distance)) - (dimension > 0 ? log_volume : 0);
        return near;
    }

    // Adds up the nearest points until there are enough; of the last one no more than is missing. The square of how far
    // they reach. As many points as neighbours do where none counts less than one.
    double nearest_weights(std::vector<std::pair<double, std::size_t>>& reached, std::vector<double>& near) const {
        const auto all =
            static_cast<double>(reached.size());  // weights may ask for more neighbours than can be counted
        const auto enough = static_cast<std::ptrdiff_t>(neighbours_ < all ? std::ceil(neighbours_) : all);
        auto end = reached.begin();
        double left = neighbours_, reach = 0;
        while (left > 0 && end != reached.end()) {
            const auto first = end;
            end = reached.end() - first > enough ? first + enough : reached.end();
            if (end != reached.end()) std::nth_element(first, end - 1, reached.end());
            std::sort(first, end);
            for (auto each = first; each != end && left > 0; ++each) {
                const double taken = std::min(weight_[each->second], left);
                near[class_of_[each->second]] += taken;
                left -= taken;
                if (taken > 0) reach = each->first;
            }
        }
        return reach;
    }

    std::vector<std::uint32_t> columns_, class_of_;
    std::vector<double> values_, weight_, class_weight_, scale_;
    double neighbours_, log_scale_ = 0;
};

// The standard deviation of each column within classes, pooled; one where columns are taken as they are.
std::vector<double> column_scales(const std::vector<ClassPoints>& by_class, std::size_t width, Units units) {
    std::vector<double> scale(width, 1.0);
    for (std::size_t k = 0; units == Units::standardized && k < width; ++k) {
        double scatter = 0, weight = 0;
        for (const ClassPoints& each : by_class) {
            Gaussian::Statistic own;
            for (std::size_t row = 0; row < each.weight.size(); ++row)
                own.merge({each.weight[row], each.points(row, k), 0});
            scatter += own.scatter;
            weight += own.total_weight;
        }
        if (scatter > 0) scale[k] = std::sqrt(scatter / weight);
    }
    return scale;
}

}  // namespace

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

std::unique_ptr<Scorer> nearest_scorer(std::vector<std::uint32_t> columns, const std::vector<ClassPoints>& by_class,
                                       double neighbours, Units units) {
    auto scale = column_scales(by_class, columns.size(), units);
    return std::make_unique<NearestScorer>(std::move(columns), by_class, neighbours, std::move(scale));
}

}  // namespace suffice
