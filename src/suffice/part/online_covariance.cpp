// Full covariances one row at a time: the Cholesky factor of each group's scatter follows its rows by rank-one updates.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "suffice/estimate/variance_rule.hpp"
#include "suffice/math/cholesky.hpp"
#include "suffice/part/covariance_part.hpp"
#include "suffice/part/online.hpp"

namespace suffice {
namespace {

// A pivot below this share of its column's scatter means that the other columns determine the column.
constexpr double collinear = 1e-11;

class OnlineCovariance final : public OnlinePart {
public:
    OnlineCovariance(Part part, const Settings& settings, const Schema& schema, std::vector<std::uint32_t> group)
        : part_(std::move(part)),
          seen_(part_.as<CovariancePart>()->complete),
          floor_share_(settings.added_variance_share),
          unbiased_(settings.estimate == Estimate::unbiased),
          group_(std::move(group)),
          d_(seen_.dimension),
          groups_(1 + *std::ranges::max_element(group_)),
          way_(d_) {
        for (auto column : part_.columns()) names_.push_back(schema.columns[column].name);
        for (std::size_t c = 0; c < group_.size(); ++c) {
            ++groups_[group_[c]].class_count;
            groups_[group_[c]].weight += seen_.class_weight[c];
        }
        for (std::size_t g = 0; g < groups_.size(); ++g)
            if (groups_[g].weight > 2 * static_cast<double>(d_)) factorize_group(g);
    }

    Result<void> check(std::span<const double> row, std::size_t, double) override { return complete(row); }
    void learn(std::span<const double> row, std::size_t of_class, double weight) override {
        Group& group = groups_[group_[of_class]];
        double* mean = seen_.mean.data() + of_class * d_;
        double* scatter = seen_.scatter.data() + (seen_.pooled ? 0 : of_class * d_ * d_);
        const double before = seen_.class_weight[of_class], sum = before + weight;
        const double spread = before * weight / sum, share = weight / sum;
        for (std::size_t i = 0; i < d_; ++i) way_[i] = row[part_.columns()[i]] - mean[i];
        for (std::size_t i = 0; i < d_; ++i) {
            const double pull = spread * way_[i];
            for (std::size_t j = 0; j < d_; ++j) scatter[i * d_ + j] += pull * way_[j];
            mean[i] += share * way_[i];
        }
        seen_.class_weight[of_class] = sum;
        group.weight += weight;
        ++group.rows;
        if (!group.factor.empty()) {
            for (double& step : way_) step *= std::sqrt(spread);
            update_factor(group.factor, way_);
            group.log_determinant = log_determinant(group.factor, d_);
        } else if (group.rows >= 2 * d_) {
            factorize_group(group_[of_class]);
        }
    }
    Result<void> add(std::span<const double> row, double unit, std::span<double> joint) override {
        if (auto checked = complete(row); !checked) return checked;
        const double d = static_cast<double>(d_);
        for (std::size_t c = 0; c < joint.size(); ++c) {
            Group& group = groups_[group_[c]];
            const double divisor = group.weight - (unbiased_ ? unit * group.class_count : 0);
            if (!(seen_.class_weight[c] > 0)) continue;
            for (std::size_t i = 0; i < d_; ++i) way_[i] = row[part_.columns()[i]] - seen_.mean[c * d_ + i];
            double twice = d * std::log(2 * std::numbers::pi);
            if (group.factor.empty() || !(divisor > 0)) {
                twice += independent(group_[c]);
            } else {
                solve_lower(group.factor, way_);
                double squared = 0;
                for (double z : way_) squared += z * z;
                twice += group.log_determinant - d * std::log(divisor) + squared * divisor;
            }
            joint[c] -= 0.5 * twice;
        }
        return {};
    }
    void scale(double factor) override {
        part_.scale(factor);
        for (std::size_t g = 0; g < groups_.size(); ++g) {
            Group& group = groups_[g];
            group.weight *= factor;
            if (group.factor.empty()) continue;
            for (double& s : group.factor) s *= std::sqrt(factor);
            group.log_determinant = log_determinant(group.factor, d_);
            if (!sound(group.factor)) factorize_group(g);  // what held a pivot up has been forgotten
        }
    }
    const Part& part() const override { return part_; }

private:
    struct Group {
        double weight = 0, class_count = 0;
        std::size_t rows = 0;        // learned one by one
        std::vector<double> factor;  // of the scatter; empty: not yet
        double log_determinant = 0;
    };

