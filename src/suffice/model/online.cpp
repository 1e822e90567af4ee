// Learns and scores row by row over the Parts of a model.
#include "suffice/model/online.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "suffice/math/log_sum_exp.hpp"

namespace suffice {
namespace {

constexpr double largest_unit = 1e30;  // then all weights are brought back to what they mean

// What no update of a factor can follow.
Result<void> refuse(const Settings& settings) {
    if (settings.rank > 0)
        return Error(
            ErrorKind::usage,
            "a reduced rank cannot be learned row by row, as the discriminant coordinates turn with every row");
    if (settings.covariance == Covariance::full && settings.shrinkage.needs_fourth_moments())
        return Error(ErrorKind::usage,
                     "an estimated shrinkage cannot be learned row by row; give the shrinkage as a number");
    return {};
}

}  // namespace

Result<OnlineClassifier> OnlineClassifier::from(ModelState state, double memory) {
    if (!(memory > 0) || memory > 1)
        return Error(ErrorKind::usage, "the share that is kept with each row must lie above 0 and not above 1");
    if (auto checked = state.settings.check(); !checked) return checked.error();
    if (auto refused = refuse(state.settings); !refused) return refused.error();
    const Schema& schema = state.statistic.schema;
    if (schema.classes.empty()) return Error(ErrorKind::usage, "the classes must be named before rows are learned");
    if (auto grouped = group_of_class(state.settings, schema.classes); !grouped) return grouped.error();
    OnlineClassifier made;
    made.memory_ = memory;
    made.class_weight_ = state.statistic.class_weight;
    made.total_weight_ = state.statistic.weight();
    made.joint_.resize(made.class_count());
    auto pseudo = class_pseudo_counts(state.settings, schema.classes.size());
    if (!pseudo) return pseudo.error();
    made.prior_rows_ = std::move(*pseudo);
    if (state.settings.priors.rule == PriorRule::uniform || state.settings.priors.rule == PriorRule::given) {
        auto prior = log_class_priors(state.settings, schema.classes, made.class_weight_);
        if (!prior) return prior.error();
        made.fixed_prior_ = std::move(*prior);
    }
    for (Part& part : state.statistic.parts) {
        if (memory < 1 && !part.decays())
            return Error(ErrorKind::usage, std::string(part.name()) + " cannot forget; learn with a memory of 1");
        made.parts_.push_back(make_online(std::move(part), state.settings, schema));
    }
    state.statistic.parts.clear();
    made.state_ = std::move(state);
    return made;
}

Result<void> OnlineClassifier::check(std::span<const double> row) const {
    const auto& columns = state_.statistic.schema.columns;
    if (row.size() != columns.size())
        return Error(std::to_string(row.size()) + " values for " + std::to_string(columns.size()) + " columns");
    if (std::isfinite(std::accumulate(row.begin(), row.end(), 0.0))) return {};
    for (std::size_t k = 0; k < row.size(); ++k)
        if (std::isinf(row[k])) return Error("infinity is not a value").in_column(columns[k].name);
    return {};
}

Result<void> OnlineClassifier::learn(std::span<const double> row, std::size_t class_code, double weight) {
    if (auto checked = check(row); !checked) return checked;
    if (class_code >= class_count()) return Error("there is no class with the code " + std::to_string(class_code));
    if (!(weight >= 0) || std::isinf(weight)) return Error("a weight must be zero or a positive number");
    if (weight == 0) return {};
    const double unit = unit_ / memory_;
    for (const auto& part : parts_)
        if (auto checked = part->check(row, class_code, weight * unit); !checked) return checked;
    for (const auto& part : parts_) part->learn(row, class_code, weight * unit);
    class_weight_[class_code] += weight * unit;
    total_weight_ += weight * unit;
    unit_ = unit;
    if (unit_ < largest_unit) return {};
    for (const auto& part : parts_) part->scale(1 / unit_);
    for (double& each : class_weight_) each /= unit_;
    total_weight_ /= unit_;
    unit_ = 1;
    return {};
}

void OnlineClassifier::add_priors(std::span<double> joint) const {
    if (!fixed_prior_.empty()) {
        std::ranges::copy(fixed_prior_, joint.begin());
        return;
    }
    double total = 0;
    for (std::size_t c = 0; c < joint.size(); ++c)
        total += joint[c] = std::max(class_weight_[c] + prior_rows_[c] * unit_, 0.0);
    for (double& each : joint) each = std::log(each / total);
}

Result<void> OnlineClassifier::score(std::span<const double> row, std::span<double> log_posterior) {
    if (auto checked = check(row); !checked) return checked;
    if (log_posterior.size() != class_count())
        return Error(std::to_string(log_posterior.size()) + " places for " + std::to_string(class_count()) +
                     " classes");
    if (!(total_weight_ > 0)) {
        std::ranges::fill(log_posterior, -std::log(static_cast<double>(class_count())));
        return {};
    }
    add_priors(joint_);
    for (const auto& part : parts_)
        if (auto added = part->add(row, unit_, joint_); !added)
            return named_column(added.error(), state_.statistic.schema);
    for (std::size_t c = 0; c < joint_.size(); ++c)
        if (!(class_weight_[c] > 0)) joint_[c] = -std::numeric_limits<double>::infinity();
    log_softmax(joint_);
    for (std::size_t c = 0; c < joint_.size(); ++c)
        log_posterior[c] = class_weight_[c] > 0 ? std::max(joint_[c], std::numeric_limits<double>::lowest())
                                                : std::log(smallest_probability);
    return {};
}

Result<std::size_t> OnlineClassifier::predict(std::span<const double> row) {
    std::vector<double> log_posterior(class_count());
    if (auto scored = score(row, log_posterior); !scored) return scored.error();
    return static_cast<std::size_t>(std::ranges::max_element(log_posterior) - log_posterior.begin());
}

ModelState OnlineClassifier::state() const {
    ModelState whole = state_;
    whole.statistic.class_weight = class_weight_;
    for (const auto& part : parts_) whole.statistic.parts.push_back(part->part());
    if (unit_ != 1) {
        for (double& each : whole.statistic.class_weight) each /= unit_;
        for (Part& part : whole.statistic.parts) part.scale(1 / unit_);
    }
    return whole;
}

}  // namespace suffice
