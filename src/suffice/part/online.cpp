// Gaussian columns one row at a time, and any other Part by estimating it again.
#include "suffice/part/online.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "suffice/estimate/covariance_structure.hpp"
#include "suffice/estimate/variance_rule.hpp"
#include "suffice/family/gaussian.hpp"
#include "suffice/part/covariance_part.hpp"
#include "suffice/part/family_part.hpp"

namespace suffice {
namespace {

// Variances of their own for each class and column.
class OnlineGaussians final : public OnlinePart {
public:
    OnlineGaussians(Part part, const Settings& settings)
        : part_(std::move(part)), seen_(*part_.as<FamilyPart<Gaussian>>()), settings_(settings) {
        for (std::size_t k = 0; k < seen_.columns.size(); ++k) whole_.push_back(seen_.whole(k));
    }
    Result<void> check(std::span<const double>, std::size_t, double) override { return {}; }
    void learn(std::span<const double> row, std::size_t of_class, double weight) override {
        auto& by_column = seen_.by_class[of_class];
        for (std::size_t k = 0; k < by_column.size(); ++k) {
            const double x = row[seen_.columns[k]];
            if (std::isnan(x)) continue;
            by_column[k].merge({weight, x, 0.0});
            whole_[k].merge({weight, x, 0.0});
        }
    }
    Result<void> add(std::span<const double> row, double unit, std::span<double> joint) override {
        double largest = 0;
        for (const auto& all : whole_) largest = std::max(largest, Gaussian{}.spread(all));
        for (std::size_t k = 0; k < whole_.size(); ++k) {
            const double x = row[seen_.columns[k]];
            if (std::isnan(x) || !(whole_[k].total_weight > 0)) continue;
            const VarianceRule rule(settings_, spread_within(seen_, k), whole_[k]);
            for (std::size_t c = 0; c < joint.size(); ++c) {
                const auto& seen = seen_.seen(c, k, whole_[k]);
                const double rows = rule.rows() * unit;
                const double variance = rule((seen.scatter + rows * rule.centre()) / (seen.total_weight + rows) +
                                             settings_.added_variance_share * largest);
                const double shift = x - seen.mean;
                joint[c] -= 0.5 * (std::log(2 * std::numbers::pi * variance) + shift * shift / variance);
            }
        }
        return {};
    }
    void scale(double factor) override {
        part_.scale(factor);
        for (auto& all : whole_) all.scale(factor);
    }
    const Part& part() const override { return part_; }

private:
    Part part_;
    FamilyPart<Gaussian>& seen_;  // inside part_
    Settings settings_;
    std::vector<Gaussian::Statistic> whole_;  // by column, over all classes
};

class OnlineOther final : public OnlinePart {
public:
    OnlineOther(Part part, Settings settings, Schema schema)
        : part_(std::move(part)), blank_(part_.blank()), settings_(std::move(settings)), schema_(std::move(schema)) {}

    Result<void> check(std::span<const double> row, std::size_t of_class, double weight) override {
        const auto code = static_cast<std::int32_t>(of_class);
        next_ = blank_;
        next_.observe(block(row), {schema_.classes.size(), {&code, 1}, {&weight, 1}}, workspace_);
        return next_.refuses(schema_);
    }
    void learn(std::span<const double>, std::size_t, double) override {
        part_.merge(next_);
        stale_ = true;
    }
    // Where there is not yet enough to estimate from, the Part tells nothing.
    Result<void> add(std::span<const double> row, double unit, std::span<double> joint) override {
        if (stale_) {
            Part weighed = part_;
            if (unit != 1) weighed.scale(1 / unit);
            auto estimated = weighed.estimate(settings_, schema_);
            scorers_.clear();
            if (estimated) scorers_ = std::move(estimated->scorers);
            stale_ = false;
        }
        std::vector<long double> exact(joint.begin(), joint.end());
        for (const auto& scorer : scorers_)
            if (auto added = scorer->add_row(block(row), 0, exact); !added) return added;
        for (std::size_t c = 0; c < joint.size(); ++c) joint[c] = static_cast<double>(exact[c]);
        return {};
    }
    void scale(double factor) override { part_.scale(factor); }
    const Part& part() const override { return part_; }

private:
    static Block block(std::span<const double> row) {
        return DenseBlock{row.data(), Element::f64, 1, row.size(), static_cast<std::ptrdiff_t>(row.size()), 1};
    }

    Part part_, blank_, next_;
    Settings settings_;
    Schema schema_;
    std::vector<std::unique_ptr<Scorer>> scorers_;
    bool stale_ = true;
    Workspace workspace_;
};

bool is_plain(const Settings& settings) {
    return settings.shrinkage.rule == ShrinkageRule::none && settings.alpha == 1 && settings.gamma == 0 &&
           settings.added_variance == 0 && settings.rank == 0 && !parsimonious_structure(settings);
}

}  // namespace

std::unique_ptr<OnlinePart> make_online(Part part, const Settings& settings, const Schema& schema) {
    const bool plugged_in = settings.by_likelihood();
    if (const auto* covariance = part.as<CovariancePart>())
        if (settings.covariance == Covariance::full && is_plain(settings) && !covariance->has_holes() &&
            (plugged_in || settings.estimate == Estimate::unbiased))
            return make_online_covariance(std::move(part), settings, schema);
    if (part.as<FamilyPart<Gaussian>>() != nullptr && is_plain(settings) && settings.sharing == Sharing::own &&
        settings.covariance != Covariance::spherical && settings.column_priors.empty() &&
        (plugged_in || settings.estimate == Estimate::map))
        return std::make_unique<OnlineGaussians>(std::move(part), settings);
    return std::make_unique<OnlineOther>(std::move(part), settings, schema);
}

}  // namespace suffice
