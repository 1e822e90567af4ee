// Parameters of groups, gathered from whatever a search is made of.
#include "suffice/group/group_step.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "suffice/model/classifier.hpp"

namespace suffice {
namespace {

std::vector<Description::OfColumn> columns_of(const Matrix& mean, const char* family, const char* name) {
    std::vector<Description::OfColumn> columns(mean.column_count);
    for (std::size_t j = 0; j < columns.size(); ++j) {
        columns[j].column = static_cast<std::uint32_t>(j);
        columns[j].family = family;
        for (std::size_t c = 0; c < mean.row_count; ++c) columns[j].by_class.push_back({{{name, mean(c, j)}}});
    }
    return columns;
}

}  // namespace

GroupStep group_step(const Classifier& components) {
    GroupStep step{{}, components.describe()};
    for (const double log_share : components.log_prior()) step.share.push_back(std::exp(log_share));
    return step;
}

GroupStep group_step(std::vector<double> share, const Matrix& mean, std::span<const std::vector<double>> covariance) {
    const std::size_t d = mean.column_count;
    GroupStep step{std::move(share), {columns_of(mean, "gaussian", "mean"), {}}};
    std::vector<std::uint32_t> every(d);
    std::iota(every.begin(), every.end(), 0u);
    for (std::size_t c = 0; c < mean.row_count; ++c) {
        const bool square = covariance[c].size() == d * d;
        for (std::size_t j = 0; j < d; ++j)
            step.parameters.columns[j].by_class[c].entries.emplace_back("variance",
                                                                        covariance[c][square ? j * (d + 1) : j]);
        if (square && d > 1)
            step.parameters.covariances.push_back({every, {static_cast<std::uint32_t>(c)}, covariance[c]});
    }
    return step;
}

GroupStep group_step(const Matrix& centres_and_weight) {
    const std::size_t d = centres_and_weight.column_count - 1;
    Matrix centres(centres_and_weight.row_count, d);
    GroupStep step;
    double total = 0;
    for (std::size_t c = 0; c < centres.row_count; ++c) {
        std::ranges::copy(centres_and_weight.row(c).first(d), centres.row(c).begin());
        step.share.push_back(centres_and_weight(c, d));
        total += step.share.back();
    }
    for (double& each : step.share) each /= total;
    step.parameters.columns = columns_of(centres, "", "centre");
    return step;
}

Matrix with_weight(const Matrix& centres, std::span<const double> weight) {
    Matrix both(centres.row_count, centres.column_count + 1);
    for (std::size_t c = 0; c < centres.row_count; ++c) {
        std::ranges::copy(centres.row(c), both.row(c).begin());
        both(c, centres.column_count) = weight[c];
    }
    return both;
}

std::vector<std::size_t> heaviest_first(std::span<const double> weight) {
    std::vector<std::size_t> order(weight.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::greater{}, [&](std::size_t k) { return weight[k]; });
    return order;
}

void reorder(GroupStep& step, std::span<const std::size_t> order) {
    const auto moved = [&](const auto& values) {
        auto next = values;
        for (std::size_t k = 0; k < order.size(); ++k) next[k] = values[order[k]];
        return next;
    };
    step.share = moved(step.share);
    for (auto& column : step.parameters.columns) column.by_class = moved(column.by_class);
    std::vector<std::uint32_t> number(order.size());
    for (std::size_t k = 0; k < order.size(); ++k) number[order[k]] = static_cast<std::uint32_t>(k);
    auto& covariances = step.parameters.covariances;
    for (auto& each : covariances)
        for (auto& of : each.classes) of = number[of];
    std::ranges::stable_sort(covariances, {}, [](const auto& each) { return each.classes.front(); });
}

}  // namespace suffice