    Result<void> complete(std::span<const double> row) const {
        for (std::size_t i = 0; i < d_; ++i)
            if (std::isnan(row[part_.columns()[i]]))
                return Error("a missing value among columns with a covariance cannot be taken row by row")
                    .in_column(names_[i]);
        return {};
    }
    // Each pivot against its row's length, which is the column's scatter.
    bool sound(std::span<const double> factor) const {
        for (std::size_t i = 0; i < d_; ++i) {
            double scatter = 0;
            for (std::size_t j = 0; j <= i; ++j) scatter += factor[i * d_ + j] * factor[i * d_ + j];
            const double pivot = factor[i * (d_ + 1)];
            if (!(pivot * pivot > collinear * scatter)) return false;
        }
        return true;
    }
    void factorize_group(std::size_t g) {
        std::vector<double> scatter(d_ * d_);
        for (std::size_t c = 0; c < group_.size(); ++c) {
            if (group_[c] != g || (seen_.pooled && c > 0)) continue;
            std::ranges::transform(scatter, seen_.scatter_of(c), scatter.begin(), std::plus{});
        }
        std::vector<double> factor = scatter;
        const auto floor = floors();
        double times = groups_[g].weight;
        for (int tries = 0; !factorize(factor, d_) || !sound(factor); ++tries, times *= 10) {
            if (tries == 300) return;
            factor = scatter;
            for (std::size_t i = 0; i < d_; ++i) factor[i * (d_ + 1)] += times * floor[i];
        }
        groups_[g].factor = std::move(factor);
        groups_[g].log_determinant = log_determinant(groups_[g].factor, d_);
    }
    // As the batch estimate has them.
    std::vector<double> floors() const {
        std::vector<double> floor(d_);
        double largest = 0;
        for (std::size_t i = 0; i < d_; ++i) {
            Gaussian::Statistic whole;
            for (std::size_t c = 0; c < group_.size(); ++c)
                whole.merge({seen_.class_weight[c], seen_.mean[c * d_ + i],
                             !seen_.pooled || c == 0 ? seen_.scatter_of(c)[i * (d_ + 1)] : 0});
            floor[i] = std::max(least_variance_share * overall_variance(whole), 0x1p-900);
            largest = std::max(largest, Gaussian{}.spread(whole));
        }
        if (floor_share_ > 0) std::ranges::fill(floor, std::max(floor_share_ * largest, 0x1p-900));
        return floor;
    }
    // log|S| + distance of way_ under the variances alone.
    double independent(std::size_t g) const {
        const auto floor = floors();
        double sum = 0;
        for (std::size_t i = 0; i < d_; ++i) {
            double scatter = 0;
            for (std::size_t c = 0; c < group_.size(); ++c)
                if (group_[c] == g && (!seen_.pooled || c == 0)) scatter += seen_.scatter_of(c)[i * (d_ + 1)];
            const double variance = scatter / groups_[g].weight + floor[i];
            sum += std::log(variance) + way_[i] * way_[i] / variance;
        }
        return sum;
    }

    Part part_;
    ClassScatterStatistic& seen_;  // inside part_
    double floor_share_;
    bool unbiased_;
    std::vector<std::uint32_t> group_;
    std::size_t d_;
    std::vector<Group> groups_;
    std::vector<double> way_;
    std::vector<std::string> names_;
};

}  // namespace

std::unique_ptr<OnlinePart> make_online_covariance(Part part, const Settings& settings, const Schema& schema) {
    auto group = group_of_class(settings, schema.classes).value();
    return std::make_unique<OnlineCovariance>(std::move(part), settings, schema, std::move(group));
}

}  // namespace suffice
